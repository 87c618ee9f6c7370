/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.fabric.Waiter;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Lets one thread at a time sleep on a lane of its own, so that the peer wakes it with a single byte and no other
 * thread in between. Lent by a {@link Session} for the length of one wait.
 */
final class LaneParker implements Waiter {
    /**
     * JDK 17's Thread.interrupt looks whom to wake before it sets the status, 25's afterwards: an interrupt may come
     * unseen between a selector's look at the status and its sleep. So there a sleep ends now and then. 0 is for ever.
     */
    private static final long LONGEST_SLEEP_MILLIS = Runtime.version().feature() < 25 ? 5_000 : 0;

    private final Session session;
    private final Lane lane;
    private final Selector selector;
    private final Consumer<SelectionKey> drain; // rather than a set of selected keys, which would allocate

    LaneParker(Session session, Lane lane) throws IOException {
        this.session = session;
        this.lane = lane;
        this.selector = JdkChannels.openSelector();
        this.drain = key -> lane.drain();
        lane.channel().register(selector, SelectionKey.OP_READ);
    }

    int lane() {
        return lane.index();
    }

    /** Wakes the sleeper from within this process. */
    @Override
    public void ring(Object source) {
        selector.wakeup();
    }

    /** Says that the calling thread is about to {@link #sleep}; it looks at its condition in between. */
    void prepare() {
        session.park(lane.index());
    }

    /** Sleeps until rung, interrupted, or the deadline; may return for no reason. */
    void sleep(long deadlineNanos) {
        try {
            if (deadlineNanos == Long.MAX_VALUE) {
                selector.select(drain, LONGEST_SLEEP_MILLIS);
                return;
            }
            long nanos = deadlineNanos - System.nanoTime();
            if (nanos > 0) {
                selector.select(drain, TimeUnit.NANOSECONDS.toMillis(nanos) + 1);
            }
        } catch (IOException e) {
            throw new IllegalStateException("the selector of a parked thread broke", e);
        }
    }

    /** Ends a wait that {@link #prepare} began. */
    void awake() {
        session.unpark(lane.index());
    }

    void close() {
        try {
            selector.close();
        } catch (IOException e) {
            throw new IllegalStateException("the selector of a parked thread broke", e);
        }
    }
}
