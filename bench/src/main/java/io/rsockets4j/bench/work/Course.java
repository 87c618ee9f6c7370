/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import java.util.concurrent.locks.LockSupport;

/**
 * The times of a {@link Service}'s run, by {@link System#nanoTime}. A request belongs to the phase in which it was due,
 * however late its answer: what waits at the end of a phase, or of the run, is not left out.
 *
 * @param startNs when the first phase begins
 * @param steadyNs when the steady phase begins
 * @param endNs from when on no request is due
 * @param gapNs the time from one request to the next of all connections together; 0 in a closed loop
 */
record Course(long startNs, long steadyNs, long endNs, double gapNs) {
    private static final long LEAD_NS = 100_000_000;

    /** Makes a course that begins in a moment, when all threads have started. */
    static Course of(Job job, double ratePerSecond) {
        long start = System.nanoTime() + LEAD_NS;
        long steady = start + job.warmUp().toNanos();
        return new Course(
                start, steady, steady + job.measured().toNanos(), ratePerSecond == 0 ? 0 : 1e9 / ratePerSecond);
    }

    boolean isClosed() {
        return gapNs == 0;
    }

    /** When a request of all connections together is due, counted from 0. */
    long dueNs(long number) {
        return startNs + (long) (number * gapNs);
    }

    boolean isOver(long dueNs) {
        return dueNs - endNs >= 0;
    }

    /**
     * Sleeps until a time. This uses no processor, but the kernel wakes a sleeper some 50 us late, and then it must get
     * a core: requests go out that much after they were due, which counts as latency, over TCP as over any other path.
     * A generator that kept looking at the clock would be exact, and take the core that the server needs.
     */
    static void sleepUntil(long timeNs) {
        for (long left = timeNs - System.nanoTime(); left > 0; left = timeNs - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
