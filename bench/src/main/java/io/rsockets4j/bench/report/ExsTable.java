/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import io.rsockets4j.bench.work.Exs;
import io.rsockets4j.bench.work.PathSetup;
import io.rsockets4j.bench.work.Sizes;
import java.util.ArrayList;
import java.util.List;

/** Lays the streams of extended sockets out: a line for each and each route, one figure in each column. */
final class ExsTable {
    /** What stands above and beneath the table. */
    static final String TITLE = "Extended sockets: one stream";

    static final String LEGEND = "sends, receives: how many are pending; offset: bytes by which buffers miss a page's"
            + " begin. Ratios say how many times better than TCP. cpu: processor time of that side's process for a"
            + " MiB. direct: the share of bytes that went straight into the receiver's buffers. messages: what both"
            + " sides sent through the network for a MiB; 0 where nobody counts.";

    private ExsTable() {}

    /** Tells whether a row belongs into this table. */
    static boolean holds(Row row) {
        return Exs.of(row.work()).isPresent();
    }

    /** Makes the lines with a header before them; nothing if there are no such streams. */
    static List<List<String>> lines(BenchReport report) {
        List<List<String>> lines = new ArrayList<>();
        for (Row row : report.rows()) {
            if (holds(row) && row.metric().name().equals(Exs.BYTES)) {
                report.routes().stream().filter(Exs.of(row.work()).orElseThrow()::suits)
                        .forEach(route -> lines.add(line(report, row, route)));
            }
        }
        if (!lines.isEmpty()) {
            lines.add(0, List.of("sends", "receives", "size", "offset", "", Exs.BYTES, "ratio", Exs.SENDER, "ratio",
                    Exs.RECEIVER, "ratio", Exs.DIRECT, Exs.MESSAGES));
        }
        return lines;
    }

    private static List<String> line(BenchReport report, Row any, PathSetup route) {
        Exs exs = Exs.of(any.work()).orElseThrow();
        List<String> line = new ArrayList<>(List.of(
                Integer.toString(exs.sends()),
                Integer.toString(exs.receives()),
                Sizes.format(any.sizeBytes()),
                Integer.toString(exs.offset()),
                route.toString()));
        for (String metric : List.of(Exs.BYTES, Exs.SENDER, Exs.RECEIVER)) {
            line.add(figure(report, any, metric, route));
            line.add(report.row(any, metric).map(row -> ratio(row.cells().get(route))).orElse(""));
        }
        line.add(figure(report, any, Exs.DIRECT, route));
        line.add(figure(report, any, Exs.MESSAGES, route));
        return line;
    }

    private static String figure(BenchReport report, Row any, String metric, PathSetup route) {
        return report.row(any, metric)
                .map(row -> row.cells().containsKey(route) ? Labels.figure(row, route) : "failed")
                .orElse("");
    }

    private static String ratio(Cell cell) {
        return cell == null || cell.ratio() == null ? "" : Labels.ratio(cell.ratio());
    }
}
