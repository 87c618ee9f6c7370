/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import java.util.concurrent.locks.LockSupport;

/** Lets one thread at a time sleep until a thread of this process wakes it. One per direction of a link. */
public final class ThreadWaiter implements Waiter {
    private volatile Thread thread;
    private int bell; // of the thread that sleeps

    ThreadWaiter() { }

    /**
     * The calling thread is going to sleep; arm this waiter next.
     *
     * @param number of the bell that peers ring for it, or 0
     */
    public void enter(int number) {
        bell = number;
        thread = Thread.currentThread();
    }

    /** The calling thread will not sleep any more. */
    public void leave() {
        thread = null;
    }

    /**
     * Sleeps until woken, interrupted, or the deadline; may return for no reason.
     *
     * @param deadlineNanos a {@link System#nanoTime} value, or {@link Long#MAX_VALUE} for none
     */
    public void sleep(long deadlineNanos) {
        if (deadlineNanos == Long.MAX_VALUE) {
            LockSupport.park(this);
        } else {
            LockSupport.parkNanos(this, deadlineNanos - System.nanoTime());
        }
    }

    @Override
    public int bell() {
        return bell;
    }

    @Override
    public void wake(Object source) {
        LockSupport.unpark(thread); // null is allowed
    }
}
