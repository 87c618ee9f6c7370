/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Decides how long a waiting thread may spin before it parks. Shared by all waits of a process. Thread-safe.
 *
 * <p>Spinning pays only while the peer runs on another core at the same time. So: no spinning on one core, none while
 * as many threads spin as there are cores, none on virtual threads, whose carriers others need. Each wait adds its own
 * experience; see {@link SpinHistory}.
 */
public final class SpinPolicy {
    private final long maxNanos;
    private final int spinnerLimit;
    private final AtomicInteger spinners = new AtomicInteger();

    /**
     * Creates a policy.
     *
     * @param maxNanos the longest spin, in nanoseconds; 0 never spins
     * @param processors how many cores this process may use
     */
    public SpinPolicy(long maxNanos, int processors) {
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

    /** Leaves a spin that {@link #begin} allowed. */
    public void end() {
        spinners.decrementAndGet();
    }
}
