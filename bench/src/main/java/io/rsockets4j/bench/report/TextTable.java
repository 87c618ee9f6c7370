/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import io.rsockets4j.bench.work.Metric.Rank;
import io.rsockets4j.bench.work.PathSetup;
import io.rsockets4j.bench.work.Works;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Writes a report as a table for the terminal. */
public final class TextTable {
    private TextTable() {}

    /**
     * Writes the services, and the headline figures of what else there is.
     *
     * @param report the report
     * @return lines, the last one ended too
     */
    public static String render(Report report) {
        String services = services(report);
        List<List<String>> lines = new ArrayList<>();
        report.rows().stream()
                .filter(row -> row.metric().rank() == Rank.HEADLINE && !ServiceTable.holds(row))
                .forEach(row -> lines.add(line(report, row)));
        if (lines.isEmpty() && !services.isEmpty()) {
            return services;
        }
        lines.add(0, header(report));
        return services + (services.isEmpty() ? "" : System.lineSeparator()) + align(lines);
    }

    private static String services(Report report) {
        List<List<String>> lines = ServiceTable.lines(report);
        String end = System.lineSeparator();
        return lines.isEmpty() ? "" : ServiceTable.TITLE + end + align(lines) + ServiceTable.LEGEND + end;
    }

    private static List<String> header(Report report) {
        List<String> header = new ArrayList<>(List.of("work", "size", "api"));
        for (PathSetup route : report.routes()) {
            header.add(route.toString());
            if (route != PathSetup.TCP) {
                header.addAll(List.of("ratio", "asked", ""));
            }
        }
        return header;
    }

    private static List<String> line(Report report, Row row) {
        List<String> line = new ArrayList<>(List.of(
                Labels.work(report, row),
                Sizes.format(row.sizeBytes()),
                row.api().toString()));
        for (PathSetup route : report.routes()) {
            Cell cell = row.cells().get(route);
            String none = Works.of(row.work()).suits(route) ? "failed" : "";
            line.add(cell == null ? none : Labels.figures(report, row, route));
            if (route != PathSetup.TCP) {
                line.addAll(comparison(cell));
            }
        }
        return line;
    }

    private static List<String> comparison(Cell cell) {
        boolean isAsked = cell != null && cell.asked() != null;
        return List.of(
                cell == null || cell.ratio() == null ? "" : Labels.ratio(cell.ratio()),
                isAsked ? cell.asked().text() : "",
                isAsked ? cell.asked().verdict() : "");
    }

    private static String align(List<List<String>> lines) {
        int[] widths = new int[lines.get(0).size()];
        for (List<String> line : lines) {
            Arrays.setAll(widths, i -> Math.max(widths[i], line.get(i).length()));
        }
        return lines.stream().map(line -> pad(line, widths)).collect(Collectors.joining());
    }

    private static String pad(List<String> line, int[] widths) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            text.append(line.get(i)).append(" ".repeat(widths[i] - line.get(i).length() + 2));
        }
        return text.toString().stripTrailing() + System.lineSeparator();
    }
}
