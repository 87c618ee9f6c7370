/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import io.rsockets4j.bench.net.ClientConnector;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.HdrHistogram.Histogram;

/** More busy threads than cores: four clients and four servers at once. */
final class Oversubscribed extends Work {
    private static final int PAIRS = 4;

    Oversubscribed() {
        super("oversubscribed", "four pairs at once",
                "Four client threads and four server threads, each pair on a connection of its own, exchange messages"
                        + " as in the round trip, all at once. Round trips of all pairs together, per second.",
                List.of(64),
                List.of(
                        Figure.headline("round trips", Unit.PER_SECOND),
                        Figure.detail("p50", Unit.NANOSECONDS),
                        Figure.detail("p99", Unit.NANOSECONDS),
                        Figure.detail("p99.9", Unit.NANOSECONDS)),
                Trait.LONG);
    }

    @Override
    public int servers() {
        return PAIRS;
    }

    @Override
    public Map<String, Double> drive(Stage stage) throws InterruptedException, ExecutionException {
        exchangeAll(stage, stage.job().warmUp().toNanos());
        long start = System.nanoTime();
        Histogram latencies = exchangeAll(stage, stage.job().measured().toNanos());
        double seconds = (System.nanoTime() - start) / 1e9;
        Map<String, Double> values = new HashMap<>(EchoClient.figures(latencies));
        values.put("round trips", latencies.getTotalCount() / seconds);
        return values;
    }

    private static Histogram exchangeAll(Stage stage, long durationNs) throws InterruptedException, ExecutionException {
        List<Callable<Histogram>> clients = new ArrayList<>();
        stage.ports().forEach(port -> clients.add(() -> exchange(stage, port, durationNs)));
        Histogram total = EchoClient.latencies();
        atOnce(clients).forEach(total::add);
        return total;
    }

    private static Histogram exchange(Stage stage, int port, long durationNs) throws IOException {
        Histogram latencies = EchoClient.latencies();
        try (ClientConnector connector = stage.api().connector();
                EchoClient client = new EchoClient(stage.job(), connector, port)) {
            client.exchangeFor(durationNs, latencies);
        }
        return latencies;
    }
}
