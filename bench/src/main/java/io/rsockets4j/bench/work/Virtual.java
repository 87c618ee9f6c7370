/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.net.ClientConnector;
import io.rsockets4j.bench.net.Serving;
import io.rsockets4j.bench.net.VirtualThreadStarter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import org.HdrHistogram.AtomicHistogram;

/** Very many virtual threads, each in a blocking round trip of its own. */
final class Virtual extends Work {
    private static final int CONNECTIONS = 10_000;
    /** Fewer connects at once than a backlog has room for. */
    private static final int CONNECTS_AT_ONCE = 32;

    private final int connections;

    Virtual() {
        this(CONNECTIONS);
    }

    /** For tests, which have both ends in one JVM. */
    Virtual(int connections) {
        super("virtual", "10,000 virtual threads",
                "10,000 connections, each with a virtual thread at either end, exchange messages as in the round trip,"
                        + " all at once, from the moment when all are connected. Round trips of all together, per"
                        + " second.",
                List.of(64),
                List.of(
                        Figure.headline("round trips", Unit.PER_SECOND),
                        Figure.beside("p99", Unit.NANOSECONDS),
                        Figure.beside("p99.9", Unit.NANOSECONDS),
                        Figure.detail("p50", Unit.NANOSECONDS)),
                Trait.ASKED_FOR, Trait.FRESH_JVMS);
        this.connections = connections;
    }

    @Override
    public boolean suits(Api api) {
        return api == Api.NIO || api == Api.SOCKET;
    }

    @Override
    public Serving serving() {
        return Serving.ON_VIRTUAL_THREADS;
    }

    @Override
    public Map<String, Double> drive(Stage stage) throws InterruptedException, ExecutionException {
        Crowd crowd = new Crowd(stage, connections);
        List<FutureTask<Void>> clients = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            FutureTask<Void> client = new FutureTask<>(crowd::connectAndExchange, null);
            clients.add(client);
            VirtualThreadStarter.start(client);
        }
        crowd.begin();
        for (FutureTask<Void> client : clients) {
            client.get();
        }
        return crowd.values();
    }

    /** What the threads of one run share. */
    private static final class Crowd {
        private final Stage stage;
        private final CountDownLatch connecting;
        private final CountDownLatch begun = new CountDownLatch(1);
        private final Semaphore connects = new Semaphore(CONNECTS_AT_ONCE);
        private final AtomicHistogram latencies = new AtomicHistogram(EchoClient.LONGEST_NS, 3);
        private long measuredFromNs; // set before begun
        private long endNs; // set before begun

        Crowd(Stage stage, int size) {
            this.stage = stage;
            connecting = new CountDownLatch(size);
        }

        void begin() throws InterruptedException {
            connecting.await();
            measuredFromNs = System.nanoTime() + stage.job().warmUp().toNanos();
            endNs = measuredFromNs + stage.job().measured().toNanos();
            begun.countDown();
        }

        void connectAndExchange() {
            try (ClientConnector connector = stage.api().connector();
                    EchoClient client = connect(connector)) {
                begun.await();
                exchange(client);
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        private EchoClient connect(ClientConnector connector) throws IOException {
            connects.acquireUninterruptibly();
            try {
                return new EchoClient(stage.job(), connector, stage.port());
            } finally {
                connects.release();
                connecting.countDown();
            }
        }

        private void exchange(EchoClient client) throws IOException {
            for (long now = System.nanoTime(); now - endNs < 0; ) {
                long sent = now;
                client.exchange();
                now = System.nanoTime();
                if (now - measuredFromNs >= 0 && now - endNs < 0) {
                    latencies.recordValue(Math.min(now - sent, EchoClient.LONGEST_NS));
                }
            }
        }

        Map<String, Double> values() {
            Map<String, Double> values = new HashMap<>(EchoClient.figures(latencies));
            values.put("round trips", latencies.getTotalCount() / (stage.job().measured().toNanos() / 1e9));
            return values;
        }
    }
}
