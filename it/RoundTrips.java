/* SPDX-License-Identifier: Apache-2.0 */

import java.net.InetSocketAddress;
import java.util.Arrays;

/**
 * How long 64 bytes take from one socket to another: half of a round trip, the median and the mean in microseconds, by
 * {@link Measurement#byTurns turns}. Both ends are processes of their own with the same options, such as the agent's.
 * Run as a source file: RoundTrips.java ADDRESS PORT SECONDS KIND, where the seconds are how long it warms up, and the
 * kind is
 *
 * <ul>
 * <li>{@code block}: socket channels that block;
 * <li>{@code spin}: socket channels that do not, which both ends ask again and again;
 * <li>{@code rsockets}: the same with librdmacm's rsockets, called by Java.
 * </ul>
 */
final class RoundTrips implements Measurement.Side {
    /** What both ends send and receive. */
    static final int BYTES = 64;

    private static final int UNMEASURED = 500; // both ends have slept since the last time, and who was measured then
    private static final long UNMEASURED_NANOS = 2 * Patience.NANOS; // still spins for a while
    private static final int MEASURED = 5000; // as rstream and ib_write_lat are asked to

    private final InetSocketAddress address;
    private final int warmUpSeconds;
    private final String kind;

    /** One end of a connection. */
    interface End extends AutoCloseable {
        /** Sends a message. */
        void send() throws Throwable;

        /** Waits for a message; false at the end of the stream. */
        boolean receive() throws Throwable;
    }

    /** Tells that it listens, before it waits for a connection. */
    interface Listening {
        void now();
    }

    private RoundTrips(String... args) {
        address = new InetSocketAddress(args[0], Integer.parseInt(args[1]));
        warmUpSeconds = Integer.parseInt(args[2]);
        kind = args[3];
    }

    public static void main(String[] args) throws Throwable {
        Measurement.run(new RoundTrips(args), args);
    }

    @Override
    public void serve() throws Throwable {
        Listening listening = () -> System.out.println("listening");
        try (End end = switch (kind) {
            case "rsockets" -> RsocketEnd.accept(address, listening);
            case "spin" -> ChannelEnd.accept(address, listening, false);
            default -> ChannelEnd.accept(address, listening, true);
        }) {
            while (end.receive()) {
                end.send();
            }
        }
    }

    @Override
    public void measure() throws Throwable {
        try (End end = switch (kind) {
            case "rsockets" -> RsocketEnd.connect(address);
            case "spin" -> ChannelEnd.connect(address, false);
            default -> ChannelEnd.connect(address, true);
        }) {
            Measurement.byTurns(warmUpSeconds, () -> measure(end));
        }
    }

    private static String measure(End end) throws Throwable {
        for (long start = System.nanoTime(); System.nanoTime() - start < UNMEASURED_NANOS;) {
            exchange(end, new long[UNMEASURED]);
        }
        long[] nanos = new long[MEASURED];
        exchange(end, nanos);
        Arrays.sort(nanos);
        double mean = Arrays.stream(nanos).average().orElseThrow();
        return String.format("%.2f %.2f", nanos[MEASURED / 2] / 2e3, mean / 2e3);
    }

    private static void exchange(End end, long[] nanos) throws Throwable {
        for (int i = 0; i < nanos.length; i++) {
            long start = System.nanoTime();
            end.send();
            if (!end.receive()) {
                throw new IllegalStateException("the server hung up");
            }
            nanos[i] = System.nanoTime() - start;
        }
    }
}
