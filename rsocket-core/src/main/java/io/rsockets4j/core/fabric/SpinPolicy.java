/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import io.rsockets4j.core.thread.NanoTime;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.LongToIntFunction;

/**
 * Decides whether a waiting thread may spin before it sleeps. Shared by all waits of a process. Thread-safe.
 *
 * <p>Spinning pays only on a core that nobody else wants. So a thread spins only while no more threads run on the
 * machine than it has cores, and no more of this process spin than half of the cores that it may use; none on one core,
 * and none on virtual threads, whose carriers others need. Each wait adds its own experience; see {@link SpinHistory}.
 */
public final class SpinPolicy {
    private final long maxNanos;
    private final int processors;
    private final int spinnerLimit;
    private final int cores;
    private final LongSupplier nanoTime;
    private final LongToIntFunction runnable;
    private final YieldPolicy yields; // null where nobody yields
    private final BooleanSupplier coreFree = new CoreFree(this);
    private final AtomicInteger spinners = new AtomicInteger();

    /**
     * Creates a policy.
     *
     * @param maxNanos the longest spin, in nanoseconds; 0 never spins
     * @param processors how many cores this process may use
     */
    public SpinPolicy(long maxNanos, int processors) {
        this(maxNanos, processors, Math.max(processors, HostCores.count()), new NanoTime(),
                new RunnableThreads());
    }

    SpinPolicy(long maxNanos, int processors, int cores, LongSupplier nanoTime, LongToIntFunction runnable) {
        this(processors > 1 ? maxNanos : 0, processors, Math.max(1, processors / 2), cores, nanoTime, runnable,
                new YieldPolicy(runnable));
    }

    private SpinPolicy(long maxNanos, int processors, int spinnerLimit, int cores, LongSupplier nanoTime,
            LongToIntFunction runnable, YieldPolicy yields) {
        this.maxNanos = maxNanos;
        this.processors = processors;
        this.spinnerLimit = spinnerLimit;
        this.cores = cores;
        this.nanoTime = nanoTime;
        this.runnable = runnable;
        this.yields = yields;
    }

    /**
     * A policy for waits whose sleep costs as much as many spins, as over RDMA, where a device and the kernel have to
     * wake the sleeper: it does not ask who else runs, lets as many spin as there are cores, and lets none yield.
     *
     * @return with a count of its own
     */
    public SpinPolicy onAnyCore() {
        return new SpinPolicy(maxNanos, processors, processors, Integer.MAX_VALUE, nanoTime, now -> 1, null);
    }

    /**
     * The longest spin.
     *
     * @return nanoseconds; 0 never spins
     */
    public long maxNanos() {
        return maxNanos;
    }

    /** Who decides on yields, or null where nobody yields. */
    YieldPolicy yields() {
        return yields;
    }

    /** The present, as {@link System#nanoTime}. */
    long nanoTime() {
        return nanoTime.getAsLong();
    }

    /**
     * Enters a spin, if the calling thread may spin now.
     *
     * @param nowNanos the present {@link System#nanoTime}
     * @return false when it may not; otherwise {@link #end} must be called
     */
    boolean begin(long nowNanos) {
        if (maxNanos == 0 || !isCoreFree(nowNanos) || VirtualThreads.isVirtual()) {
            return false;
        }
        if (spinners.incrementAndGet() > spinnerLimit) {
            spinners.decrementAndGet();
            return false;
        }
        return true;
    }

    /**
     * Whether no more threads run on the machine than it has cores.
     *
     * @param nowNanos the present {@link System#nanoTime}
     * @return as of a millisecond ago at most
     */
    public boolean isCoreFree(long nowNanos) {
        return runnable.applyAsInt(nowNanos) <= cores;
    }

    /**
     * Asks {@link #isCoreFree} at the time of each call.
     *
     * @return always the same one
     */
    public BooleanSupplier coreFree() {
        return coreFree;
    }

    /** No lambda, whose machinery takes a young process long. */
    private record CoreFree(SpinPolicy policy) implements BooleanSupplier {
        @Override
        public boolean getAsBoolean() {
            return policy.isCoreFree(policy.nanoTime());
        }
    }

    /** Leaves a spin that {@link #begin} allowed. */
    void end() {
        spinners.decrementAndGet();
    }
}
