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
        VALUE_AT_MOST
    }

    static Target ratio(double atLeast) {
        return new Target(Kind.RATIO_AT_LEAST, atLeast);
    }

    static Target value(double atMost) {
        return new Target(Kind.VALUE_AT_MOST, atMost);
    }

    /** Judges a figure; without a ratio, a target for it says nothing and null comes back. */
    Cell.Asked judge(double value, Double ratio, Unit unit) {
        if (kind == Kind.VALUE_AT_MOST) {
            return new Cell.Asked("<= " + unit.format(bound), value <= bound, null);
        }
        return ratio == null ? null : new Cell.Asked(Labels.ratio(bound), ratio >= bound, bound);
    }
}
