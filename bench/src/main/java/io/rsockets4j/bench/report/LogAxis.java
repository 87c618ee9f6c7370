/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import java.util.ArrayList;
import java.util.List;

/**
 * A logarithmic axis: equal distances are equal ratios.
 *
 * @param least the value at its left end
 * @param most the value at its right end
 * @param left where the left end is drawn
 * @param right where the right end is drawn
 */
record LogAxis(double least, double most, double left, double right) {

    private static final double MARGIN = 1.25;
    private static final double MANY_DECADES = 3;

    /** Makes an axis with room for some values. */
    static LogAxis around(List<Double> values, double left, double right) {
        double least = values.stream().mapToDouble(value -> value).min().orElse(1);
        double most = values.stream().mapToDouble(value -> value).max().orElse(10);
        return new LogAxis(least / MARGIN, most * MARGIN, left, right);
    }

    /** Tells where a value is drawn. */
    double at(double value) {
        return left + (right - left) * Math.log(value / least) / Math.log(most / least);
    }

    /** Lists the round values on the axis: powers of ten, with 2 and 5 between them if there are few. */
    List<Double> ticks() {
        boolean few = Math.log10(most / least) < MANY_DECADES;
        List<Double> ticks = new ArrayList<>();
        for (double decade = Math.pow(10, Math.floor(Math.log10(least))); decade <= most; decade *= 10) {
            for (double factor : few ? new double[] {1, 2, 5} : new double[] {1}) {
                if (decade * factor >= least && decade * factor <= most) {
                    ticks.add(decade * factor);
                }
            }
        }
        return ticks;
    }
}
