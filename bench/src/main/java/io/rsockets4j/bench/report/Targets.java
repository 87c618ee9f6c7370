/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import io.rsockets4j.bench.work.Figure;
import io.rsockets4j.bench.work.Job;
import io.rsockets4j.bench.work.PathSetup;
import io.rsockets4j.bench.work.Service;
import io.rsockets4j.bench.work.Start;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is asked of each route, on two cores. */
final class Targets {
    /** The agent in a client whose server has none must cost next to nothing, once it has started. */
    private static final Target FALLBACK = Target.ratio(0.97);
    /** What it adds to a connect by turns with the JDK's own. */
    private static final Target PLAIN = Target.value(1.05);

    /** Of shared memory, by work, size and metric. */
    private static final Map<String, Target> SHM = Map.ofEntries(
            Map.entry("roundtrip 64 p50", Target.ratio(20)),
            Map.entry("roundtrip 65536 p50", Target.ratio(2.5)),
            Map.entry("stream 64 bytes", Target.ratio(30)),
            Map.entry("stream 4096 bytes", Target.ratio(5)),
            Map.entry("stream 65536 bytes", Target.ratio(2.2)),
            Map.entry("stream 1048576 bytes", Target.ratio(2.2)),
            Map.entry("parked 64 p50", Target.ratio(1 / 0.6)),
            Map.entry("connect 64 connections", Target.ratio(1.5)),
            Map.entry("connects 64 connections", Target.ratio(1.5)),
            Map.entry("oversubscribed 64 round trips", Target.ratio(1.5)),
            Map.entry("virtual 64 round trips", Target.ratio(1)),
            Map.entry("idle 64 cpu", Target.value(0.5)),
            Map.entry("idle 64 descriptors", Target.value(2)),
            Map.entry("idle 64 shared memory", Target.value(16 * 1024)),
            Map.entry("start 1 " + Start.HELLO, Target.excess(0.040)),
            Map.entry("start 1 " + Start.CONNECT, Target.excess(0.030)),
            Map.entry("start 1 " + Start.CLIENT, Target.ratio(1 / 2.0)),
            Map.entry("start 1 " + Start.EXIT, Target.excess(0.005)),
            Map.entry("start 1 " + Start.CLASSES, Target.value(1_200)),
            Map.entry("start 1 " + Start.LINES, Target.value(0)),
            Map.entry("start 1 " + Start.JAR, Target.value(1_500_000)),
            Map.entry("start:service 100 " + Start.FIRST, Target.ratio(0.8)),
            Map.entry("start:service 100 " + Start.SECOND, Target.ratio(1)),
            Map.entry("start:many 64 " + Start.FIRST_CONNECTS, Target.ratio(1 / 2.0)));

    /** Of works whose threads mostly sleep, in JVMs where none may spin before. */
    private static final Map<String, Target> SPINLESS = Map.of(
            "parked 64 p50", Target.ratio(1),
            "connect 64 connections", Target.ratio(1),
            "connects 64 connections", Target.ratio(1),
            "oversubscribed 64 round trips", Target.ratio(1));

    private Targets() {}

    /**
     * Finds what is asked of a figure, if anything is.
     *
     * @param javaFeature the version of Java
     * @param arguments those that the JVMs were given besides
     */
    static Optional<Target> of(Job job, Figure metric, PathSetup route, int javaFeature, List<String> arguments) {
        return switch (route) {
            case SHM ->
                job.work() instanceof Service service
                        ? ServiceTargets.of(service, job.api(), metric.name(), javaFeature, arguments)
                        : ofSharedMemory(job.work().name() + ' ' + job.sizeBytes() + ' ' + metric.name(), arguments);
            case FALLBACK ->
                metric.rank() != Figure.Rank.HEADLINE || job.work().name().startsWith(Start.FAMILY)
                        ? Optional.empty()
                        : Optional.of(job.work().name().equals("plain") ? PLAIN : FALLBACK);
            case TCP, SHM_RING, RDMA, RDMA_RING, RDMA_DYNAMIC, RDMA_DIRECT -> Optional.empty();
        };
    }

    private static Optional<Target> ofSharedMemory(String figure, List<String> arguments) {
        Target usual = SHM.get(figure);
        return Optional.ofNullable(
                ServiceTargets.isSpinless(arguments) ? SPINLESS.getOrDefault(figure, usual) : usual);
    }
}
