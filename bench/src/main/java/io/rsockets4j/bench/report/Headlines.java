/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import io.rsockets4j.bench.run.Route;
import io.rsockets4j.bench.work.Metric.Rank;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes the few figures that stand at the top of a report: ratios to TCP, from the lowest to the highest API. */
final class Headlines {

    private static final String TILE = "div";

    private Headlines() {}

    /** Makes the tiles, none if nothing was compared. */
    static String render(Report report) {
        StringBuilder tiles = new StringBuilder();
        if (report.count(true) + report.count(false) > 0) {
            tiles.append(tile(
                    report.count(true) + " of " + (report.count(true) + report.count(false)),
                    "figures keep what is asked of them"));
        }
        report.routes().stream()
                .filter(route -> route != Route.TCP && route != Route.FALLBACK)
                .forEach(route -> ratios(report, route)
                        .forEach((title, ratios) ->
                                tiles.append(tile(range(ratios), title + " over " + route.title()))));
        return tiles.isEmpty() ? "" : Html.element(TILE, "tiles", tiles.toString());
    }

    private static Map<String, DoubleSummaryStatistics> ratios(Report report, Route route) {
        Map<String, DoubleSummaryStatistics> ratios = new LinkedHashMap<>();
        report.rows().stream()
                .filter(row -> row.work().equals("roundtrip")
                        || row.work().equals("stream")
                        || ServiceTable.holds(row))
                .filter(row ->
                        row.metric().rank() == Rank.HEADLINE && row.cells().containsKey(route))
                .filter(row -> row.cells().get(route).ratio() != null)
                .forEach(row -> ratios.computeIfAbsent(
                                ServiceTable.holds(row)
                                        ? row.title()
                                        : row.title() + " of " + Sizes.format(row.sizeBytes()),
                                title -> new DoubleSummaryStatistics())
                        .accept(row.cells().get(route).ratio()));
        return ratios;
    }

    private static String range(DoubleSummaryStatistics ratios) {
        String least = Labels.ratio(ratios.getMin());
        String most = Labels.ratio(ratios.getMax());
        return least.equals(most) ? most : least.substring(0, least.length() - 1) + "\u2013" + most;
    }

    private static String tile(String figure, String text) {
        return Html.element(TILE, "tile", "<b>" + Html.escape(figure) + "</b> " + Html.escape(text));
    }
}
