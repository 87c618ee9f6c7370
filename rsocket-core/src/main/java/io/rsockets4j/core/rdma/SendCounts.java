/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * How many work requests a send queue has posted, and how many of those have completed: so how many slots are free, and
 * which one is to tell. Under the send queue's lock, but for {@link #complete} and {@link #completed}.
 */
final class SendCounts {
    private static final int SIGNAL_EVERY = 16;
    private static final VarHandle POSTED;
    private static final VarHandle COMPLETED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            POSTED = lookup.findVarHandle(SendCounts.class, "posted", long.class);
            COMPLETED = lookup.findVarHandle(SendCounts.class, "completed", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private long posted; // written under lock
    private volatile long completed; // of those; written by whoever polls, and under lock
    private long signalled; // the count after the last one that was

    /** How many have been posted. */
    long posted() {
        return posted;
    }

    /** One more is about to be posted. Returns the count with it. */
    long post() {
        long count = posted + 1;
        POSTED.setRelease(this, count); // before it is posted: pairs with complete
        return count;
    }

    /**
     * One has completed, and all before it. Whoever polls; without the lock.
     *
     * @param value of its identifier
     * @return false if it is none of those counted here
     */
    boolean complete(int value) {
        long before;
        long count;
        do {
            before = completed;
            count = before + WorkRequestIds.distance(value, before);
            if (count > (long) POSTED.getAcquire(this)) {
                return false; // the first message of a link that waited
            }
        } while (!COMPLETED.compareAndSet(this, before, count)); // unless another link takes over
        return true;
    }

    /** How many have completed. Any thread. */
    long completed() {
        return completed;
    }

    /** Whether so many have completed. */
    boolean hasCompleted(long count) {
        return completed >= count;
    }

    /** How many have been posted, of which it is not known that they have completed. */
    long unacknowledged() {
        return posted - completed;
    }

    /** Whether there is a slot for one more. */
    boolean hasSlot() {
        return unacknowledged() < QueueSizes.SENDS;
    }

    /** Whether the one that was posted last should tell of its completion, as none of the last ones does. */
    boolean isSignalDue() {
        return posted - signalled >= SIGNAL_EVERY;
    }

    /** The one that was posted last tells of its completion. */
    void signal() {
        signalled = posted;
    }

    /** The count after the last one that tells of its completion. */
    long signalled() {
        return signalled;
    }

    /** Another link takes over: of the work requests of the one before nothing will be heard. */
    void restart() {
        signalled = posted;
        completed = posted;
    }
}
