/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import java.io.IOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The result of what a thread of a fabric does for others: a value, or why there is none. The first one counts.
 * Thread-safe.
 *
 * <p>It is no CompletableFuture, as that takes a young process long to load.
 *
 * @param <T> the value
 */
public final class Outcome<T> {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    private T value; // guarded by lock
    private Exception failure; // guarded by lock
    private Waiter waiter; // guarded by lock: woken as well, or null
    private volatile boolean done; // written under lock, after the others

    /** Creates one that has not come yet. */
    public Outcome() { }

    /**
     * It has worked. Never blocks.
     *
     * @param result the value, may be null
     * @return false if it has ended before
     */
    public boolean complete(T result) {
        return end(result, null);
    }

    /**
     * It has not worked. Never blocks.
     *
     * @param cause why, not null
     * @return false if it has ended before
     */
    public boolean fail(Exception cause) {
        return end(null, cause);
    }

    private boolean end(T result, Exception cause) {
        lock.lock();
        try {
            if (done) {
                return false;
            }
            value = result;
            failure = cause;
            done = true;
            ended.signalAll();
            if (waiter != null) {
                waiter.wake(this);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Has one more woken when it ends, who looks at {@link #isDone} afterwards.
     *
     * @param woken whoever waits elsewhere, from now on alone; null for nobody any more
     */
    public void wakes(Waiter woken) {
        lock.lock();
        try {
            waiter = woken;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Whether it has ended, well or not.
     *
     * @return once true, always
     */
    public boolean isDone() {
        return done;
    }

    /**
     * The value, if it is there.
     *
     * @return null as long as it is not, and where there will be none
     */
    public T valueNow() {
        return done ? value : null; // done is volatile and written last
    }

    /**
     * Waits for the value without being disturbed by interrupts, whose status is kept.
     *
     * @param deadlineNanos a {@link System#nanoTime} value
     * @return the value
     * @throws IOException if it has not worked, with the cause, or if it takes too long
     */
    public T await(long deadlineNanos) throws IOException {
        boolean interrupted = false;
        lock.lock();
        try {
            while (!done) {
                try {
                    if (ended.awaitNanos(deadlineNanos - System.nanoTime()) <= 0 && !done) {
                        throw new PathException(Reason.TIMEOUT, "the peer did not answer in time");
                    }
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (failure != null) {
                throw new IOException(failure.getMessage(), failure);
            }
            return value;
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
