/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import io.rsockets4j.bench.net.ClientConnector;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/** A message there and back, one after the other: without a pause, or each after both sides have slept. */
final class RoundTrip extends Work {
    private static final long THINKING_NS = 2_000_000;

    private final boolean isParked;

    private RoundTrip(String name, String title, String method, List<Integer> sizes, boolean isParked) {
        super(name, title, method, sizes, EchoClient.METRICS);
        this.isParked = isParked;
    }

    static RoundTrip busy() {
        return new RoundTrip("roundtrip", "round trip",
                "One connection, one message at a time: the client writes it, the server reads all of it and writes it"
                        + " back, the client reads all of it and checks its stamp. Timed at the client, back to back.",
                List.of(64, 1024, 64 * 1024), false);
    }

    static RoundTrip parked() {
        return new RoundTrip("parked", "round trip, parked",
                "As the round trip, but the client sleeps for 2 ms before each message, so that both sides are asleep"
                        + " in the kernel when it is sent. The sleep is not counted.",
                List.of(64), true);
    }

    @Override
    public List<Integer> quickSizes() {
        return sizes().stream().filter(size -> size != 1024).toList();
    }

    @Override
    public Map<String, Double> drive(Stage stage) throws IOException {
        Histogram latencies = EchoClient.latencies();
        long warmUpNs = stage.job().warmUp().toNanos();
        try (ClientConnector connector = stage.api().connector();
                EchoClient client = new EchoClient(stage.job(), connector, stage.port())) {
            client.exchangeFor(isParked ? warmUpNs / 2 : warmUpNs, latencies);
            if (isParked) {
                thinkAndExchange(client, warmUpNs / 2, latencies);
            }
            latencies.reset();
            long measuredNs = stage.job().measured().toNanos();
            if (isParked) {
                thinkAndExchange(client, measuredNs, latencies);
            } else {
                client.exchangeFor(measuredNs, latencies);
            }
        }
        return EchoClient.figures(latencies);
    }

    private static void thinkAndExchange(EchoClient client, long durationNs, Histogram latencies) throws IOException {
        long start = System.nanoTime();
        while (System.nanoTime() - start < durationNs) {
            LockSupport.parkNanos(THINKING_NS);
            client.exchangeFor(0, latencies);
        }
    }
}
