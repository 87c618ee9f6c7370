/* SPDX-License-Identifier: Apache-2.0 */

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;

/**
 * How long 64 bytes take from one socket channel to another: half of a round trip, the median and the mean in
 * microseconds, by {@link Measurement#byTurns turns}. Both ends are processes of their own with the same options, such
 * as the agent's. Run as a source file: RoundTrips.java ADDRESS PORT SECONDS [spin], where the seconds are how long it
 * warms up. With spin, the channels do not block, and both ends ask them again and again.
 */
final class RoundTrips implements Measurement.Side {
    private static final int BYTES = 64;
    private static final int UNMEASURED = 500; // both ends have slept since the last time
    private static final int MEASURED = 5000; // as rstream and ib_write_lat are asked to
    private static final long PAUSE_NANOS = 50_000_000;

    private final InetSocketAddress address;
    private final int warmUpSeconds;
    private final boolean blocking;
    private final ByteBuffer message = ByteBuffer.allocateDirect(BYTES);

    private RoundTrips(String... args) {
        address = new InetSocketAddress(args[0], Integer.parseInt(args[1]));
        warmUpSeconds = Integer.parseInt(args[2]);
        blocking = args.length == 3 || !args[3].equals("spin");
    }

    public static void main(String[] args) throws Throwable {
        Measurement.run(new RoundTrips(args), args);
    }

    @Override
    public void serve() throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(address)) {
            System.out.println("listening");
            try (SocketChannel end = listener.accept()) {
                end.configureBlocking(blocking);
                while (receive(end)) {
                    send(end);
                }
            }
        }
    }

    @Override
    public void measure() throws IOException {
        try (SocketChannel end = SocketChannel.open(address)) {
            end.configureBlocking(blocking);
            Measurement.byTurns(warmUpSeconds, () -> measure(end));
        }
    }

    private String measure(SocketChannel end) throws IOException {
        exchange(end, new long[UNMEASURED]);
        long[] nanos = new long[MEASURED];
        exchange(end, nanos);
        Arrays.sort(nanos);
        double mean = Arrays.stream(nanos).average().orElseThrow();
        return String.format("%.2f %.2f", nanos[MEASURED / 2] / 2e3, mean / 2e3);
    }

    private void exchange(SocketChannel end, long[] nanos) throws IOException {
        for (int i = 0; i < nanos.length; i++) {
            long start = System.nanoTime();
            send(end);
            if (!receive(end)) {
                throw new IOException("the server hung up");
            }
            nanos[i] = System.nanoTime() - start;
        }
    }

    private void send(SocketChannel end) throws IOException {
        message.clear();
        while (message.hasRemaining()) {
            end.write(message);
        }
    }

    private boolean receive(SocketChannel end) throws IOException {
        message.clear();
        long start = System.nanoTime();
        while (message.hasRemaining()) {
            int count = end.read(message);
            if (count < 0) {
                return false;
            }
            if (count == 0 && System.nanoTime() - start > PAUSE_NANOS) {
                end.configureBlocking(true); // others have their turns now, and want the processors
            }
        }
        if (end.isBlocking() != blocking) {
            end.configureBlocking(blocking);
        }
        return true;
    }
}
