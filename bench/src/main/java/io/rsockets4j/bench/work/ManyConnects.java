/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import io.rsockets4j.bench.net.Connector;
import io.rsockets4j.bench.net.Serving;
import io.rsockets4j.bench.net.Session;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The first short connections of a thread, and as many after them. */
public final class ManyConnects implements Work {

    /** The time that the first ones take together. */
    public static final String FIRST = "first 10,000";

    private static final String NEXT = "next 10,000";
    /** Both together stay below the range of ephemeral ports: a closed TCP connection holds its port for a while. */
    private static final int CONNECTS = 10_000;

    ManyConnects() {}

    @Override
    public String name() {
        return Start.FAMILY + ":many";
    }

    @Override
    public String title() {
        return "connects, one thread";
    }

    @Override
    public String method() {
        return "One thread connects, sends one message, reads its echo and closes, 10,000 times and then as often"
                + " again; the server has one thread too. Neither JVM did anything before.";
    }

    @Override
    public List<Integer> sizes() {
        return List.of(64);
    }

    @Override
    public List<Metric> metrics() {
        return List.of(Metric.headline(FIRST, Unit.SECONDS), Metric.headline(NEXT, Unit.SECONDS));
    }

    @Override
    public Serving serving() {
        return Serving.IN_TURN;
    }

    @Override
    public boolean wantsFreshJvms() {
        return true;
    }

    @Override
    public Session session(Job job) {
        return new EchoSession(job, 1);
    }

    @Override
    public Map<String, Double> drive(Stage stage) throws IOException {
        try (Connector connector = stage.api().connector()) {
            double first = secondsFor(stage, connector);
            return Map.of(FIRST, first, NEXT, secondsFor(stage, connector));
        }
    }

    private static double secondsFor(Stage stage, Connector connector) throws IOException {
        long start = System.nanoTime();
        for (int i = 0; i < CONNECTS; i++) {
            Connect.visit(stage, connector);
        }
        return (System.nanoTime() - start) / 1e9;
    }
}
