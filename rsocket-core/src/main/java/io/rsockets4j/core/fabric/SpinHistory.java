/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

/**
 * How well spinning has paid on one direction of one link, and the spin itself. Used by one thread at a time.
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
        long budget = policy.begin();
        if (budget <= 0) {
            return false;
        }
        boolean ready = poll(link, op, paced, budget >> shift);
        policy.end();
        shift = ready ? 0 : Math.min(shift + 1, MAX_SHIFT);
        return ready;
    }

    private static boolean poll(Link link, int op, boolean paced, long budget) {
        int pauses = paced ? PACED_PAUSES : 1;
        long started = System.nanoTime();
        for (;;) {
            for (int i = 0; i < POLLS_PER_CLOCK; i += pauses) {
                if (link.isReady(op)) {
                    return true;
                }
                for (int j = 0; j < pauses; j++) {
                    Thread.onSpinWait();
                }
            }
            long now = System.nanoTime();
            if (now - started > budget) {
                return link.isReady(op);
            }
            if (now - started > YIELD_AFTER_NANOS) {
                Thread.yield();
                if (System.nanoTime() - now > CONTENDED_NANOS) {
                    return link.isReady(op);
                }
            }
        }
    }
}
