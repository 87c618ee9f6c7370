/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import java.util.Locale;

/** What a figure counts, and how it is written for readers. */
public enum Unit {
    /** Time in nanoseconds; shown in microseconds, or milliseconds if long. */
    NANOSECONDS(true) {
        @Override
        public String format(double value) {
            return value < 999_500 ? digits(value / 1e3) + " us" : digits(value / 1e6) + " ms";
        }
    },
    /** Time in seconds; shown in milliseconds. */
    SECONDS(true) {
        @Override
        public String format(double value) {
            return digits(value * 1e3) + " ms";
        }
    },
    /** Events in a second. */
    PER_SECOND(false) {
        @Override
        public String format(double value) {
            return scaled(value, 1000, "", " k", " M", " G") + "/s";
        }
    },
    /** Bytes in a second. */
    BYTES_PER_SECOND(false) {
        @Override
        public String format(double value) {
            return scaled(value, 1000, " B", " kB", " MB", " GB") + "/s";
        }
    },
    /** Memory. */
    BYTES(true) {
        @Override
        public String format(double value) {
            return scaled(value, 1024, " B", " KiB", " MiB", " GiB");
        }
    },
    /** Share of one core's time. */
    PERCENT(true) {
        @Override
        public String format(double value) {
            return String.format(Locale.ROOT, "%.1f%%", value);
        }
    },
    /** Things. */
    COUNT(true) {
        @Override
        public String format(double value) {
            return digits(value);
        }
    };

    private final boolean lessIsBetter;

    Unit(boolean lessIsBetter) {
        this.lessIsBetter = lessIsBetter;
    }

    /**
     * Writes a figure with its unit, three digits long.
     *
     * @param value the figure in this unit
     * @return the text
     */
    public abstract String format(double value);

    /**
     * Compares two figures.
     *
     * @param value the figure
     * @param baseline the figure to compare it with
     * @return how many times better the first is: 1 for equal, 2 for half the time or twice the rate
     */
    public double ratio(double value, double baseline) {
        return lessIsBetter ? baseline / value : value / baseline;
    }

    private static String scaled(double value, double step, String... suffixes) {
        double rest = value;
        int i = 0;
        while (rest >= step * 0.9995 && i < suffixes.length - 1) {
            rest /= step;
            i++;
        }
        return digits(rest) + suffixes[i];
    }

    private static String digits(double value) {
        int decimals = value >= 99.95 || value == 0 ? 0 : value >= 9.995 ? 1 : 2;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }
}
