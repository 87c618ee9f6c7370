/* SPDX-License-Identifier: Apache-2.0 */

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * How long a message of 64 bytes takes in a stream of them, in microseconds, by {@link Measurement#byTurns turns}: from
 * the first one until the other end has acknowledged the last. Both ends are processes of their own with the same
 * options, such as the agent's. Run as a source file: StreamTurns.java ADDRESS PORT SECONDS, which is how long it warms
 * up.
 */
final class StreamTurns {
    private static final int BYTES = 64;
    private static final int MESSAGES = 50_000;
    private static final int BUFFER_BYTES = 64 << 10;

    private StreamTurns() { }

    public static void main(String[] args) throws IOException {
        InetSocketAddress address = new InetSocketAddress(args[0], Integer.parseInt(args[1]));
        if (args.length < 3) {
            serve(address);
            return;
        }
        Process server = Measurement.startServer(args[0], args[1]);
        try (SocketChannel end = SocketChannel.open(address)) {
            Measurement.byTurns(Integer.parseInt(args[2]), () -> measure(end));
        } finally {
            server.destroy();
        }
    }

    private static void serve(InetSocketAddress address) throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(address)) {
            System.out.println("listening");
            try (SocketChannel end = listener.accept()) {
                while (receive(end, (long) MESSAGES * BYTES)) {
                    end.write(ByteBuffer.allocate(1));
                }
            }
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
