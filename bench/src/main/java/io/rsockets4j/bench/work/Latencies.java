/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** The figures of a latency distribution. */
final class Latencies {

    static final List<Metric> METRICS = List.of(
            Metric.headline("p50", Unit.NANOSECONDS),
            Metric.beside("p99", Unit.NANOSECONDS),
            Metric.beside("p99.9", Unit.NANOSECONDS));

    private Latencies() {}

    /** Reads the figures off a histogram of nanoseconds. */
    static Map<String, Double> of(Histogram histogram) {
        return Map.of(
                "p50", (double) histogram.getValueAtPercentile(50),
                "p99", (double) histogram.getValueAtPercentile(99),
                "p99.9", (double) histogram.getValueAtPercentile(99.9));
    }
}
