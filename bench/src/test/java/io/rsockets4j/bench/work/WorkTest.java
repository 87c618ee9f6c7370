/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.net.Server;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each work through each API, server and client in this JVM. */
class WorkTest {

    static Stream<Arguments> worksAndApis() {
        return Works.usual().stream().filter(work -> !(work instanceof Idle)).flatMap(
                work -> Arrays.stream(Api.values()).filter(api -> work.suits(api)).map(api -> Arguments.of(work, api)));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("worksAndApis")
    void shouldYieldItsMetrics(Work work, Api api) throws Exception {
        for (int size : work.sizes()) {
            Map<String, Double> values = run(new Job(work, api, size, Duration.ofMillis(10), Duration.ofMillis(10)));

            assertThat(values.keySet())
                    .containsExactlyInAnyOrderElementsOf(
                            work.metrics().stream().map(Figure::name).toList());
            assertThat(values.values()).allMatch(value -> value > 0 && Double.isFinite(value));
        }
    }

    static Stream<Work> partsOfAStart() {
        return Start.jobs().stream().map(Job::work).filter(work -> !work.is(Work.Trait.BY_PROGRAMS));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("partsOfAStart")
    void shouldYieldTheMetricsOfAStart(Work work) throws Exception {
        Duration phase = Duration.ofMillis(200);
        Map<String, Double> values = run(new Job(work, Api.NIO, work.sizes().get(0), phase, phase));

        assertThat(values.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        work.metrics().stream().map(Figure::name).toList());
        assertThat(values.values()).allMatch(value -> value > 0 && Double.isFinite(value));
    }

    @ParameterizedTest
    @EnumSource(names = {"NIO", "SOCKET"})
    @EnabledForJreRange(min = JRE.JAVA_21)
    void shouldExchangeOnVirtualThreads(Api api) throws Exception {
        Work work = new Virtual(200);
        Map<String, Double> values = run(new Job(work, api, 64, Duration.ofMillis(10), Duration.ofMillis(100)));

        assertThat(values.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        work.metrics().stream().map(Figure::name).toList());
        assertThat(values.values()).allMatch(value -> value > 0 && Double.isFinite(value));
    }

    @Test
    void shouldTellWhatIdleConnectionsUse() throws Exception {
        Map<String, Double> values =
                run(new Job(new Idle(), Api.SELECTOR, 64, Duration.ofMillis(1), Duration.ofMillis(1)));

        // both ends are in this JVM, so that each connection has two descriptors
        assertThat(values.get("descriptors")).isBetween(2.0, 2.1);
        assertThat(values.get("cpu")).isBetween(0.0, 100.0);
        assertThat(values.get("shared memory")).isLessThan(1024);
    }

    private static Map<String, Double> run(Job job) throws Exception {
        List<Server> servers = new ArrayList<>();
        try {
            for (int i = 0; i < job.work().servers(); i++) {
                servers.add(job.work().serve(job));
            }
            List<Integer> ports = servers.stream().map(Server::port).toList();
            return job.work()
                    .drive(new Stage(job, ports, ProcessHandle.current().pid(), 0));
        } finally {
            for (Server server : servers) {
                server.close();
            }
        }
    }
}
