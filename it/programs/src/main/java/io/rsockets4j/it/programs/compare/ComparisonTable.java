/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs.compare;

import java.util.Locale;

/** Comparisons as lines of text: four groups of columns, each with TCP's figure, ours, and the ratio. */
final class ComparisonTable {
    private static final String NAME = "%-13s";
    private static final String LINE = NAME + " |%9s%9s%8s |%8s%8s%8s |%8s%8s%8s |%8s%8s%8s";
    private static final double HUNDRED = 100;
    private static final double TEN = 10;

    private ComparisonTable() { }

    static String head() {
        return String.format("%-13s |%-26s |%-24s |%-24s |%-24s%n", "", " operations/s", " p50, us", " p99, us",
                " processor, us/operation")
                + String.format(LINE, "program", "TCP", "ours", "ratio", "TCP", "ours", "ratio", "TCP", "ours", "ratio",
                        "TCP", "ours", "ratio");
    }

    static String line(Comparison row) {
        Turn tcp = row.tcpMedian();
        Turn ours = row.oursMedian();
        Turn ratio = row.ratio();
        return String.format(LINE, row.program(), figure(tcp.rate()), figure(ours.rate()), ratio(ratio.rate()),
                figure(tcp.p50Micros()), figure(ours.p50Micros()), ratio(ratio.p50Micros()),
                figure(tcp.p99Micros()), figure(ours.p99Micros()), ratio(ratio.p99Micros()),
                figure(tcp.cpuMicros()), figure(ours.cpuMicros()), ratio(ratio.cpuMicros()));
    }

    static String foot() {
        return "Medians of the turns. A ratio above 1 means that ours is better; one below is marked by !.";
    }

    private static String figure(double value) {
        return String.format(Locale.ROOT, value < TEN ? "%.2f" : value < HUNDRED ? "%.1f" : "%.0f", value);
    }

    /** Marks what is worse than TCP; what would be shown as 1.00 counts as equal. */
    private static String ratio(double value) {
        String shown = String.format(Locale.ROOT, value < TEN ? "%.2f" : "%.1f", value);
        return shown + (Double.parseDouble(shown) < 1 ? "x!" : "x ");
    }
}
