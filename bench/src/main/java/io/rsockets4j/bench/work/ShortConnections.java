/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import io.rsockets4j.bench.net.ClientConnector;
import io.rsockets4j.bench.net.ServerSession;
import io.rsockets4j.bench.net.Serving;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Short connections, one after the other. */
final class ShortConnections extends Work {
    private static final int UNCOUNTED = 1_000;
    /** Closed TCP connections hold their ports for a while: both together stay below the ephemeral range. */
    private static final int MOST_UNCOUNTED = 16_000;
    private static final int MOST = 8_000;

    ShortConnections() {
        super("connect", "connect, echo, close",
                "One client thread opens a connection, sends one message, reads its echo and closes, over and over; the"
                        + " server accepts, echoes and closes. The first 1,000 connections, and those of the warm-up,"
                        + " are not counted.",
                List.of(64), List.of(Figure.headline("connections", Unit.PER_SECOND)));
    }

    @Override
    public Serving serving() {
        return Serving.IN_TURN;
    }

    @Override
    public ServerSession session(Job job) {
        return new EchoSession(job, 1);
    }

    @Override
    public Map<String, Double> drive(Stage stage) throws IOException {
        try (ClientConnector connector = stage.api().connector()) {
            warmUp(stage, connector);
            long start = System.nanoTime();
            long elapsedNs;
            int count = 0;
            do {
                visit(stage, connector);
                count++;
                elapsedNs = System.nanoTime() - start;
            } while (elapsedNs < stage.job().measured().toNanos() && count < MOST);
            return Map.of("connections", count / (elapsedNs / 1e9));
        }
    }

    private static void warmUp(Stage stage, ClientConnector connector) throws IOException {
        long start = System.nanoTime();
        long least = stage.job().warmUp().toNanos();
        for (int i = 0; i < UNCOUNTED || i < MOST_UNCOUNTED && System.nanoTime() - start < least; i++) {
            visit(stage, connector);
        }
    }

    /** Opens a connection, has one message echoed, and closes it. */
    static void visit(Stage stage, ClientConnector connector) throws IOException {
        try (EchoClient client = new EchoClient(stage.job(), connector, stage.port())) {
            client.exchange();
        }
    }
}
