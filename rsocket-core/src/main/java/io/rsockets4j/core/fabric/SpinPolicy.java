/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Decides how long a waiting thread may spin before it parks. Shared by all waits of a process.
 *
 * <p>Spinning pays only while the peer runs on another core at the same time. So: no spinning on one core; none while
 * as many threads spin as there are cores; little on virtual threads, whose carriers others need. Per call the caller
 * adds its own history (see {@code SpinHistory}).
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
     * Enters a spin.
     *
     * @return its budget in nanoseconds; when it is not positive {@link #end} must not be called
     */
    public long begin() {
        if (maxNanos == 0 || spinners.get() >= spinnerLimit) {
            return 0;
        }
        spinners.incrementAndGet();
        return maxNanos;
    }

    /**
     * Leaves a spin that {@link #begin} allowed.
     *
     * @param successful whether what was waited for came
     */
    public void end(boolean successful) {
        spinners.decrementAndGet();
    }
}
