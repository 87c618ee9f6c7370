/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import java.util.List;
import java.util.Locale;

/** What a figure counts, and how it is written for readers. */
public enum Unit {
    /** Time in nanoseconds; shown in microseconds, or milliseconds if long. */
    NANOSECONDS(true, true, 1e-3, 1000, " us", " ms"),
    /** Time for a mebibyte, in nanoseconds. */
    PER_MEBIBYTE(true, true, 1e-3, 1000, " us/MiB", " ms/MiB"),
    /** Time in seconds; shown in milliseconds. */
    SECONDS(true, true, 1e3, 1000, " ms"),
    /** Events in a second. */
    PER_SECOND(false, true, 1, 1000, "/s", " k/s", " M/s", " G/s"),
    /** Bytes in a second. */
    BYTES_PER_SECOND(false, true, 1, 1000, " B/s", " kB/s", " MB/s", " GB/s"),
    /** Memory. */
    BYTES(true, false, 1, 1024, " B", " KiB", " MiB", " GiB"),
    /** Share of one core's time. */
    PERCENT(true, false, 1, 1000, "%"),
    /** Things. */
    COUNT(true, false, 1, 1000, "");

    private final boolean lessIsBetter;
    private final boolean isCompared;
    private final Notation notation;

    Unit(boolean lessIsBetter, boolean isCompared, double scale, double step, String... suffixes) {
        this.lessIsBetter = lessIsBetter;
        this.isCompared = isCompared;
        notation = new Notation(scale, step, List.of(suffixes));
    }

    /**
     * Says how figures are written, for {@link #format} and for a page that does the same.
     *
     * @param scale by what a figure is multiplied first
     * @param step by what it is divided for each suffix after the first
     * @param suffixes what is written after it
     */
    public record Notation(double scale, double step, List<String> suffixes) {}

    /** {@return how figures in this unit are written} */
    public Notation notation() {
        return notation;
    }

    /** {@return a figure with its unit, three digits long} */
    public String format(double value) {
        List<String> suffixes = notation.suffixes;
        double rest = value * notation.scale;
        int i = 0;
        while (rest >= notation.step * 0.9995 && i < suffixes.size() - 1) {
            rest /= notation.step;
            i++;
        }
        int decimals = rest >= 99.95 || rest == 0 ? 0 : rest >= 9.995 ? 1 : 2;
        return String.format(Locale.ROOT, "%." + decimals + "f", rest) + suffixes.get(i);
    }

    /**
     * Tells how many times better a figure is than another: 1 for equal, 2 for half the time or twice the rate; null
     * for what should be next to nothing, where it would be noise.
     */
    public Double ratio(double value, double baseline) {
        return !isCompared ? null : Double.valueOf(lessIsBetter ? baseline / value : value / baseline);
    }
}
