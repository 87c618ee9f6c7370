/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import io.rsockets4j.bench.work.Unit;

/**
 * What is asked of a figure.
 *
 * @param kind what is bounded
 * @param bound the bound
 */
record Target(Kind kind, double bound) {
    /** What a target bounds. */
    enum Kind {
        /** How many times better than TCP it is, from below. */
        RATIO_AT_LEAST,
        /** The figure itself, from above. */
        VALUE_AT_MOST,
        /** By how much it exceeds that of TCP, from above. */
        EXCESS_AT_MOST
    }

    static Target ratio(double atLeast) {
        return new Target(Kind.RATIO_AT_LEAST, atLeast);
    }

    static Target value(double atMost) {
        return new Target(Kind.VALUE_AT_MOST, atMost);
    }

    static Target excess(double atMost) {
        return new Target(Kind.EXCESS_AT_MOST, atMost);
    }

    /**
     * Judges a figure.
     *
     * @param tcp that of TCP, null if it was not measured
     * @param ratio how many times better than TCP the figure is, null if that says nothing
     * @return null if there is nothing to compare with
     */
    Cell.Asked judge(double value, Double tcp, Double ratio, Unit unit) {
        return switch (kind) {
            case VALUE_AT_MOST -> new Cell.Asked("<= " + unit.format(bound), value <= bound, null);
            case EXCESS_AT_MOST ->
                tcp == null ? null : new Cell.Asked("<= +" + unit.format(bound), value - tcp <= bound, null);
            case RATIO_AT_LEAST -> ratio == null ? null : new Cell.Asked(Labels.ratio(bound), ratio >= bound, bound);
        };
    }
}
