/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import io.rsockets4j.bench.report.PlotRow.Dot;
import io.rsockets4j.bench.run.Route;
import io.rsockets4j.bench.work.Metric.Rank;
import io.rsockets4j.bench.work.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;

/** Chooses what the plots of a report show. */
final class Plots {

    private final Report report;

    Plots(Report report) {
        this.report = report;
    }

    /** The ratios to TCP of all headlines, with what was asked. */
    String ratios() {
        List<PlotRow> rows = new ArrayList<>();
        for (Row row : headlines()) {
            List<Dot> dots = new ArrayList<>();
            row.cells().forEach((route, cell) -> {
                if (cell.ratio() != null) {
                    Double bound = cell.asked() == null ? null : cell.asked().ratio();
                    dots.add(new Dot(route, cell.ratio(), List.of(), bound, Labels.ratio(cell.ratio())));
                }
            });
            add(rows, row, dots);
        }
        return draw("Ratio to TCP", rows, 1.0, Labels::ratio);
    }

    /** The latencies, with their tails. */
    String latencies() {
        List<PlotRow> rows = new ArrayList<>();
        headlines().stream()
                .filter(row -> row.metric().unit() == Unit.NANOSECONDS)
                .forEach(row -> {
                    List<Dot> dots = new ArrayList<>();
                    row.cells()
                            .forEach((route, cell) -> dots.add(new Dot(
                                    route, cell.median(), beside(row, route), null, Labels.figure(row, route))));
                    add(rows, row, dots);
                });
        return draw("Latency", rows, null, Unit.NANOSECONDS::format);
    }

    /** The rates of one unit. */
    String rates(Unit unit) {
        List<PlotRow> rows = new ArrayList<>();
        headlines().stream().filter(row -> row.metric().unit() == unit).forEach(row -> {
            List<Dot> dots = new ArrayList<>();
            row.cells()
                    .forEach((route, cell) -> dots.add(
                            new Dot(route, cell.median(), List.of(), null, Labels.figures(report, row, route))));
            add(rows, row, dots);
        });
        return draw("Rate", rows, null, unit::format);
    }

    private List<Row> headlines() {
        return report.rows().stream()
                .filter(row -> row.metric().rank() == Rank.HEADLINE)
                .toList();
    }

    private void add(List<PlotRow> rows, Row row, List<Dot> dots) {
        if (!dots.isEmpty()) {
            String group = Labels.work(report, row) + ", " + Sizes.format(row.sizeBytes());
            rows.add(new PlotRow(group, row.api().title(), dots));
        }
    }

    private static String draw(String title, List<PlotRow> rows, Double origin, DoubleFunction<String> format) {
        return rows.isEmpty() ? "" : DotPlot.render(title, rows, origin, format);
    }

    private List<Double> beside(Row row, Route route) {
        return report.rows().stream()
                .filter(other -> other.isSameJob(row) && other.metric().rank() == Rank.BESIDE)
                .filter(other -> other.cells().containsKey(route))
                .map(other -> other.cells().get(route).median())
                .sorted()
                .toList();
    }
}
