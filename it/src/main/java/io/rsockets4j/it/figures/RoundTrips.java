/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.figures;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;

/**
 * How long 64 bytes take from one socket to another: half of a round trip, the median and the mean in microseconds, by
 * {@link Figures#byTurns turns}.
 *
 * <p>Several transports are measured in the same two processes, at neighbouring ports: some hundred messages of one,
 * then of the next. Processes that do the same differ from each other by some per cent, and a host from one second to
 * the next; so they share both.
 */
final class RoundTrips implements Figures.Side {
    private static final int BYTES = 64;
    private static final int BLOCK = 500; // messages of a transport, before the next has its turn
    private static final int BLOCKS = 10; // 5,000 messages, as rstream and ib_write_lat are asked to
    private static final long UNMEASURED_NANOS = 2 * Patience.NANOS; // both ends have slept, and others still spin

    private final InetSocketAddress address;
    private final int warmUpSeconds;
    private final List<Transport> transports;

    RoundTrips(InetSocketAddress address, int warmUpSeconds, List<Transport> transports) {
        this.address = address;
        this.warmUpSeconds = warmUpSeconds;
        this.transports = transports;
    }

    @Override
    public void serve() throws Throwable {
        List<CompletableFuture<Transport.End>> accepts = new ArrayList<>();
        CountDownLatch listening = new CountDownLatch(transports.size());
        for (int i = 0; i < transports.size(); i++) {
            accepts.add(startAccept(transports.get(i), address(i), listening));
        }
        listening.await();
        System.out.println("listening");
        List<Transport.End> ends = accepts.stream().map(CompletableFuture::join).toList();
        while (answerBlocks(ends)) {
            continue;
        }
        for (Transport.End end : ends) {
            end.close();
        }
    }

    private static CompletableFuture<Transport.End> startAccept(
            Transport transport, InetSocketAddress address, CountDownLatch listening) {
        return CompletableFuture.supplyAsync(() -> {
            try (Transport.Acceptor listener = transport.listen(address, BYTES)) {
                listening.countDown();
                return listener.accept();
            } catch (Throwable e) {
                listening.countDown();
                throw new CompletionException(e);
            }
        }, task -> new Thread(task, "accept").start());
    }

    private static boolean answerBlocks(List<Transport.End> ends) throws Throwable {
        for (Transport.End end : ends) {
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
        List<Transport.End> ends = new ArrayList<>();
        for (int i = 0; i < transports.size(); i++) {
            ends.add(transports.get(i).connect(address(i), BYTES));
        }
        Figures.byTurns(warmUpSeconds, () -> measure(ends));
        for (Transport.End end : ends) {
            end.close();
        }
    }

    private InetSocketAddress address(int index) {
        return new InetSocketAddress(address.getAddress(), address.getPort() + index);
    }

    private static String measure(List<Transport.End> ends) throws Throwable {
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

    private static void exchangeBlocks(List<Transport.End> ends, long[][] nanos, int block) throws Throwable {
        for (int i = 0; i < nanos.length; i++) {
            exchange(ends.get(i), nanos[i], block * BLOCK);
        }
    }

    private static void exchange(Transport.End end, long[] nanos, int from) throws Throwable {
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
