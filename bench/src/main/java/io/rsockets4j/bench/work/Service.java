/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.net.ServerSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A service as users run it: short requests, longer answers, some connections, each with a request at a time. */
public final class Service extends Work {
    /** What all services are called together; the name of one goes on with its connections and its loop. */
    public static final String FAMILY = "service";
    /** The length of a request, in bytes. */
    public static final int REQUEST_BYTES = 100;
    /** Requests answered in a second. */
    public static final String RATE = "rate";
    /** The median latency. */
    public static final String P50 = "p50";
    /** The latency that one in a hundred exceeds. */
    public static final String P99 = "p99";
    /** The latency that one in a thousand exceeds. */
    public static final String P999 = "p99.9";
    /** Processor time of both processes for a request. */
    public static final String CPU = "cpu";
    /** In an open loop, the median of how long after it was due a request was sent; part of its latency. */
    public static final String LATE = "sent late";
    /** Starts the names of the figures of the first seconds. */
    public static final String FIRST = "first ";

    static final int ANSWER_BYTES = 1_000;
    private static final String SEPARATOR = ":";
    private static final String METHOD = "Each connection sends a request of 100 B and waits for its answer of 1,000 B."
            + " In the closed loop it then sends the next. In an open loop requests are due by a clock, at a share of"
            + " the best rate of TCP's closed loop with the same API and connections; a latency counts from when its"
            + " request was due. Blocking APIs have a thread for each connection on both sides; Selector has one thread"
            + " on each side, async has completion handlers on the default group, and in an open loop one more thread"
            + " tells them what is due. Each runs in JVMs of its own, whose first seconds (two, unless --warm-up says"
            + " otherwise) are shown apart. Processor time is that of both processes.";

    private final int connections;
    private final Loop loop;

    /**
     * Makes one.
     *
     * @param connections how many connections the client opens
     * @param loop when requests are due
     */
    public Service(int connections, Loop loop) {
        super(String.join(SEPARATOR, FAMILY, Integer.toString(connections), loop.toString()),
                "service, " + connections + (connections == 1 ? " connection, " : " connections, ")
                        + (loop.isClosed() ? "closed loop" : "open loop at " + loop.percent() + "%"),
                METHOD, List.of(REQUEST_BYTES), metrics(loop), Trait.FRESH_JVMS);
        this.connections = connections;
        this.loop = loop;
    }

    /** {@return the service of a name such as service:32:closed; empty if this is the name of something else} */
    public static Optional<Service> of(String name) {
        String[] parts = name.split(SEPARATOR);
        return parts.length == 3 && parts[0].equals(FAMILY)
                ? Optional.of(new Service(Integer.parseInt(parts[1]), Loop.parse(parts[2])))
                : Optional.empty();
    }

    /** {@return how many connections the client opens} */
    public int connections() {
        return connections;
    }

    /** {@return when requests are due} */
    public Loop loop() {
        return loop;
    }

    private static List<Figure> metrics(Loop loop) {
        List<Figure> metrics = new ArrayList<>();
        if (loop.isClosed()) {
            metrics.add(Figure.headline(RATE, Unit.PER_SECOND));
            metrics.add(Figure.detail(FIRST + RATE, Unit.PER_SECOND));
            metrics.add(Figure.detail(P50, Unit.NANOSECONDS));
        } else {
            metrics.add(Figure.headline(P50, Unit.NANOSECONDS));
            metrics.add(Figure.detail(RATE, Unit.PER_SECOND));
            metrics.add(Figure.detail(LATE, Unit.NANOSECONDS));
        }
        metrics.add(Figure.beside(P99, Unit.NANOSECONDS));
        metrics.add(Figure.beside(P999, Unit.NANOSECONDS));
        metrics.add(Figure.detail(CPU, Unit.NANOSECONDS));
        for (String name : List.of(P50, P99, P999, CPU)) {
            metrics.add(Figure.detail(FIRST + name, Unit.NANOSECONDS));
        }
        return metrics;
    }

    @Override
    public boolean suits(Api api) {
        return true;
    }

    @Override
    public Optional<Pace> pace() {
        return loop.isClosed()
                ? Optional.empty()
                : Optional.of(new Pace(new Service(connections, Loop.CLOSED), RATE, loop.percent() / 100.0));
    }

    @Override
    public ServerSession session(Job job) {
        return new ServiceSession(job.api());
    }

    @Override
    public Map<String, Double> drive(Stage stage) throws Exception {
        return new ServiceRun(stage, connections).values();
    }
}
