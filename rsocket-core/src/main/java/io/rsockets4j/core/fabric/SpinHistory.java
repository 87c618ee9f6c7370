/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

/**
 * How well spinning has paid for one waiter, such as one direction of one link, and the spin itself. Used by one
 * thread at a time.
 *
 * <p>First the thread polls without letting go of its core; then it yields between polls. A yield that takes long
 * shows that other threads want the core, perhaps the very peer that is waited for: then spinning ends. Spins that end
 * in vain halve the next budget, a success restores it.
 */
public final class SpinHistory {
    private static final int POLLS_PER_CLOCK = 32;
    private static final int PACED_PAUSES = 16;
    private static final long YIELD_AFTER_NANOS = 10_000;
    private static final long CONTENDED_NANOS = 15_000;
    private static final int MAX_SHIFT = 6;

    private final SpinPolicy policy;
    private int shift;
    private long startedNanos;

    /**
     * Creates a history without experience.
     *
     * @param policy what the process allows
     */
    public SpinHistory(SpinPolicy policy) {
        this.policy = policy;
    }

    /**
     * Spins until an operation is ready or the budget is used.
     *
     * @param link what to poll
     * @param op {@code OP_READ} or {@code OP_WRITE}
     * @param paced polls less often: for a one-way stream, where each poll costs the sender a cache miss
     * @return whether it became ready
     */
    public boolean spin(Link link, int op, boolean paced) {
        if (link.isReady(op)) {
            return true;
        }
        long budget = begin();
        if (budget <= 0) {
            return false;
        }
        boolean ready = poll(link, op, paced, budget);
        end(ready);
        return ready;
    }

    /**
     * Enters a wait, and a spin if that may pay.
     *
     * @return the budget in nanoseconds; when it is not positive {@link #end} must not be called
     */
    public long begin() {
        startedNanos = System.nanoTime();
        long budget = policy.begin();
        return budget <= 0 ? 0 : Math.max(1, budget >> shift);
    }

    /**
     * Leaves a spin that {@link #begin} allowed.
     *
     * @param successful whether what was waited for came
     */
    public void end(boolean successful) {
        policy.end();
        shift = successful ? 0 : Math.min(shift + 1, MAX_SHIFT);
    }

    /**
     * What was waited for came after the spin, while the thread slept. If a full spin would have seen it, the next one
     * is a full one: else two sides that sleep for each other would never find out that spinning pays.
     */
    public void slept() {
        if (System.nanoTime() - startedNanos < policy.maxNanos()) {
            shift = 0;
        }
    }

    private boolean poll(Link link, int op, boolean paced, long budget) {
        int pauses = paced ? PACED_PAUSES : 1;
        for (;;) {
            for (int i = 0; i < POLLS_PER_CLOCK; i += pauses) {
                if (link.isReady(op)) {
                    return true;
                }
                for (int j = 0; j < pauses; j++) {
                    Thread.onSpinWait();
                }
            }
            if (!mayGoOn(budget)) {
                return link.isReady(op);
            }
        }
    }

    /**
     * Looks at the clock between polls, and lets others have the core for a moment once the spin is no longer young.
     *
     * @param budgetNanos what {@link #begin} returned
     * @return false when the spin has to end
     */
    public boolean mayGoOn(long budgetNanos) {
        long now = System.nanoTime();
        if (now - startedNanos > budgetNanos) {
            return false;
        }
        if (now - startedNanos <= YIELD_AFTER_NANOS) {
            return true;
        }
        Thread.yield();
        return System.nanoTime() - now <= CONTENDED_NANOS;
    }
}
