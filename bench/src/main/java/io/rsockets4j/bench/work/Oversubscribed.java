/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import io.rsockets4j.bench.net.Connector;
import io.rsockets4j.bench.net.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;

/** More busy threads than cores: four clients and four servers at once. */
final class Oversubscribed implements Work {

    private static final int PAIRS = 4;

    @Override
    public String name() {
        return "oversubscribed";
    }

    @Override
    public String title() {
        return "four pairs at once";
    }

    @Override
    public String method() {
        return "Four client threads and four server threads, each pair on a connection of its own, exchange messages"
                + " as in the round trip, all at once. Round trips of all pairs together, per second.";
    }

    @Override
    public List<Integer> sizes() {
        return List.of(64);
    }

    @Override
    public boolean isLong() {
        return true;
    }

    @Override
    public List<Metric> metrics() {
        return List.of(
                Metric.headline("round trips", Unit.PER_SECOND),
                Metric.detail("p50", Unit.NANOSECONDS),
                Metric.detail("p99", Unit.NANOSECONDS),
                Metric.detail("p99.9", Unit.NANOSECONDS));
    }

    @Override
    public int servers() {
        return PAIRS;
    }

    @Override
    public Session session(Job job) {
        return new EchoSession(job);
    }

    @Override
    public Map<String, Double> drive(Stage stage) throws InterruptedException, ExecutionException {
        exchangeAll(stage, stage.job().warmUp().toNanos());
        long start = System.nanoTime();
        Histogram latencies = exchangeAll(stage, stage.job().measured().toNanos());
        double seconds = (System.nanoTime() - start) / 1e9;
        Map<String, Double> values = new HashMap<>(Latencies.of(latencies));
        values.put("round trips", latencies.getTotalCount() / seconds);
        return values;
    }

    private static Histogram exchangeAll(Stage stage, long durationNs) throws InterruptedException, ExecutionException {
        List<Callable<Histogram>> clients = new ArrayList<>();
        stage.ports().forEach(port -> clients.add(() -> exchange(stage, port, durationNs)));
        ExecutorService threads = Executors.newFixedThreadPool(clients.size());
        try {
            Histogram total = EchoClient.latencies();
            for (Future<Histogram> each : threads.invokeAll(clients)) {
                total.add(each.get());
            }
            return total;
        } finally {
            threads.shutdownNow();
        }
    }

    private static Histogram exchange(Stage stage, int port, long durationNs) throws IOException {
        Histogram latencies = EchoClient.latencies();
        try (Connector connector = stage.api().connector();
                EchoClient client = new EchoClient(stage.job(), connector, port)) {
            client.exchangeFor(durationNs, latencies);
        }
        return latencies;
    }
}
