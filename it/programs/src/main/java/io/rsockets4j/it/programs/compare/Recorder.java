/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs.compare;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** How long the operations of one client took in one turn. For one thread at a time. */
final class Recorder {
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int DIGITS = 3;

    private final Histogram nanos = newHistogram();
    private final long endNanos;

    /** Lasts until {@link System#nanoTime} is {@code endNanos}. */
    Recorder(long endNanos) {
        this.endNanos = endNanos;
    }

    static Histogram newHistogram() {
        return new Histogram(LONGEST_NANOS, DIGITS);
    }

    /**
     * Counts an operation that has ended now.
     *
     * @param beganNanos when it began, by {@link System#nanoTime}
     * @return whether there are to be more
     */
    boolean done(long beganNanos) {
        long now = System.nanoTime();
        nanos.recordValue(Math.min(now - beganNanos, LONGEST_NANOS));
        return now < endNanos;
    }

    Histogram nanos() {
        return nanos;
    }
}
