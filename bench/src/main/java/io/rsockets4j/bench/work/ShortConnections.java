/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import io.rsockets4j.bench.net.ClientConnector;
import io.rsockets4j.bench.net.ServerSession;
import io.rsockets4j.bench.net.Serving;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;

/** Short connections, one after the other in each client thread. */
final class ShortConnections extends Work {
    private static final int UNCOUNTED = 1_000;
    /** Closed TCP connections hold their ports for a while: both together stay below the ephemeral range. */
    private static final int MOST_UNCOUNTED = 16_000;
    private static final int MOST = 8_000;
    private static final int MANY_THREADS = 4;

    private final int threads;

    private ShortConnections(int threads, String name, String title, String method, Trait... traits) {
        super(name, title, method, List.of(64), List.of(Figure.headline("connections", Unit.PER_SECOND)), traits);
        this.threads = threads;
    }

    /** {@return those of one client thread, which one thread serves} */
    static ShortConnections ofOneThread() {
        return new ShortConnections(1, "connect", "connect, echo, close",
                "One client thread opens a connection, sends one message, reads its echo and closes, over and over; the"
                        + " server accepts, echoes and closes. The first 1,000 connections, and those of the warm-up,"
                        + " are not counted.");
    }

    /** {@return those of more client threads than cores, with a thread for each connection at the server} */
    static ShortConnections ofManyThreads() {
        return new ShortConnections(MANY_THREADS, "connects", "connect, echo, close, 4 threads",
                "The same by four client threads at once; the server has a thread for each connection. All connections"
                        + " together, per second.", Trait.LONG);
    }

    @Override
    public Serving serving() {
        return threads == 1 ? Serving.IN_TURN : Serving.CONCURRENTLY;
    }

    @Override
    public ServerSession session(Job job) {
        return new EchoSession(job, 1);
    }

    @Override
    public Map<String, Double> drive(Stage stage) throws InterruptedException, ExecutionException {
        visit(stage, UNCOUNTED, MOST_UNCOUNTED, stage.job().warmUp().toNanos());
        long start = System.nanoTime();
        int count = visit(stage, 1, MOST, stage.job().measured().toNanos());
        return Map.of("connections", count / ((System.nanoTime() - start) / 1e9));
    }

    /** Visits the server from all threads for a time, each its share of the least and the most; says how often. */
    private int visit(Stage stage, int least, int most, long nanos) throws InterruptedException, ExecutionException {
        long start = System.nanoTime();
        Callable<Integer> client = () -> {
            try (ClientConnector connector = stage.api().connector()) {
                int count = 0;
                while (count * threads < least || count * threads < most && System.nanoTime() - start < nanos) {
                    visit(stage, connector);
                    count++;
                }
                return count;
            }
        };
        return atOnce(Collections.nCopies(threads, client)).stream().mapToInt(each -> each).sum();
    }

    /** Opens a connection, has one message echoed, and closes it. */
    static void visit(Stage stage, ClientConnector connector) throws IOException {
        try (EchoClient client = new EchoClient(stage.job(), connector, stage.port())) {
            client.exchange();
        }
    }
}
