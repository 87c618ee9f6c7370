/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

/**
 * How well spinning has paid for one waiter, such as one direction of one link, and the spin itself. Used by one
 * thread at a time.
 *
 * <p>Three cases have to be told apart by experience alone:
 * <ul>
 * <li>The peer is at work on another core: what is waited for comes during the spin. The next spin may be a full one.
 * <li>The peer has nothing to say: it comes long after the spin. Each such spin halves the next one.
 * <li>The peer needs this very core: it comes soon after a full spin was given up for a sleep. Then the next waits
 * hardly spin, more of them each time this is confirmed, before a full spin is tried again.
 * </ul>
 *
 * <p>The first wait after a pause does not spin either: the peer was most likely asleep and has to be woken first,
 * perhaps on this core.
 *
 * <p>In the third case the other core may be idle all the same: a thread is often woken on the core of the one that
 * woke it, and stays there. The kernel moves it when it sees, at a tick of its clock, two threads that want one core.
 * So after a few such failures a spin lasts longer than a tick. Often that is of no avail, and the next one is, until
 * the two threads keep to their cores, which may last for seconds. But while other programs are at work on all cores
 * it never is: after a number of long spins in a row that did not pay there are only a few now and then, the penalty
 * is higher, and one success takes back only half of it, as it was chance.
 *
 * <p>Where several waiters of a process fail for want of a core at once, more threads are at work than there are cores,
 * and none of them spins for a while. A spinning thread never yields: two threads that yield to each other never look
 * as if they wanted another core.
 */
public final class SpinHistory {
    private static final int POLLS_PER_CLOCK = 16;
    private static final int PACED_PAUSES = 16;
    private static final long SHORT_NANOS = 1_500;
    private static final int IDLE_SPINS = 10; // this many longest spins between two waits are a pause
    private static final int MAX_SHIFT = 5;
    private static final int MAX_PENALTY = 63;
    private static final int MAX_HOPELESS_PENALTY = 511;
    private static final int LONG_SPIN_FAILURES = 4; // so many, and a spin is a long one
    static final int PAID_SPINS = 100; // so many successes after a long spin, and it was worth it
    static final int MAX_UNPAID = 64;
    static final int RETRIES = 4;
    static final long RETRY_NANOS = 250_000_000;
    static final long LONG_NANOS = 6_000_000; // a tick of 4 ms, and the time to move

    private final SpinPolicy policy;
    private final SpinHistory model; // null without
    private int shift; // the next spin is this much shorter
    private int penalty; // how many waits hardly spin once a full spin has failed for want of a core
    private int shortSpins; // how many of them are left
    private int failures; // full spins that failed for want of a core, since one succeeded or was a long one
    private int successes; // full spins that succeeded since the last long one
    private int unpaid; // long spins in a row that were not worth it
    private long longSpunNanos; // when the last long spin began
    private boolean hasWaited; // there was a wait before: the first one of a connection may spin
    private boolean wasFull; // the last spin was a full one
    private long startedNanos;
    private long endedNanos;

    /**
     * Creates a history without experience.
     *
     * @param policy what the process allows
     */
    public SpinHistory(SpinPolicy policy) {
        this.policy = policy;
        this.model = null;
    }

    /**
     * Creates a history that begins with the experience of others and adds to it.
     *
     * @param policy what the process allows
     * @param model the experience of all waiters of a kind: written by all of them without a lock, as a hint
     */
    public SpinHistory(SpinPolicy policy, SpinHistory model) {
        this.policy = policy;
        this.model = model;
        copy(model, this);
    }

    private static void copy(SpinHistory from, SpinHistory to) {
        to.penalty = from.penalty;
        to.shortSpins = from.shortSpins;
        to.failures = from.failures;
        to.unpaid = from.unpaid;
        to.longSpunNanos = from.longSpunNanos;
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
        wasFull = false;
        long now = policy.nanoTime();
        boolean afterIdleness = hasWaited && now - startedNanos > IDLE_SPINS * policy.maxNanos();
        hasWaited = true;
        startedNanos = now;
        endedNanos = now;
        long budget = afterIdleness || policy.isCrowded(now) ? 0 : policy.begin();
        if (budget <= 0) {
            return 0;
        }
        if (shortSpins > 0) {
            shortSpins--;
            share();
            return Math.min(budget, SHORT_NANOS);
        }
        wasFull = shift == 0;
        if (wasFull && isTimeForALongSpin(now)) {
            beginLongSpin(now);
            return LONG_NANOS;
        }
        return Math.max(1, budget >> shift);
    }

    /**
     * Looks at the clock between polls.
     *
     * @param budgetNanos what {@link #begin} returned
     * @return false when the spin has to end
     */
    public boolean mayGoOn(long budgetNanos) {
        endedNanos = policy.nanoTime();
        return endedNanos - startedNanos < budgetNanos;
    }

    /**
     * Leaves a spin that {@link #begin} allowed.
     *
     * @param successful whether what was waited for came
     */
    public void end(boolean successful) {
        policy.end();
        if (successful) {
            shift = 0;
            shortSpins >>= 1;
            if (wasFull) {
                succeeded();
            }
            if (model != null && model.failures + model.shortSpins > 0) { // the common case stores nothing
                share();
            }
        }
    }

    /** A full spin was successful: by chance, where long spins do not pay. */
    private void succeeded() {
        penalty = isHopeless() ? penalty >> 1 : 0;
        failures = 0;
        if (successes < PAID_SPINS && ++successes == PAID_SPINS && unpaid > 0) {
            unpaid = 0;
            share();
        }
    }

    /** Whether other programs are at work on all cores, so that nothing helps but sleep. */
    private boolean isHopeless() {
        return unpaid >= MAX_UNPAID;
    }

    /** Whether the kernel is to be shown that two threads want one core. */
    private boolean isTimeForALongSpin(long now) {
        return failures >= LONG_SPIN_FAILURES && (!isHopeless() || now - longSpunNanos >= RETRY_NANOS);
    }

    private void beginLongSpin(long now) {
        unpaid = isHopeless() ? MAX_UNPAID - RETRIES + 1 : unpaid + 1;
        longSpunNanos = now;
        failures = 0;
        successes = 0;
        share();
    }

    private void share() {
        if (model != null) {
            copy(this, model);
        }
    }

    /** What was waited for came after the spin, while the thread slept. */
    public void slept() {
        long now = policy.nanoTime();
        if (now - endedNanos >= policy.maxNanos()) {
            shift = Math.min(shift + 1, MAX_SHIFT);
        } else if (wasFull) {
            policy.failedForWantOfACore(System.identityHashCode(Thread.currentThread()), now);
            penalty = Math.min(2 * penalty + 1, isHopeless() ? MAX_HOPELESS_PENALTY : MAX_PENALTY);
            shortSpins = penalty;
            failures++;
            share();
        } else if (shortSpins == 0) {
            shift = 0; // a full spin would have seen it
        }
    }
}
