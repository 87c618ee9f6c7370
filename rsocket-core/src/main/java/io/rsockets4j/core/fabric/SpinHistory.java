/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

/**
 * What one kind of wait has learned about spinning: one per direction of a link, and per selector. Used by the waiting
 * thread alone, except where noted, and then as a hint.
 *
 * <p>If the event comes during the spin, the next spin is a full one. If it comes long after the spin, the next one is
 * half as long. If it comes as soon as the thread sleeps, the peer needed this core: the thread rests for a number of
 * waits, which doubles each time this happens again; see record 18 for the long spin now and then. After a pause the
 * thread does not spin at all: the peer most likely sleeps too.
 */
public final class SpinHistory {
    private static final int POLLS_PER_CLOCK = 32;
    private static final int YIELDS_PER_COUNT = 16;
    private static final int PACED_PAUSES = 16;
    private static final int IDLE_SPINS = 10; // this many longest spins between two waits are a pause
    private static final int MAX_SHIFT = 5;
    private static final int MAX_REST = 63;
    private static final int MAX_YIELD_REST = 255; // a yield may take milliseconds: too seldom for the 99th percentile
    private static final int FAILURES_BEFORE_LONG_SPIN = 4;
    private static final int MOST_FAILURES = 1024; // before a long spin, four times as many after each
    private static final int SUCCESSES_AFTER_MOVE = 1024; // in a row: the two threads have a core each
    /** How often a thread yields before it sleeps: the second time where the first was too early. */
    public static final int YIELDS = 2;
    static final long LONG_NANOS = 6_000_000; // a tick of 4 ms, and the time to move

    private final SpinPolicy policy;
    private int shift; // the next spin is this much shorter
    private int penalty; // how many waits rest once a full spin has failed for want of a core
    private int rest; // how many of them are left
    private int failures; // full spins that failed for want of a core, since one succeeded or was a long one
    private int failuresBeforeLong = FAILURES_BEFORE_LONG_SPIN;
    private int successes; // full spins that paid in a row
    private boolean hasWaited; // there was a wait before: the first one of a connection may spin
    private boolean wasFull; // the last spin was a full one
    private int yields; // that were not counted yet
    private int yieldPenalty; // how many waits do not yield once the yields of one were in vain
    private int yieldRest; // how many of them are left
    private boolean waitedForComputing; // the last yield did: a sleeper is woken much sooner
    private long yieldedNanos; // when the last yield was over
    private long startedNanos;
    private long endedNanos;
    private long overNanos; // when what was waited for had come

    /**
     * Creates a history without experience.
     *
     * @param policy what the process allows
     */
    public SpinHistory(SpinPolicy policy) {
        this.policy = policy;
    }

    /**
     * Spins until an operation is ready or the budget is used. Does not look where it may not spin: the caller has
     * just looked, and looks again before it sleeps.
     *
     * @param link what to poll
     * @param op {@code OP_READ} or {@code OP_WRITE}
     * @param paced polls less often: for a one-way stream, where each poll costs the sender a cache miss
     * @return whether it became ready
     */
    public boolean spin(Link link, int op, boolean paced) {
        long budget = begin();
        if (budget <= 0) {
            return false;
        }
        boolean ready = false;
        try {
            ready = poll(link, op, paced, budget);
        } finally {
            end(ready);
        }
        return ready;
    }

    private boolean poll(Link link, int op, boolean paced, long budget) {
        int pauses = paced ? PACED_PAUSES : 1;
        do {
            for (int i = 0; i < POLLS_PER_CLOCK; i += pauses) {
                if (link.isReady(op)) {
                    return true;
                }
                for (int j = 0; j < pauses; j++) {
                    Thread.onSpinWait();
                }
            }
        } while (mayGoOn(budget));
        return link.isReady(op);
    }

    /**
     * Enters a wait, and a spin if that may pay.
     *
     * @return the budget in nanoseconds; when it is 0 {@link #end} must not be called
     */
    public long begin() {
        if (policy.maxNanos() == 0) {
            return 0;
        }
        wasFull = false;
        long now = policy.nanoTime();
        boolean afterIdleness = hasWaited && now - startedNanos > IDLE_SPINS * policy.maxNanos();
        hasWaited = true;
        startedNanos = now;
        endedNanos = now;
        if (rest > 0) {
            rest--;
            return 0;
        }
        if (afterIdleness || !policy.begin(now)) {
            return 0;
        }
        wasFull = shift == 0;
        if (failures >= failuresBeforeLong) {
            failures = 0;
            if (now - overNanos < policy.maxNanos()) { // after a pause it would pay for one wait only
                failuresBeforeLong = Math.min(4 * failuresBeforeLong, MOST_FAILURES);
                return LONG_NANOS;
            }
        }
        return policy.maxNanos() >> shift;
    }

    /**
     * Looks at the clock between polls, and in a long spin whether somebody wants the core by now.
     *
     * @param budgetNanos what {@link #begin} returned
     * @return false when the spin has to end
     */
    public boolean mayGoOn(long budgetNanos) {
        long now = policy.nanoTime();
        endedNanos = now;
        return now - startedNanos < budgetNanos && (budgetNanos < LONG_NANOS || policy.isCoreFree(now));
    }

    /**
     * Leaves a spin that {@link #begin} allowed.
     *
     * @param successful whether what was waited for came
     */
    public void end(boolean successful) {
        policy.end();
        if (successful) {
            overNanos = endedNanos;
            shift = 0;
            if (wasFull) {
                penalty = 0;
                failures = 0;
                if (++successes == SUCCESSES_AFTER_MOVE) {
                    failuresBeforeLong = FAILURES_BEFORE_LONG_SPIN;
                }
            }
        }
    }

    /**
     * Lets other threads have the core, if that may pay. For platform threads. Where what is waited for has come, the
     * caller says so by {@link #yieldPaid}, and not by {@link #slept}; a wait that has yielded without is one that did
     * not pay.
     *
     * @param turn counts the yields of one wait, from 0
     * @return whether it did, so that the caller may look again
     */
    public boolean yieldTurn(int turn) {
        if (turn == 0 && yieldRest > 0) {
            yieldRest--;
            return false;
        }
        YieldPolicy yieldPolicy = policy.yields();
        long before = turn == 0 ? policy.nanoTime() : yieldedNanos;
        if (yieldPolicy == null || !yieldPolicy.allows(before)) {
            return false;
        }
        if (turn == 0) {
            yieldPenalty = Math.min(2 * yieldPenalty + 1, MAX_YIELD_REST);
            yieldRest = yieldPenalty; // unless a yield of this wait pays
        }
        Thread.yield();
        long now = policy.nanoTime();
        yieldedNanos = now;
        boolean wasLong = now - before >= YieldPolicy.LONG_NANOS && yieldPolicy.isLong(now - before, now);
        waitedForComputing = wasLong && yieldPolicy.areFew(now);
        if (waitedForComputing) {
            yieldPenalty = MAX_YIELD_REST;
            yieldRest = MAX_YIELD_REST;
        }
        yields++;
        if (wasLong || yields >= YIELDS_PER_COUNT) { // seldom, as all threads count in one place
            yieldPolicy.yielded(yields, wasLong ? 1 : 0, now);
            yields = 0;
        }
        return true;
    }

    /** What was waited for came while this thread yielded. That pays unless a thread that computes had the core. */
    public void yieldPaid() {
        if (!waitedForComputing) {
            yieldPenalty = 0;
            yieldRest = 0;
        }
        cameAfterSpin(yieldedNanos);
    }

    /** What was waited for came while the thread slept. */
    public void slept() {
        if (policy.maxNanos() > 0) {
            cameAfterSpin(policy.nanoTime());
        }
    }

    private void cameAfterSpin(long now) {
        overNanos = now;
        successes = 0;
        if (now - endedNanos >= policy.maxNanos()) {
            shift = Math.min(shift + 1, MAX_SHIFT);
        } else if (wasFull) {
            penalty = Math.min(2 * penalty + 1, MAX_REST);
            rest = penalty;
            failures++;
        } else {
            shift = 0; // a full spin would have seen it
        }
    }
}
