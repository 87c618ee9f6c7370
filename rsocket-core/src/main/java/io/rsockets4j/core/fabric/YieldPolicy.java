/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongToIntFunction;

/**
 * Decides whether a thread that is about to sleep first lets others have its core. Shared by all waits of a process.
 * Thread-safe.
 *
 * <p>Where more threads run than there are cores, the peer is most likely one of those that wait for this core, and has
 * answered when the thread's turn comes again: one system call instead of a sleep and a wake-up. Where a core is free
 * it costs less than a microsecond. But a thread that computes keeps the core for a whole slice, some milliseconds,
 * whereas the kernel would let a sleeper that is woken run before it. So yields end once one in {@value #MANY} takes
 * that long, in {@value #BAD_WINDOWS} windows, or one in {@value #SOME}, which shows in the 99th percentile of
 * round trips, in twice as many, or nearly all of them, in half as many: while a JVM starts, its own compilers are such
 * threads. See record 18.
 *
 * <p>Then come trials, ever more seldom. All processes of a host make them at the same times, by the clock that they
 * share: who yields where the others sleep and are woken waits for all of them.
 */
final class YieldPolicy {
    static final long LONG_NANOS = 1_000_000;
    static final int MANY = 4;
    static final int SOME = 64;
    static final int BAD_WINDOWS = 8;
    static final long WINDOW_NANOS = 100_000_000;
    static final long TRIAL_NANOS = 33_000_000; // threads that slept join in the first half, the second is judged
    static final long SLOT_NANOS = 1L << 28; // there is a time for a trial each quarter of a second
    static final int MOST_SKIPPED = 8; // a trial in so many times is left, after ever more that failed
    private static final int ENOUGH = SOME; // yields to judge a trial by
    private static final int FEW = 4; // threads of two processes that talk, and their compilers
    private static final long TURN_NANOS = 20_000; // of a thread that serves a request

    private final LongToIntFunction runnable;
    private final AtomicInteger yields = new AtomicInteger(); // in this window, or the second half of a trial
    private final AtomicInteger longOnes = new AtomicInteger(); // of these
    private final AtomicLong trial = new AtomicLong(); // the last one's number
    private final AtomicLong windowNanos = new AtomicLong(); // when it began; whoever moves it judges
    private volatile boolean paying = true;
    private volatile int skipped = 1; // a trial in so many times
    private volatile int badHalves; // of bad windows, less the good ones

    /**
     * Creates a policy that begins with yields.
     *
     * @param runnable how many threads run on the machine or want to, for a present time
     */
    YieldPolicy(LongToIntFunction runnable) {
        this.runnable = runnable;
    }

    /** Whether to yield now. */
    boolean allows(long nowNanos) {
        return paying || isInTrial(nowNanos);
    }

    private boolean isInTrial(long nowNanos) {
        long number = nowNanos / SLOT_NANOS;
        return sinceTrialBegan(nowNanos) < TRIAL_NANOS && (number == trial.get() || number % skipped == 0);
    }

    private static long sinceTrialBegan(long nowNanos) {
        return nowNanos & SLOT_NANOS - 1;
    }

    /** Whether a yield took so long that threads were waited for which did not just take their turn. */
    boolean isLong(long tookNanos, long nowNanos) {
        return tookNanos >= LONG_NANOS && tookNanos >= runnable.applyAsInt(nowNanos) * TURN_NANOS;
    }

    /** Whether few threads want to run: then a long yield has waited for one that computes, not for others' turns. */
    boolean areFew(long nowNanos) {
        return runnable.applyAsInt(nowNanos) <= FEW;
    }

    /**
     * Counts yields.
     *
     * @param count how many
     * @param countLong how many of these were long
     * @param nowNanos the present
     */
    void yielded(int count, int countLong, long nowNanos) {
        int all = yields.addAndGet(count);
        int bad = longOnes.addAndGet(countLong);
        if (paying) {
            long began = windowNanos.get();
            if (nowNanos - began >= WINDOW_NANOS && windowNanos.compareAndSet(began, nowNanos)) {
                reset();
                badHalves = Math.max(0, badHalves + judge(bad, all));
                paying = badHalves < 2 * BAD_WINDOWS;
                if (badHalves == 0) {
                    skipped = 1;
                }
            }
        } else if (sinceTrialBegan(nowNanos) < TRIAL_NANOS / 2) {
            joinTrial(nowNanos);
        } else if (all >= ENOUGH && isAtMostOneIn(SOME, bad, all)) {
            begin(nowNanos);
            badHalves = BAD_WINDOWS; // soon over where it was but a good moment, and the next trial as far away
            paying = true;
        }
    }

    private void joinTrial(long nowNanos) {
        long number = nowNanos / SLOT_NANOS;
        if (trial.getAndSet(number) != number) {
            skipped = Math.min(2 * skipped, MOST_SKIPPED); // unless this one succeeds
        }
        begin(nowNanos);
    }

    /** How bad a window was, in halves; a single long yield may happen for any reason. */
    private static int judge(int bad, int all) {
        if (isAtMostOneIn(MANY, bad - 1, all)) {
            return isAtMostOneIn(SOME, bad - 1, all) ? -1 : 1;
        }
        return isAtMostOneIn(MANY, all - bad, all) ? 4 : isAtMostOneIn(2, bad, all) ? 2 : 3;
    }

    private static boolean isAtMostOneIn(int share, int bad, int all) {
        return (long) bad * share <= all;
    }

    private void begin(long nowNanos) {
        windowNanos.set(nowNanos);
        reset();
    }

    private void reset() {
        yields.set(0);
        longOnes.set(0);
    }
}
