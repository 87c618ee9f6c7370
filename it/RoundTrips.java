/* SPDX-License-Identifier: Apache-2.0 */

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;

/**
 * How long 64 bytes take from one socket to another: half of a round trip, the median and the mean in microseconds, by
 * {@link Measurement#byTurns turns}. Both ends are processes of their own with the same options, such as the agent's.
 * Run as a source file: RoundTrips.java ADDRESS PORT SECONDS KIND..., where the seconds are how long it warms up, and a
 * kind is
 *
 * <ul>
 * <li>{@code block}: socket channels that block;
 * <li>{@code spin}: socket channels that do not, which both ends ask again and again;
 * <li>{@code rsockets}: the same with librdmacm's rsockets, called by Java.
 * </ul>
 *
 * Several kinds are measured in the same two processes, at neighbouring ports: some hundred messages of one, then of
 * the next. Processes that do the same differ from each other by some per cent, and a host from one second to the
 * next; so they share both.
 */
final class RoundTrips implements Measurement.Side {
    /** What both ends send and receive. */
    static final int BYTES = 64;

    private static final int BLOCK = 500; // messages of a kind, before the next has its turn
    private static final int BLOCKS = 10; // 5,000 messages, as rstream and ib_write_lat are asked to
    private static final long UNMEASURED_NANOS = 2 * Patience.NANOS; // both ends have slept, and others still spin

    private final InetSocketAddress address;
    private final int warmUpSeconds;
    private final List<String> kinds;

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
        kinds = List.of(args).subList(3, args.length).stream().filter(kind -> !kind.equals(Measurement.SERVE)).toList();
    }

    public static void main(String[] args) throws Throwable {
        Measurement.run(new RoundTrips(args), args);
    }

    @Override
    public void serve() throws Throwable {
        List<CompletableFuture<End>> accepts = new ArrayList<>();
        CountDownLatch listening = new CountDownLatch(kinds.size());
        for (int i = 0; i < kinds.size(); i++) {
            accepts.add(startAccept(kinds.get(i), address(i), listening));
        }
        listening.await();
        System.out.println("listening");
        List<End> ends = accepts.stream().map(CompletableFuture::join).toList();
        while (answerBlocks(ends)) {
            continue;
        }
        for (End end : ends) {
            end.close();
        }
    }

    private static boolean answerBlocks(List<End> ends) throws Throwable {
        for (End end : ends) {
            for (int i = 0; i < BLOCK; i++) {
                if (!end.receive()) {
                    return false;
                }
                end.send();
            }
        }
        return true;
    }

    @Override
    public void measure() throws Throwable {
        List<End> ends = new ArrayList<>();
        for (int i = 0; i < kinds.size(); i++) {
            ends.add(connect(kinds.get(i), address(i)));
        }
        Measurement.byTurns(warmUpSeconds, () -> measure(ends));
        for (End end : ends) {
            end.close();
        }
    }

    private InetSocketAddress address(int index) {
        return new InetSocketAddress(address.getAddress(), address.getPort() + index);
    }

    private static CompletableFuture<End> startAccept(String kind, InetSocketAddress address,
            CountDownLatch listening) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return accept(kind, address, listening::countDown);
            } catch (Throwable e) {
                listening.countDown();
                throw new CompletionException(e);
            }
        }, task -> new Thread(task, "accept " + kind).start());
    }

    private static End accept(String kind, InetSocketAddress address, Listening listening) throws Throwable {
        return switch (kind) {
            case "rsockets" -> RsocketEnd.accept(address, listening);
            case "spin" -> ChannelEnd.accept(address, listening, false);
            default -> ChannelEnd.accept(address, listening, true);
        };
    }

    private static End connect(String kind, InetSocketAddress address) throws Throwable {
        return switch (kind) {
            case "rsockets" -> RsocketEnd.connect(address);
            case "spin" -> ChannelEnd.connect(address, false);
            default -> ChannelEnd.connect(address, true);
        };
    }

    private static String measure(List<End> ends) throws Throwable {
        long[][] nanos = new long[ends.size()][BLOCK * BLOCKS];
        for (long start = System.nanoTime(); System.nanoTime() - start < UNMEASURED_NANOS;) {
            exchangeBlocks(ends, nanos, 0);
        }
        for (int block = 0; block < BLOCKS; block++) {
            exchangeBlocks(ends, nanos, block);
        }
        List<String> figures = new ArrayList<>();
        for (long[] each : nanos) {
            Arrays.sort(each);
            double mean = Arrays.stream(each).average().orElseThrow();
            figures.add(String.format("%.2f %.2f", each[each.length / 2] / 2e3, mean / 2e3));
        }
        return String.join(" ", figures);
    }

    private static void exchangeBlocks(List<End> ends, long[][] nanos, int block) throws Throwable {
        for (int kind = 0; kind < nanos.length; kind++) {
            exchange(ends.get(kind), nanos[kind], block * BLOCK);
        }
    }

    private static void exchange(End end, long[] nanos, int from) throws Throwable {
        for (int i = from; i < from + BLOCK; i++) {
            long start = System.nanoTime();
            end.send();
            if (!end.receive()) {
                throw new IllegalStateException("the server hung up");
            }
            nanos[i] = System.nanoTime() - start;
        }
    }
}
