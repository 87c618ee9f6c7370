/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.figures;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;

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
    private volatile long streamed; // bytes; written by the streaming thread

    TripsBesideStream(InetSocketAddress address, int warmUpSeconds) {
        this.address = address;
        this.warmUpSeconds = warmUpSeconds;
    }

    @Override
    public void serve() throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(address)) {
            System.out.println("listening");
            try (SocketChannel trips = listener.accept(); SocketChannel stream = listener.accept()) {
                thread("sink", () -> drain(stream));
                ByteBuffer message = ByteBuffer.allocateDirect(TRIP_BYTES);
                while (receive(trips, message)) {
                    send(trips, message);
                }
            }
        }
    }

    @Override
    public void measure() throws Throwable {
        try (SocketChannel trips = SocketChannel.open(address); SocketChannel stream = SocketChannel.open(address)) {
            Figures.byTurns(warmUpSeconds, () -> measure(trips, stream));
        }
    }

    private String measure(SocketChannel trips, SocketChannel stream) throws Exception {
        String alone = exchange(trips);
        streaming = true;
        Thread source = thread("source", () -> fill(stream));
        try {
            awaitStream();
            long bytes = streamed;
            long start = System.nanoTime();
            String beside = exchange(trips);
            double mib = (streamed - bytes) / (double) WRITE_BYTES;
            return String.format("%s %s %.1f", alone, beside, mib / ((System.nanoTime() - start) / 1e9));
        } finally {
            streaming = false;
            source.join();
        }
    }

    private void awaitStream() throws InterruptedException {
        for (long before = streamed; streamed == before;) {
            Thread.sleep(1);
        }
    }

    private static String exchange(SocketChannel channel) throws IOException {
        ByteBuffer message = ByteBuffer.allocateDirect(TRIP_BYTES);
        long[] nanos = new long[TRIPS];
        for (int i = -UNMEASURED_TRIPS; i < TRIPS; i++) {
            long start = System.nanoTime();
            message.clear();
            send(channel, message);
            if (!receive(channel, message)) {
                throw new EOFException("the server hung up");
            }
            nanos[Math.max(i, 0)] = System.nanoTime() - start;
        }
        Arrays.sort(nanos);
        return String.format("%.1f %.1f", nanos[TRIPS / 2] / 1e3, nanos[TRIPS / 100 * 99] / 1e3);
    }

    private void fill(SocketChannel stream) throws IOException {
        ByteBuffer data = ByteBuffer.allocateDirect(WRITE_BYTES);
        while (streaming) {
            send(stream, data.clear());
            streamed += WRITE_BYTES;
        }
    }

    private static void drain(SocketChannel stream) throws IOException {
        ByteBuffer data = ByteBuffer.allocateDirect(WRITE_BYTES);
        while (stream.read(data.clear()) >= 0) {
            continue;
        }
    }

    private static void send(SocketChannel channel, ByteBuffer message) throws IOException {
        while (message.hasRemaining()) {
            channel.write(message);
        }
    }

    /** Fills a message, which is then to be sent. Returns false at the end of the stream. */
    private static boolean receive(SocketChannel channel, ByteBuffer message) throws IOException {
        message.clear();
        while (message.hasRemaining()) {
            if (channel.read(message) < 0) {
                return false;
            }
        }
        message.flip();
        return true;
    }

    private interface Task {
        void run() throws IOException;
    }

    private static Thread thread(String name, Task task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (IOException e) {
                throw new IllegalStateException(name, e);
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
