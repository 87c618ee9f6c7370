/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import io.rsockets4j.bench.work.Figure.Rank;
import io.rsockets4j.bench.work.PathSetup;
import io.rsockets4j.bench.work.Sizes;
import io.rsockets4j.bench.work.Works;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Writes a report as a table for the terminal. */
public final class TextTable {
    private TextTable() {}

    /**
     * Writes the services, the streams of extended sockets, and the headline figures of what else there is.
     *
     * @param report the report
     * @return lines, the last one ended too
     */
    public static String render(BenchReport report) {
        List<String> tables = new ArrayList<>();
        add(tables, ServiceTable.TITLE, ServiceTable.lines(report), ServiceTable.LEGEND);
        add(tables, ExsTable.TITLE, ExsTable.lines(report), ExsTable.LEGEND);
        List<List<String>> lines = new ArrayList<>();
        report.rows().stream()
                .filter(row -> row.metric().rank() == Rank.HEADLINE)
                .filter(row -> !ServiceTable.holds(row) && !ExsTable.holds(row))
                .forEach(row -> lines.add(line(report, row)));
        if (tables.isEmpty() || !lines.isEmpty()) {
            lines.add(0, header(report));
            tables.add(align(lines));
        }
        return String.join(System.lineSeparator(), tables);
    }

    private static void add(List<String> tables, String title, List<List<String>> lines, String legend) {
        String end = System.lineSeparator();
        if (!lines.isEmpty()) {
            tables.add(title + end + align(lines) + legend + end);
        }
    }

    private static List<String> header(BenchReport report) {
        List<String> header = new ArrayList<>(List.of("work", "size", "api"));
        for (PathSetup route : report.routes()) {
            header.add(route.toString());
            if (route != PathSetup.TCP) {
                header.addAll(List.of("ratio", "asked", ""));
            }
        }
        return header;
    }

    private static List<String> line(BenchReport report, Row row) {
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
