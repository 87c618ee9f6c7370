/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.work.PathSetup;
import io.rsockets4j.bench.work.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Lays the services of a report out: a few lines for each, one figure in each column. */
final class ServiceTable {
    /** What stands above and beneath the table. */
    static final String TITLE = "Service: request 100 B, answer 1,000 B";

    static final String LEGEND = "Ratios say how many times better than TCP: below 1x it is slower. Latencies of"
            + " an open loop count from when a request was due; sent late: the median part of that before the"
            + " client, which sleeps until then, sent it. cpu: processor time of both processes for a request."
            + " first: the seconds in which the JVMs warm up.";

    private static final List<String> METRICS = List.of(
            Service.RATE,
            Service.P50,
            Service.P99,
            Service.P999,
            Service.LATE,
            Service.CPU,
            Service.FIRST + Service.RATE,
            Service.FIRST + Service.P99);

    private ServiceTable() {}

    /** Tells whether a row belongs into this table. */
    static boolean holds(Row row) {
        return Service.of(row.work()).isPresent();
    }

    /** The services of a report: one row of each, that of a figure which all have. */
    static List<Row> services(BenchReport report) {
        return report.rows().stream()
                .filter(row -> holds(row) && row.metric().name().equals(Service.P99))
                .toList();
    }

    /** What a service's API is called. */
    static String api(Row row) {
        return row.api() == Api.NIO ? Api.THREAD : row.api().toString();
    }

    /** Makes the lines with a header before them; nothing if there are no services. */
    static List<List<String>> lines(BenchReport report) {
        List<List<String>> lines = new ArrayList<>();
        services(report).forEach(row -> lines.addAll(lines(report, row)));
        if (!lines.isEmpty()) {
            List<String> header = new ArrayList<>(List.of("api", "connections", "loop", ""));
            header.addAll(METRICS);
            lines.add(0, header);
        }
        return lines;
    }

    /** The lines of one service: each route's figures, and after those of another than TCP how they compare. */
    private static List<List<String>> lines(BenchReport report, Row any) {
        Service service = Service.of(any.work()).orElseThrow();
        List<Optional<Row>> rows = METRICS.stream()
                .map(name -> report.row(any, name)) // empty for one that only the other kind of loop has
                .toList();
        List<List<String>> lines = new ArrayList<>();
        for (PathSetup route : report.routes()) {
            lines.add(line(rows, route, route.toString(), "failed", row -> Labels.figure(row, route)));
            if (any.cells().containsKey(route) && any.cells().get(route).ratio() != null) {
                lines.add(line(rows, route, "ratio", "", row -> ratio(row.cells().get(route))));
                if (rows.stream().flatMap(Optional::stream).anyMatch(row -> row.cells().get(route).asked() != null)) {
                    lines.add(line(rows, route, "asked", "", row -> asked(row.cells().get(route))));
                }
            }
        }
        lines.get(0).set(0, api(any));
        lines.get(0).set(1, Integer.toString(service.connections()));
        lines.get(0).set(2, service.loop().toString());
        return lines;
    }

    private static List<String> line(
            List<Optional<Row>> rows, PathSetup route, String label, String none, Function<Row, String> text) {
        List<String> line = new ArrayList<>(List.of("", "", "", label));
        rows.forEach(found -> line.add(
                found.map(row -> row.cells().containsKey(route) ? text.apply(row) : none).orElse("")));
        return line;
    }

    private static String ratio(Cell cell) {
        return cell.ratio() == null ? "" : Labels.ratio(cell.ratio());
    }

    private static String asked(Cell cell) {
        return cell.asked() == null ? "" : cell.asked().text() + ' ' + cell.asked().verdict();
    }
}
