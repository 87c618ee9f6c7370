/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import io.rsockets4j.bench.net.Connector;
import io.rsockets4j.bench.net.Session;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** A message there and back, one after the other without a pause. */
final class RoundTrip implements Work {

    @Override
    public String name() {
        return "roundtrip";
    }

    @Override
    public String title() {
        return "round trip";
    }

    @Override
    public String method() {
        return "One connection, one message at a time: the client writes it, the server reads all of it and writes it"
                + " back, the client reads all of it and checks its stamp. Timed at the client, back to back.";
    }

    @Override
    public List<Integer> sizes() {
        return List.of(64, 1024, 64 * 1024);
    }

    @Override
    public List<Integer> quickSizes() {
        return List.of(64, 64 * 1024);
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
            client.exchangeFor(stage.job().warmUp().toNanos(), latencies);
            latencies.reset();
            client.exchangeFor(stage.job().measured().toNanos(), latencies);
        }
        return Latencies.of(latencies);
    }
}
