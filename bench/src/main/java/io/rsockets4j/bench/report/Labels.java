/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import io.rsockets4j.bench.work.Figure.Rank;
import io.rsockets4j.bench.work.PathSetup;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.stream.Collectors;

/** How rows and figures are written, wherever they are shown. */
final class Labels {
    private Labels() {}

    /** The work's title, with the metric if the work has several headlines. */
    static String work(BenchReport report, Row row) {
        long headlines = report.rows().stream()
                .filter(other -> other.isSameJob(row) && other.metric().rank() == Rank.HEADLINE)
                .count();
        return headlines > 1 ? row.title() + ": " + row.metric().name() : row.title();
    }

    /** A figure, with those that belong beside it in parentheses. */
    static String figures(BenchReport report, Row row, PathSetup route) {
        String beside = report.rows().stream()
                .filter(other -> other.isSameJob(row) && other.metric().rank() == Rank.BESIDE)
                .filter(other -> other.cells().containsKey(route))
                .map(other -> figure(other, route))
                .collect(Collectors.joining(", "));
        return figure(row, route) + (beside.isEmpty() ? "" : " (" + beside + ')');
    }

    /** A figure with its unit. */
    static String figure(Row row, PathSetup route) {
        return row.metric().unit().format(row.cells().get(route).median());
    }

    /** A ratio, such as 2.50x: rounded down, so that what falls short looks it. */
    static String ratio(double ratio) {
        int decimals = ratio >= 99.95 || ratio == Math.rint(ratio) ? 0 : ratio >= 9.995 ? 1 : 2;
        return BigDecimal.valueOf(ratio).setScale(decimals, RoundingMode.DOWN).toPlainString() + 'x';
    }
}
