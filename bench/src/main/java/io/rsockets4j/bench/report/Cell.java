/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/**
 * A figure.
 *
 * @param median the median of the samples
 * @param samples each repetition's figure, in order
 * @param ratio how many times better than TCP; null for TCP itself, or if there is nothing to compare
 * @param asked what was asked of the figure; null if nothing was
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Cell(double median, List<Double> samples, Double ratio, Asked asked) {
    /**
     * What was asked of a figure.
     *
     * @param text the bound for readers
     * @param met whether the figure keeps it
     * @param ratio the bound, if it is one of the ratio, else null
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Asked(String text, boolean met, Double ratio) {
        /** Says how it went: ok or short. */
        String verdict() {
            return met ? "ok" : "short";
        }
    }

    /** Copies the samples. */
    public Cell {
        samples = List.copyOf(samples);
    }
}
