/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Measures one operation that is repeated: first a warm-up that does not count, then as long again. Prints one
 * {@code figure:} line for throughput and one for the 99th percentile. For one thread.
 */
final class Load {
    /** Seconds to measure; 0, the default, measures nothing. */
    private static final int SECONDS = Integer.getInteger("load.seconds", 0);
    private static final int PERCENTILE = 99;

    private final Histogram nanos = new Histogram(TimeUnit.MINUTES.toNanos(1), 3);
    private final long startNanos = System.nanoTime();
    private final long lengthNanos = TimeUnit.SECONDS.toNanos(SECONDS);

    static boolean isAsked() {
        return SECONDS > 0;
    }

    /**
     * Counts an operation.
     *
     * @param beganNanos when it began
     * @return whether there are to be more
     */
    boolean done(long beganNanos) {
        long now = System.nanoTime();
        long sinceStart = now - startNanos;
        if (sinceStart >= lengthNanos) {
            nanos.recordValue(now - beganNanos);
        }
        return sinceStart < 2 * lengthNanos;
    }

    void print() {
        System.out.printf("figure: throughput %d /s%n", nanos.getTotalCount() / SECONDS);
        System.out.printf("figure: p99 %d us%n", TimeUnit.NANOSECONDS.toMicros(nanos.getValueAtPercentile(PERCENTILE)));
    }
}
