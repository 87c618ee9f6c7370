/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import io.rsockets4j.bench.net.Connector;
import io.rsockets4j.bench.net.Session;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/** A message there and back after both sides have slept. */
final class Parked implements Work {

    private static final long THINKING_NS = 2_000_000;

    @Override
    public String name() {
        return "parked";
    }

    @Override
    public String title() {
        return "round trip, parked";
    }

    @Override
    public String method() {
        return "As the round trip, but the client sleeps for 2 ms before each message, so that both sides are asleep in"
                + " the kernel when it is sent. The sleep is not counted.";
    }

    @Override
    public List<Integer> sizes() {
        return List.of(64);
    }

    @Override
    public List<Metric> metrics() {
        return Latencies.METRICS;
    }

    @Override
    public Session session(Job job) {
        return new EchoSession(job);
    }

    @Override
    public Map<String, Double> drive(Stage stage) throws IOException {
        Histogram latencies = EchoClient.latencies();
        try (Connector connector = stage.api().connector();
                EchoClient client = new EchoClient(stage.job(), connector, stage.port())) {
            client.exchangeFor(stage.job().warmUp().toNanos() / 2, latencies);
            thinkAndExchange(client, stage.job().warmUp().toNanos() / 2, latencies);
            latencies.reset();
            thinkAndExchange(client, stage.job().measured().toNanos(), latencies);
        }
        return Latencies.of(latencies);
    }

    private static void thinkAndExchange(EchoClient client, long durationNs, Histogram latencies) throws IOException {
        long start = System.nanoTime();
        while (System.nanoTime() - start < durationNs) {
            LockSupport.parkNanos(THINKING_NS);
            client.exchangeFor(0, latencies);
        }
    }
}
