/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.work.Figure.Rank;
import io.rsockets4j.bench.work.PathSetup;
import io.rsockets4j.bench.work.Service;
import io.rsockets4j.bench.work.Sizes;
import io.rsockets4j.bench.work.Works;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes a report as tables for a page in Markdown: few lines, each ratio with what was asked of it. */
public final class MarkdownTable {
    private static final List<String> SERVICE_FIGURES = List.of(Service.RATE, Service.P99);
    private static final List<String> SERVICE_RATIOS = List.of(
            Service.RATE,
            Service.P50,
            Service.P99,
            Service.CPU,
            Service.FIRST + Service.RATE,
            Service.FIRST + Service.P99);

    private MarkdownTable() {}

    /**
     * Writes the services, the headline figures of what else there is, and the streams of extended sockets.
     *
     * @param report the report
     * @return lines, the last one ended too
     */
    public static String render(BenchReport report) {
        List<String> tables = new ArrayList<>();
        for (PathSetup route : report.routes()) {
            if (route != PathSetup.TCP) {
                add(tables, services(report, route));
                add(tables, others(report, route));
            }
        }
        add(tables, ExsTable.lines(report));
        return String.join(System.lineSeparator(), tables);
    }

    private static void add(List<String> tables, List<List<String>> lines) {
        if (!lines.isEmpty()) {
            List<List<String>> all = new ArrayList<>(lines);
            all.add(1, Collections.nCopies(lines.get(0).size(), "---"));
            tables.add(all.stream()
                    .map(line -> "| " + String.join(" | ", line) + " |" + System.lineSeparator())
                    .collect(Collectors.joining()));
        }
    }

    /** A line for each service: rate and p99 by TCP and by the route, then how they compare. */
    private static List<List<String>> services(BenchReport report, PathSetup route) {
        List<List<String>> lines = new ArrayList<>();
        for (Row row : ServiceTable.services(report)) {
            Service service = Service.of(row.work()).orElseThrow();
            List<String> line = new ArrayList<>(List.of(
                    ServiceTable.api(row) + ", " + service.connections() + ", " + service.loop(),
                    serviceFigures(report, row, PathSetup.TCP),
                    serviceFigures(report, row, route)));
            SERVICE_RATIOS.forEach(name -> line.add(
                    report.row(row, name).map(found -> ratio(found, route)).orElse("")));
            lines.add(line);
        }
        if (!lines.isEmpty()) {
            String figures = ": " + String.join(", ", SERVICE_FIGURES);
            List<String> header = new ArrayList<>(List.of(
                    "api, connections, loop", PathSetup.TCP + figures, route + figures));
            header.addAll(SERVICE_RATIOS);
            lines.add(0, header);
        }
        return lines;
    }

    private static String serviceFigures(BenchReport report, Row row, PathSetup route) {
        return SERVICE_FIGURES.stream()
                .map(name -> report.row(row, name))
                .flatMap(Optional::stream)
                .map(found -> found.cells().containsKey(route) ? Labels.figure(found, route) : "failed")
                .collect(Collectors.joining(", "));
    }

    /** A line for each work and size, with a column for each API: the figure, and how it compares. */
    private static List<List<String>> others(BenchReport report, PathSetup route) {
        List<Row> rows = report.rows().stream()
                .filter(row -> row.metric().rank() == Rank.HEADLINE && Works.of(row.work()).suits(route))
                .filter(row -> !ServiceTable.holds(row) && !ExsTable.holds(row))
                .toList();
        List<Api> apis = Arrays.stream(Api.values())
                .filter(api -> rows.stream().anyMatch(row -> row.api() == api))
                .toList();
        Map<String, Map<Api, String>> cells = new LinkedHashMap<>(); // by work and size
        rows.forEach(row -> cells.computeIfAbsent(subject(report, row), subject -> new EnumMap<>(Api.class))
                .put(row.api(), other(report, row, route)));
        List<List<String>> lines = new ArrayList<>();
        cells.forEach((subject, byApi) -> lines.add(Stream.concat(
                Stream.of(subject), apis.stream().map(api -> byApi.getOrDefault(api, ""))).toList()));
        if (!lines.isEmpty()) {
            lines.add(0, Stream.concat(Stream.of("by " + route), apis.stream().map(Objects::toString)).toList());
        }
        return lines;
    }

    private static String other(BenchReport report, Row row, PathSetup route) {
        if (!row.cells().containsKey(route)) {
            return "failed";
        }
        String ratio = ratio(row, route);
        return Labels.figures(report, row, route) + (ratio.isEmpty() ? "" : ", " + ratio);
    }

    private static String subject(BenchReport report, Row row) {
        return Labels.work(report, row) + (row.sizeBytes() == 0 ? "" : ' ' + Sizes.format(row.sizeBytes()));
    }

    /** How a figure compares, with what was asked in parentheses; bold where it falls short. */
    private static String ratio(Row row, PathSetup route) {
        Cell cell = row.cells().get(route);
        if (cell == null) {
            return "";
        }
        String ratio = cell.ratio() == null ? "" : Labels.ratio(cell.ratio());
        if (cell.asked() == null) {
            return ratio;
        }
        String text = ratio.isEmpty() ? "asked " + cell.asked().text() : ratio + " (" + cell.asked().text() + ')';
        return cell.asked().met() ? text : "**" + text + "**";
    }
}
