/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import java.util.List;

/**
 * One figure that a work yields.
 *
 * @param name its name, unique within the work
 * @param unit what it counts
 * @param rank how prominent it is
 */
public record Figure(String name, Unit unit, Rank rank) {
    /** Where a figure is shown. */
    public enum Rank {
        /** In a line of its own, with its ratio to TCP. */
        HEADLINE,
        /** In parentheses after the headline. */
        BESIDE,
        /** Only in the files. */
        DETAIL
    }

    static Figure headline(String name, Unit unit) {
        return new Figure(name, unit, Rank.HEADLINE);
    }

    static Figure beside(String name, Unit unit) {
        return new Figure(name, unit, Rank.BESIDE);
    }

    static Figure detail(String name, Unit unit) {
        return new Figure(name, unit, Rank.DETAIL);
    }

    /** {@return the middle one of some values, or the mean of the middle two} */
    public static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
