/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import io.rsockets4j.bench.net.Connector;
import io.rsockets4j.bench.net.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;

/** Short connections of four threads, from the first one on. */
final class FirstConnects implements Work {

    private static final String CONNECTIONS = "connections";

    @Override
    public String name() {
        return Start.FAMILY + ":connects";
    }

    @Override
    public String title() {
        return "connects in the first second, 4 threads";
    }

    @Override
    public String method() {
        return "Four threads open a connection each, send one message, read its echo and close, over and over, for a"
                + " second; the server has a thread for each connection. Neither JVM did anything before.";
    }

    @Override
    public List<Integer> sizes() {
        return List.of(64);
    }

    @Override
    public List<Metric> metrics() {
        return List.of(Metric.headline(CONNECTIONS, Unit.PER_SECOND));
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
    public Map<String, Double> drive(Stage stage) throws Exception {
        long startNs = System.nanoTime();
        List<FutureTask<Integer>> clients = new ArrayList<>();
        for (int i = 0; i < Start.THREADS; i++) {
            FutureTask<Integer> client = new FutureTask<>(() -> visitFrom(startNs, stage));
            clients.add(client);
            new Thread(client, "client").start();
        }
        int count = 0;
        for (FutureTask<Integer> client : clients) {
            count += client.get();
        }
        return Map.of(CONNECTIONS, count / (stage.job().measured().toNanos() / 1e9));
    }

    /** Visits the server over and over, and counts the visits that ended in time. */
    private static int visitFrom(long startNs, Stage stage) throws IOException {
        try (Connector connector = stage.api().connector()) {
            int count = 0;
            while (true) {
                Connect.visit(stage, connector);
                if (System.nanoTime() - startNs >= stage.job().measured().toNanos()) {
                    return count;
                }
                count++;
            }
        }
    }
}
