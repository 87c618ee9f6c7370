/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.figures;

import io.rsockets4j.it.figures.ChannelTransport.ChannelEnd;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/**
 * How long a round trip of 64 bytes takes alone, and beside a connection of the same two processes that streams writes
 * of 1 MiB without a pause: p50 and p99 of each in microseconds, and what was streamed, by {@link Figures#byTurns
 * turns}. Over RDMA both connections share a queue pair.
 */
final class TripsBesideStream implements Figures.Side {
    private static final int TRIP_BYTES = 64;
    private static final int WRITE_BYTES = 1 << 20;
    private static final int TRIPS = 2_000;
    private static final int UNMEASURED_TRIPS = 200;

    private final InetSocketAddress address;
    private final int warmUpSeconds;
    private volatile boolean streaming; // whether the stream is to go on
    private volatile long written; // of the stream; by its thread

    TripsBesideStream(InetSocketAddress address, int warmUpSeconds) {
        this.address = address;
        this.warmUpSeconds = warmUpSeconds;
    }

    @Override
    public void serve() throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(address)) {
            System.out.println("listening");
            ChannelEnd trips = new ChannelEnd(listener.accept(), true, TRIP_BYTES);
            ChannelEnd stream = new ChannelEnd(listener.accept(), true, WRITE_BYTES);
            start("sink", () -> {
                while (stream.receive()) {
                    continue;
                }
            });
            while (trips.receive()) {
                trips.send();
            }
        }
    }

    @Override
    public void measure() throws Throwable {
        ChannelEnd trips = new ChannelEnd(SocketChannel.open(address), true, TRIP_BYTES);
        ChannelEnd stream = new ChannelEnd(SocketChannel.open(address), true, WRITE_BYTES);
        Figures.byTurns(warmUpSeconds, () -> measure(trips, stream));
        trips.close();
        stream.close();
    }

    private String measure(ChannelEnd trips, ChannelEnd stream) throws Exception {
        String alone = exchange(trips);
        CountDownLatch begun = new CountDownLatch(1);
        streaming = true;
        CompletableFuture<Void> source = start("source", () -> {
            try {
                while (streaming) {
                    stream.send();
                    written++;
                    begun.countDown();
                }
            } finally {
                begun.countDown();
            }
        });
        begun.await();
        long before = written;
        long start = System.nanoTime();
        String beside = exchange(trips);
        double rate = (written - before) * (double) WRITE_BYTES / (1 << 20) / ((System.nanoTime() - start) / 1e9);
        streaming = false;
        source.get();
        return String.format("%s %s %.1f", alone, beside, rate);
    }

    private static String exchange(ChannelEnd trips) throws IOException {
        long[] nanos = new long[TRIPS];
        for (int i = -UNMEASURED_TRIPS; i < TRIPS; i++) {
            long start = System.nanoTime();
            trips.send();
            if (!trips.receive()) {
                throw new EOFException("the server hung up");
            }
            nanos[Math.max(i, 0)] = System.nanoTime() - start;
        }
        Arrays.sort(nanos);
        return String.format("%.1f %.1f", nanos[TRIPS / 2] / 1e3, nanos[TRIPS / 100 * 99] / 1e3);
    }

    private interface Task {
        void run() throws IOException;
    }

    private static CompletableFuture<Void> start(String name, Task task) {
        return CompletableFuture.runAsync(() -> {
            try {
                task.run();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }, command -> new Thread(command, name).start());
    }
}
