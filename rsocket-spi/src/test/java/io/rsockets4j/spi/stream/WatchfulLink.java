/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.stream;

import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.LinkObserver;
import io.rsockets4j.core.fabric.SourceMemory;
import io.rsockets4j.core.fabric.Waiter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A link to nowhere that watches whether its caller keeps the rules of {@link Link}. */
public final class WatchfulLink extends Link {
    /** How often it was closed. */
    public final AtomicInteger closes = new AtomicInteger();
    /** How often the rules were broken. */
    public final AtomicInteger offences = new AtomicInteger();
    /** Each send but the first waits until the output is to end, and fails. */
    public volatile boolean failingOnceShut;
    /** Whether the last close asked for a reset. */
    public volatile boolean aborted;
    /** Thrown by each receive. */
    public volatile IOException failure;
    /** So many bytes can be received, again and again. */
    public volatile int readable;
    /** Each receive waits for it. */
    public volatile CountDownLatch holdReceive;
    /** From which size on buffers are offered, and lent; then sends move nothing until they are reclaimed. */
    public volatile int lendFrom = Integer.MAX_VALUE;
    /** Opened by the first buffer that is lent. */
    public final CountDownLatch lending = new CountDownLatch(1);
    /** Opened when one is lent that was before. */
    public final CountDownLatch lendingAgain = new CountDownLatch(1);
    /** What is lent now, or null. */
    public volatile ByteBuffer lent;
    /** How much of it has gone when it is reclaimed. */
    public volatile int sentOfLent;
    /** Opened by the first buffer that is offered. */
    public final CountDownLatch offering = new CountDownLatch(1);
    /** What is offered now, or null. */
    public volatile ByteBuffer offered;
    /** Opened by the first receive. */
    public final CountDownLatch receiving = new CountDownLatch(1);
    /** Opened by the close. */
    public final CountDownLatch closed = new CountDownLatch(1);
    /** Whether the output had ended when it was closed. */
    public volatile boolean endedFirst;
    /** Whether it is to look whether its peer still lives. */
    public volatile boolean keptAlive;
    /** Whether urgent bytes come among the others. */
    public volatile boolean urgentInline;
    /** Run when someone begins to observe it. */
    public volatile Runnable whenObserved = () -> { };
    private final AtomicInteger sends = new AtomicInteger();
    private final AtomicInteger receivers = new AtomicInteger();
    private final AtomicInteger senders = new AtomicInteger();
    private final CountDownLatch outputEnding = new CountDownLatch(1);
    private volatile boolean outputEnded;
    private volatile boolean closing;

    /** Opens a link. */
    public WatchfulLink() {
        super(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 2));
    }

    @Override
    public String path() {
        return "fake";
    }

    @Override
    public void observe(LinkObserver observer) {
        whenObserved.run();
    }

    @Override
    public void keepAlive(boolean on) {
        keptAlive = on;
    }

    @Override
    public void urgentInline(boolean on) {
        urgentInline = on;
    }

    @Override
    public int receive(ByteBuffer dst) throws IOException {
        enter(receivers);
        try {
            receiving.countDown();
            hold(holdReceive);
            if (failure != null) {
                throw failure;
            }
            int n = Math.min(readable, dst.remaining());
            dst.position(dst.position() + n);
            if (n > 0) {
                offered = null;
            }
            return n;
        } finally {
            leave(receivers);
        }
    }

    private static void hold(CountDownLatch latch) throws IOException {
        if (latch != null) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }

    @Override
    public int send(ByteBuffer src) throws IOException {
        enter(senders);
        try {
            if (failingOnceShut && sends.get() > 0) {
                hold(outputEnding);
                throw new IOException("Broken pipe");
            }
            int n = lent == null ? Math.min(1, src.remaining()) : 0;
            src.position(src.position() + n);
            sends.incrementAndGet();
            return n;
        } finally {
            leave(senders);
        }
    }

    @Override
    public int directMinBytes() {
        return lendFrom;
    }

    @Override
    public boolean offer(ByteBuffer dst, boolean waitAll) {
        enter(receivers);
        offered = dst;
        offering.countDown();
        leave(receivers);
        return true;
    }

    @Override
    public int takeBack() {
        enter(receivers);
        offered = null;
        leave(receivers);
        return 0;
    }

    @Override
    public boolean lend(ByteBuffer src, SourceMemory.Part of) {
        enter(senders);
        if (lent == src) {
            lendingAgain.countDown();
        }
        lent = src;
        lending.countDown();
        leave(senders);
        return true;
    }

    @Override
    public int reclaim() {
        enter(senders);
        int sent = lent == null ? 0 : sentOfLent;
        lent = null;
        leave(senders);
        return sent;
    }

    /**
     * Waits, without letting go of the core.
     *
     * @param count of sends that are to have been made
     */
    public void awaitSends(int count) {
        while (sends.get() < count) {
            Thread.onSpinWait();
        }
    }

    private void enter(AtomicInteger direction) {
        if (direction.incrementAndGet() != 1 || closes.get() != 0) {
            offences.incrementAndGet();
        }
    }

    private void leave(AtomicInteger direction) {
        if (closes.get() != 0) {
            offences.incrementAndGet();
        }
        direction.decrementAndGet();
    }

    @Override
    public boolean isKnownReady(int op) {
        return isReady(op);
    }

    @Override
    public boolean isReady(int op) {
        return true;
    }

    @Override
    public int available() {
        return readable;
    }

    @Override
    public boolean spin(int op) {
        return false;
    }

    @Override
    public synchronized boolean sleep(int op, long deadlineNanos) {
        if (op == SelectionKey.OP_WRITE) {
            return !closing;
        }
        try {
            while (!closing && readable == 0 && deadlineNanos - System.nanoTime() > 0) {
                wait(1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // as a link must: it ends the wait and stays set
        }
        return readable > 0 && !closing;
    }

    @Override
    public synchronized void wake() {
        notifyAll();
    }

    @Override
    public void arm(int ops, Waiter waiter) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void disarm(Waiter waiter) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean beginShutdownOutput() {
        boolean begins = set(OUTPUT_SHUT, CLOSING);
        closing = true;
        outputEnding.countDown();
        return begins;
    }

    @Override
    public void shutdownOutput() {
        outputEnded = true;
        if (senders.get() != 0) {
            offences.incrementAndGet();
        }
    }

    @Override
    public void shutdownInput() {
        set(INPUT_SHUT, CLOSING);
        closing = true;
    }

    @Override
    public void endInput() {
        closing = true;
    }

    @Override
    public synchronized void beginClose() {
        set(CLOSING, 0);
        closing = true;
        notifyAll();
    }

    @Override
    public void close(boolean abort) {
        aborted = abort;
        endedFirst = outputEnded;
        if (closes.incrementAndGet() != 1 || receivers.get() != 0 || senders.get() != 0) {
            offences.incrementAndGet();
        }
        closed.countDown();
    }
}
