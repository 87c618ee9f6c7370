/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.IntCountsHistogram;

/** The latencies of one connection, by phase. For one thread at a time. */
final class Tally {
    /** Small, since there are thousands of them: a hundredth is exact enough. */
    private static final int DIGITS = 2;

    private final AbstractHistogram first = new IntCountsHistogram(EchoClient.LONGEST_NS, DIGITS);
    private final AbstractHistogram steady = new IntCountsHistogram(EchoClient.LONGEST_NS, DIGITS);

    private final AbstractHistogram late = new IntCountsHistogram(EchoClient.LONGEST_NS, DIGITS);

    /** Takes down a latency. */
    void record(Course course, long dueNs, long latencyNs) {
        (dueNs - course.steadyNs() < 0 ? first : steady).recordValue(Math.min(latencyNs, EchoClient.LONGEST_NS));
    }

    /** Takes down how late a request was sent; what counts is the steady phase. */
    void recordLate(Course course, long dueNs, long latenessNs) {
        if (dueNs - course.steadyNs() >= 0) {
            late.recordValue(Math.min(Math.max(latenessNs, 0), EchoClient.LONGEST_NS));
        }
    }

    void addTo(Histogram allFirst, Histogram allSteady, Histogram allLate) {
        allFirst.add(first);
        allSteady.add(steady);
        allLate.add(late);
    }
}
