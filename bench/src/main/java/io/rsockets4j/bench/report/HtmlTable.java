/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import io.rsockets4j.bench.run.Route;
import java.util.ArrayList;
import java.util.List;

/** Writes all figures of a report as a table of a web page. */
final class HtmlTable {

    private HtmlTable() {}

    /** Makes the table. */
    static String render(Report report) {
        StringBuilder table = new StringBuilder("<div class=\"wide\"><table>\n");
        table.append(Html.tableRow("th", header(report)));
        Row previous = null;
        for (Row row : report.rows()) {
            table.append(Html.tableRow("td", line(report, row, previous != null && row.isSameJob(previous))));
            previous = row;
        }
        return table.append("</table></div>\n").toString();
    }

    private static List<String> header(Report report) {
        List<String> header = new ArrayList<>(List.of("work", "size", "API", "figure"));
        for (Route route : report.routes()) {
            header.add(Html.escape(route.title()));
            if (route != Route.TCP) {
                header.addAll(List.of("ratio", "asked"));
            }
        }
        return header;
    }

    private static List<String> line(Report report, Row row, boolean continued) {
        List<String> line = new ArrayList<>();
        line.add(continued ? "" : Html.escape(row.title()));
        line.add(continued ? "" : Sizes.format(row.sizeBytes()));
        line.add(continued ? "" : row.api().title());
        line.add(Html.escape(row.metric().name()));
        for (Route route : report.routes()) {
            Cell cell = row.cells().get(route);
            line.add(cell == null ? "failed" : figure(row, route, cell));
            if (route != Route.TCP) {
                line.add(cell == null || cell.ratio() == null ? "" : Labels.ratio(cell.ratio()));
                line.add(cell == null || cell.asked() == null ? "" : asked(cell.asked()));
            }
        }
        return line;
    }

    private static String figure(Row row, Route route, Cell cell) {
        String figure = Labels.figure(row, route);
        if (cell.samples().size() < 2) {
            return figure;
        }
        List<Double> sorted = cell.samples().stream().sorted().toList();
        String least = row.metric().unit().format(sorted.get(0));
        String most = row.metric().unit().format(sorted.get(sorted.size() - 1));
        return figure + "<small>" + least + " \u2013 " + most + "</small>";
    }

    private static String asked(Cell.Asked asked) {
        return Html.escape(asked.text()) + " <span class=\"" + asked.verdict() + "\">" + asked.verdict() + "</span>";
    }
}
