/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.stream;

import io.rsockets4j.core.bell.Bell;
import io.rsockets4j.core.bell.Futex;
import io.rsockets4j.core.fabric.AcceptQueue;
import io.rsockets4j.core.fabric.VirtualThreads;
import io.rsockets4j.core.fabric.Waiter;
import io.rsockets4j.spi.jdk.JdkProvider;
import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Where a blocking accept sleeps until a link or a TCP connection arrives: on a bell, while somebody else watches for
 * TCP clients, or in a JDK selector. A virtual thread parks with the JDK's poller instead, as in an accept of the JDK's
 * own: before JDK 24 a selector would hold its carrier. One thread at a time sleeps; any may wake it or close.
 */
public final class AcceptSleep implements Waiter {
    private static final Consumer<SelectionKey> COUNT_ONLY = key -> { };

    private final AcceptQueue queue;
    private final ServerSocketChannel tcp;
    private final Selector selector; // its key keeps the descriptor open, for virtual threads too
    private final ReentrantLock sleeping = new ReentrantLock(); // as long as bell and descriptor are used
    private final Bell bell;
    private volatile boolean woken; // so that a wakeup before the park is not lost
    private volatile Thread parked; // null or a virtual thread

    /**
     * Prepares to wait.
     *
     * @param queue rings this from now on
     * @param tcp a channel of the JDK's, bound and non-blocking
     * @param bell to sleep on; owned by this from now on
     * @throws IOException if no selector can be had
     */
    public AcceptSleep(AcceptQueue queue, ServerSocketChannel tcp, Bell bell) throws IOException {
        this.queue = queue;
        this.tcp = tcp;
        this.bell = bell;
        Selector opened = null;
        try {
            opened = JdkProvider.get().openSelector();
            tcp.register(opened, SelectionKey.OP_ACCEPT);
        } catch (IOException | RuntimeException e) {
            bell.release();
            if (opened != null) {
                opened.close();
            }
            throw e;
        }
        selector = opened;
        queue.addWaiter(this);
    }

    @Override
    public int bell() {
        return bell.number();
    }

    /**
     * Sleeps until something may have arrived, this is woken or closed, or time is over. An interrupt need not end it.
     *
     * @param deadlineNanos a {@link System#nanoTime} value, or {@link Long#MAX_VALUE} for none
     * @return whether a TCP connection was seen; links are in the queue
     * @throws IOException if the selector or the JDK's poller fails
     */
    public boolean sleep(long deadlineNanos) throws IOException {
        sleeping.lock();
        try {
            return sleepLocked(deadlineNanos);
        } finally {
            sleeping.unlock();
        }
    }

    private boolean sleepLocked(long deadlineNanos) throws IOException {
        if (queue.isClosed()) {
            return false; // the bell may be another's by now
        }
        Futex futex = !VirtualThreads.isVirtual() && queue.watchTcp(tcp) ? Futex.get() : null;
        bell.prepare(futex == null); // a full fence before the looks: pairs with ring
        try {
            long nanos = deadlineNanos == Long.MAX_VALUE ? Long.MAX_VALUE : deadlineNanos - System.nanoTime();
            if (nanos <= 0) {
                return isTcpReady();
            }
            if (queue.arm() || queue.isClosed()) {
                return false;
            }
            if (futex != null) {
                if (!queue.hasTcpClient() && !Thread.currentThread().isInterrupted()) {
                    bell.sleep(futex, nanos);
                }
                queue.pollPending();
                return queue.takeTcpClient() && isTcpReady();
            }
            queue.takeTcpClient();
            return VirtualThreads.isVirtual() ? park(nanos) : select(nanos);
        } catch (ClosedSelectorException e) {
            return false; // the listener is closed, as the caller will see
        } catch (InternalError e) { // of a fault in mapped memory, perhaps
            if (!queue.mend()) {
                throw e;
            }
            return false;
        } finally {
            bell.awake();
        }
    }

    private boolean select(long nanos) throws IOException {
        long millis = nanos == Long.MAX_VALUE ? 0 : TimeUnit.NANOSECONDS.toMillis(nanos) + 1; // 0 is for ever
        return selector.select(COUNT_ONLY, millis) > 0;
    }

    private boolean park(long nanos) throws IOException {
        parked = Thread.currentThread(); // volatile store before the load of woken: pairs with wakeup
        try {
            if (!woken) {
                JdkProvider.parkUntilReadable(tcp, nanos == Long.MAX_VALUE ? 0 : nanos);
            }
        } finally {
            parked = null;
            woken = false;
        }
        return isTcpReady();
    }

    /**
     * Looks for a TCP connection without waiting.
     *
     * @return whether one is there
     * @throws IOException if the selector fails
     */
    public boolean isTcpReady() throws IOException {
        return selector.selectNow(COUNT_ONLY) > 0;
    }

    @Override
    public void wake(Object source) {
        wakeup();
    }

    /** Ends a sleep, if there is one. Any thread, after what shall be seen then. */
    public void wakeup() {
        if (bell.ring() == Bell.ELSEWHERE) { // pairs with prepare
            woken = true; // volatile store before the load of parked: pairs with park
            Thread thread = parked;
            if (thread == null) {
                selector.wakeup();
            } else {
                LockSupport.unpark(thread);
            }
        }
    }

    /**
     * Wakes the sleeper, waits until it has woken, and lets go of the channel, whose descriptor must be open until
     * then: its number may be in use again at once, and so may the bell. The queue is closed, so that nobody sleeps
     * here again.
     *
     * @throws IOException if the selector cannot be closed
     */
    public void close() throws IOException {
        queue.removeWaiter(this);
        wakeup();
        sleeping.lock();
        try {
            selector.close();
        } finally {
            sleeping.unlock();
        }
        bell.release();
    }
}
