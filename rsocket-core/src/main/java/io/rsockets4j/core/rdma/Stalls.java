/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The send queues of a {@link CompletionPoller}'s connections that have no credit yet, or no slot, for what is due: the
 * next completion brings that, and somebody has to serve it soon, even if the program turns to other work. So the
 * completion thread may only look seldom while there are none; a send queue that stalls meanwhile wakes it, and it has
 * the completion queue armed. Thread-safe, without a lock: counting, then looking whether looks are seldom; saying that
 * they will be, then looking at the count. So none is missed.
 */
final class Stalls {
    private final Runnable wake;
    private final AtomicInteger stalled = new AtomicInteger();
    private volatile boolean began; // since the last look; written by whoever stalls, and the completion thread
    private volatile boolean pollsSeldom; // written by the same
    private volatile boolean unattended; // one began while looks were seldom; written by the same

    /**
     * Nothing stalls yet.
     *
     * @param wake wakes the completion thread; called by whoever stalls, under locks, and must not wait
     */
    Stalls(Runnable wake) {
        this.wake = wake;
    }

    /** A send queue has stalled. Under its lock. */
    void begin() {
        began = true;
        stalled.incrementAndGet(); // before the load of pollsSeldom: pairs with mayPollSeldom
        if (pollsSeldom) {
            pollsSeldom = false; // once is enough until the next look
            unattended = true; // before the wake-up, after which the thread loads it
            wake.run();
        }
    }

    /** A send queue has posted all, or never will. Under its lock. */
    void end() {
        stalled.decrementAndGet();
    }

    /** The completion thread is about to wait. Returns whether it may do so for long. */
    boolean mayPollSeldom() {
        boolean none = !began && stalled.get() == 0;
        began = false;
        pollsSeldom = none; // before the load of the count: pairs with begin
        if (none && stalled.get() > 0) {
            pollsSeldom = false;
            return false;
        }
        return none;
    }

    /** Whether a send queue has stalled while looks were seldom: the completion thread has to have the queue armed. */
    boolean areUnattended() {
        return unattended;
    }

    /** The completion thread is about to have the queue armed: its event comes first, then a look. */
    void attended() {
        unattended = false;
        pollsSeldom = false;
    }
}
