/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.work.Figure.Rank;
import io.rsockets4j.bench.work.PathSetup;
import io.rsockets4j.bench.work.Service;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
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
        for (Row row : report.rows()) {
            if (ServiceTable.holds(row) && row.metric().name().equals(Service.P99)) {
                Service service = Service.of(row.work()).orElseThrow();
                String api = row.api() == Api.NIO ? Api.THREAD : row.api().toString();
                List<String> line = new ArrayList<>(List.of(
                        api + ", " + service.connections() + ", " + service.loop(),
                        serviceFigures(report, row, PathSetup.TCP),
                        serviceFigures(report, row, route)));
                SERVICE_RATIOS.forEach(name -> line.add(
                        report.row(row, name).map(found -> ratio(found, route)).orElse("")));
                lines.add(line);
            }
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
                .filter(row -> row.metric().rank() == Rank.HEADLINE && row.cells().containsKey(route))
                .filter(row -> !ServiceTable.holds(row) && !ExsTable.holds(row))
                .toList();
        List<Api> apis = Arrays.stream(Api.values())
                .filter(api -> rows.stream().anyMatch(row -> row.api() == api))
                .toList();
        List<List<String>> lines = new ArrayList<>();
        rows.stream().map(row -> subject(report, row)).distinct().forEach(subject -> {
            List<Row> of = rows.stream().filter(row -> subject(report, row).equals(subject)).toList();
            Stream<String> cells = apis.stream().map(api -> of.stream()
                    .filter(row -> row.api() == api)
                    .map(row -> Stream.of(Labels.figures(report, row, route), ratio(row, route))
                            .filter(text -> !text.isEmpty())
                            .collect(Collectors.joining(", ")))
                    .findFirst()
                    .orElse(""));
            lines.add(Stream.concat(Stream.of(subject), cells).toList());
        });
        if (!lines.isEmpty()) {
            lines.add(0, Stream.concat(Stream.of("work"), apis.stream().map(Objects::toString)).toList());
        }
        return lines;
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
