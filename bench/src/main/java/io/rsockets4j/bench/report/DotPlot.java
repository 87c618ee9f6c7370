/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import io.rsockets4j.bench.report.PlotRow.Dot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;

/** Draws figures as dots on a logarithmic axis, as an SVG image. Colours come from the page's style sheet. */
final class DotPlot {

    private static final int WIDTH = 900;
    private static final int PLOT_LEFT = 180;
    private static final int LABEL_WIDTH = 50;
    private static final int LABEL_RIGHT = 118;
    private static final int PLOT_RIGHT = 770;
    private static final int TOP = 26;
    private static final int LANE = 15;
    private static final int ROW_GAP = 7;
    private static final int GROUP_HEADING = 26;

    private final StringBuilder svg = new StringBuilder();
    private final Double origin;
    private final DoubleFunction<String> format;
    private LogAxis axis;
    private int y = TOP;

    private DotPlot(Double origin, DoubleFunction<String> format) {
        this.origin = origin;
        this.format = format;
    }

    /**
     * Draws a plot.
     *
     * @param title what it shows, for readers that cannot see it
     * @param rows the rows, those of a group together
     * @param origin the value with which the others are compared and to which a line leads from each, null for none
     * @param format how to write a tick of the axis
     * @return an svg element
     */
    static String render(String title, List<PlotRow> rows, Double origin, DoubleFunction<String> format) {
        return new DotPlot(origin, format).draw(title, rows);
    }

    private String draw(String title, List<PlotRow> rows) {
        List<Double> values = values(rows);
        if (origin != null) {
            values.add(origin);
        }
        axis = LogAxis.around(values, PLOT_LEFT, PLOT_RIGHT);
        String group = "";
        for (PlotRow row : rows) {
            if (!row.group().equals(group)) {
                group = row.group();
                heading(group);
            }
            row(row);
        }
        String head = String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n",
                WIDTH,
                y,
                Html.escape(title));
        return head + grid() + svg + "</svg>\n";
    }

    private static List<Double> values(List<PlotRow> rows) {
        List<Double> values = new ArrayList<>();
        rows.stream().flatMap(row -> row.dots().stream()).forEach(dot -> {
            values.add(dot.value());
            values.addAll(dot.tail());
            if (dot.bound() != null) {
                values.add(dot.bound());
            }
        });
        return values;
    }

    private String grid() {
        StringBuilder grid = new StringBuilder();
        for (double tick : axis.ticks()) {
            double x = axis.at(tick);
            grid.append(line(origin != null && tick == origin ? "grid origin" : "grid", x, TOP, x, y));
            grid.append(text("tick", x, TOP - 9, format.apply(tick).replaceFirst("\\.0+\\b", "")));
        }
        return grid.toString();
    }

    private void heading(String group) {
        y += GROUP_HEADING;
        svg.append(text("group", 0, y - 8, group));
    }

    private void row(PlotRow row) {
        svg.append(text("label", LABEL_RIGHT, y + row.dots().size() * LANE / 2.0 + 4, row.label()));
        for (Dot dot : row.dots()) {
            dot(dot, y + LANE / 2.0);
            y += LANE;
        }
        y += ROW_GAP;
    }

    private void dot(Dot dot, double middle) {
        double x = axis.at(dot.value());
        svg.append("<g class=\"").append(dot.route()).append("\">");
        if (origin != null) {
            svg.append(line("tail", axis.at(origin), middle, x, middle));
        }
        double end = x;
        for (double tail : dot.tail()) {
            double next = axis.at(tail);
            svg.append(line("tail", end, middle, next, middle));
            svg.append(line("tail", next, middle - 3, next, middle + 3));
            end = next;
        }
        if (dot.bound() != null) {
            double bound = axis.at(dot.bound());
            String style = dot.value() >= dot.bound() ? "bound" : "bound short";
            svg.append(line(style, bound, middle - 6, bound, middle + 6));
        }
        svg.append(String.format(Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\"/>", x, middle));
        boolean before = isRightTaken(dot);
        svg.append(text(before ? "value before" : "value", before ? x - 10 : x + 10, middle + 3.5, dot.label()));
        svg.append("</g>\n");
    }

    /** Whether a line or a stroke is drawn where the label would go. */
    private boolean isRightTaken(Dot dot) {
        double x = axis.at(dot.value());
        boolean tailed = !dot.tail().isEmpty();
        boolean led = origin != null && origin > dot.value();
        boolean bounded = dot.bound() != null && axis.at(dot.bound()) > x && axis.at(dot.bound()) < x + LABEL_WIDTH;
        return tailed || led || bounded;
    }

    private static String line(String style, double x1, double y1, double x2, double y2) {
        return String.format(
                Locale.ROOT,
                "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
                style,
                x1,
                y1,
                x2,
                y2);
    }

    private static String text(String style, double x, double y, String text) {
        return String.format(
                Locale.ROOT, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>", style, x, y, Html.escape(text));
    }
}
