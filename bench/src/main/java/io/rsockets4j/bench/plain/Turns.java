/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.plain;

import java.util.Arrays;

/**
 * What two ways cost that were measured by turns, a block of each at a time, so that what the machine does meanwhile
 * meets both.
 */
final class Turns {
    private final double[] theirs;
    private final double[] ours;

    /**
     * Takes the measurements.
     *
     * @param theirs of the JDK's own, of each block
     * @param ours of the block beside it
     */
    Turns(double[] theirs, double[] ours) {
        this.theirs = theirs.clone();
        this.ours = ours.clone();
    }

    double theirMedian() {
        return median(theirs);
    }

    double ourMedian() {
        return median(ours);
    }

    /** Ours to theirs, of all blocks together. */
    double meanRatio() {
        return Arrays.stream(ours).sum() / Arrays.stream(theirs).sum();
    }

    /** The median of the ratios of neighbours, which a few disturbed blocks do not change. */
    double medianRatio() {
        double[] ratios = new double[ours.length];
        Arrays.setAll(ratios, i -> ours[i] / theirs[i]);
        return median(ratios);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
