/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.figures;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * How long a message of 64 bytes takes in a stream of them, in microseconds, by {@link Figures#byTurns turns}: from the
 * first one until the other end has acknowledged the last.
 */
final class StreamTurns implements Figures.Side {
    private static final int BYTES = 64;
    private static final int MESSAGES = 50_000;
    private static final int BUFFER_BYTES = 64 << 10;

    private final InetSocketAddress address;
    private final int warmUpSeconds;

    StreamTurns(InetSocketAddress address, int warmUpSeconds) {
        this.address = address;
        this.warmUpSeconds = warmUpSeconds;
    }

    @Override
    public void serve() throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(address)) {
            System.out.println("listening");
            try (SocketChannel end = listener.accept()) {
                while (receive(end, (long) MESSAGES * BYTES)) {
                    end.write(ByteBuffer.allocate(1));
                }
            }
        }
    }

    @Override
    public void measure() throws Throwable {
        try (SocketChannel end = SocketChannel.open(address)) {
            Figures.byTurns(warmUpSeconds, () -> measure(end));
        }
    }

    private static String measure(SocketChannel end) throws IOException {
        ByteBuffer message = ByteBuffer.allocateDirect(BYTES);
        long start = System.nanoTime();
        for (int i = 0; i < MESSAGES; i++) {
            message.clear();
            while (message.hasRemaining()) {
                end.write(message);
            }
        }
        if (!receive(end, 1)) {
            throw new EOFException("the server hung up");
        }
        return String.format("%.2f", (System.nanoTime() - start) / 1e3 / MESSAGES);
    }

    private static boolean receive(SocketChannel end, long bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect((int) Math.min(bytes, BUFFER_BYTES));
        for (long left = bytes; left > 0;) {
            int read = end.read(buffer.clear().limit((int) Math.min(left, buffer.capacity())));
            if (read < 0) {
                return false;
            }
            left -= read;
        }
        return true;
    }
}
