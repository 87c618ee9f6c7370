/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Decides how long a waiting thread may spin before it parks. Shared by all waits of a process. Thread-safe.
 *
 * <p>Spinning pays only while the peer runs on another core at the same time. So: no spinning on one core, none while
 * as many threads spin as there are cores, none on virtual threads, whose carriers others need. Each wait adds its own
 * experience; see {@link SpinHistory}.
 */
public final class SpinPolicy {
    private static final long TOGETHER_NANOS = 10_000_000;
    private static final long CROWDED_NANOS = 50_000_000;

    private final long maxNanos;
    private final int spinnerLimit;
    private final LongSupplier nanoTime;
    private final AtomicInteger spinners = new AtomicInteger();
    // hints, written by any waiter without a lock: a lost update costs a spin
    private volatile int lastFailed;
    private volatile long lastFailedNanos;
    private volatile long crowdedUntilNanos;

    /**
     * Creates a policy.
     *
     * @param maxNanos the longest spin, in nanoseconds; 0 never spins
     * @param processors how many cores this process may use
     */
    public SpinPolicy(long maxNanos, int processors) {
        this(maxNanos, processors, System::nanoTime);
    }

    SpinPolicy(long maxNanos, int processors, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        lastFailedNanos = nanoTime.getAsLong();
        crowdedUntilNanos = lastFailedNanos;
        this.maxNanos = processors > 1 ? maxNanos : 0;
        this.spinnerLimit = processors;
    }

    /**
     * The longest spin.
     *
     * @return nanoseconds; 0 never spins
     */
    public long maxNanos() {
        return maxNanos;
    }

    /** The present, as {@link System#nanoTime}. */
    long nanoTime() {
        return nanoTime.getAsLong();
    }

    /**
     * Enters a spin.
     *
     * @return its budget in nanoseconds; when it is not positive {@link #end} must not be called
     */
    public long begin() {
        if (maxNanos == 0 || VirtualThreads.isVirtual()) {
            return 0;
        }
        if (spinners.incrementAndGet() > spinnerLimit) {
            spinners.decrementAndGet();
            return 0;
        }
        return maxNanos;
    }

    /**
     * A full spin was in vain, and what was waited for came as soon as the thread slept. If this happens to two threads
     * at about the same time, the process is crowded.
     *
     * @param thread tells the waiting threads apart, most of the time
     * @param nowNanos the present {@link System#nanoTime}
     */
    void failedForWantOfACore(int thread, long nowNanos) {
        if (lastFailed != thread && nowNanos - lastFailedNanos < TOGETHER_NANOS) {
            crowdedUntilNanos = nowNanos + CROWDED_NANOS;
        }
        lastFailed = thread;
        lastFailedNanos = nowNanos;
    }

    /**
     * Whether more threads are at work than there are cores, as far as is known.
     *
     * @param nowNanos the present {@link System#nanoTime}
     * @return true to sleep rather than to spin
     */
    boolean isCrowded(long nowNanos) {
        return nowNanos - crowdedUntilNanos < 0;
    }

    /** Leaves a spin that {@link #begin} allowed. */
    public void end() {
        spinners.decrementAndGet();
    }
}
