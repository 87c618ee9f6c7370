/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.fabric.Waiter;
import java.util.concurrent.locks.LockSupport;

/** Lets one thread at a time sleep until the doorbell thread rings. One per direction of a link. */
final class ThreadWaiter implements Waiter {
    private volatile Thread thread;

    void enter() {
        thread = Thread.currentThread();
    }

    void leave() {
        thread = null;
    }

    /** Sleeps until rung, interrupted, or the deadline; may return for no reason. */
    void sleep(long deadlineNanos) {
        if (deadlineNanos == Long.MAX_VALUE) {
            LockSupport.park(this);
        } else {
            LockSupport.parkNanos(this, deadlineNanos - System.nanoTime());
        }
    }

    @Override
    public void ring(Object source) {
        LockSupport.unpark(thread); // null is allowed
    }
}
