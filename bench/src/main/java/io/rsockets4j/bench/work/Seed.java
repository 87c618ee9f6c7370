/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import io.rsockets4j.bench.net.ClientConnector;
import io.rsockets4j.bench.net.ServerSession;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** A fixed number of small messages, timed at both ends. */
final class Seed extends Work {
    private static final long MESSAGES = 100_000;

    Seed() {
        super("seed", "100,000 messages",
                "100,000 messages one way over one connection, timed at the sender (until the receiver's one-byte"
                        + " acknowledgement) and at the receiver (from its first byte to its last). Once cold, verified"
                        + " once, repeated to warm up, and once more for the figures.",
                List.of(64),
                List.of(
                        Figure.headline("sender", Unit.SECONDS),
                        Figure.beside("receiver", Unit.SECONDS),
                        Figure.detail("messages", Unit.PER_SECOND),
                        Figure.detail("first run", Unit.SECONDS)),
                Trait.LONG);
    }

    @Override
    public ServerSession session(Job job) {
        return new SinkSession(job);
    }

    @Override
    public Map<String, Double> drive(Stage stage) throws IOException {
        Job job = stage.job();
        try (ClientConnector connector = stage.api().connector();
                StreamClient client = new StreamClient(job, connector, stage.port())) {
            double coldSeconds = client.send(MESSAGES) / 1e9;
            client.verify(MESSAGES);
            long start = System.nanoTime();
            while (System.nanoTime() - start < job.warmUp().toNanos()) {
                client.send(MESSAGES);
            }
            double seconds = client.send(MESSAGES) / 1e9;
            return Map.of(
                    "sender", seconds,
                    "receiver", client.receiverNs() / 1e9,
                    "messages", MESSAGES / seconds,
                    "first run", coldSeconds);
        }
    }
}
