/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rsockets4j.bench.run.Failure;
import io.rsockets4j.bench.run.Route;
import io.rsockets4j.bench.work.Service;
import io.rsockets4j.bench.work.Unit;
import io.rsockets4j.bench.work.Works;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes a report as one web page that needs nothing else. */
public final class HtmlReport {

    private static final String STYLE = "report.css";

    private final Report report;
    private final StringBuilder page = new StringBuilder();

    private HtmlReport(Report report) {
        this.report = report;
    }

    /**
     * Writes the page.
     *
     * @param report the report
     * @param file the file to create or replace
     * @throws IOException if it cannot be written
     */
    public static void write(Report report, Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, render(report));
    }

    /**
     * Makes the page.
     *
     * @param report the report
     * @return HTML
     * @throws IOException if the style sheet cannot be read
     */
    static String render(Report report) throws IOException {
        HtmlReport html = new HtmlReport(report);
        html.head();
        html.failures();
        html.services();
        html.plots();
        html.table();
        html.method();
        html.environment();
        html.page.append("</main>\n</html>\n");
        return html.page.toString();
    }

    private void head() throws IOException {
        page.append("<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
                .append(Html.element("title", "rsockets4j benchmark"))
                .append("<style>\n")
                .append(style())
                .append("</style>\n<main>\n<header>\n")
                .append(Html.element("h1", "Java sockets without TCP, measured"))
                .append(Html.element(
                        "p",
                        "Unmodified Java programs use the JDK's sockets, once over TCP and once over"
                                + " rsockets4j; only the JVM's flags differ. Both took turns in one run on one"
                                + " machine."))
                .append(Html.element("p", "facts", facts()))
                .append(Headlines.render(report))
                .append("</header>\n");
    }

    private static String style() throws IOException {
        try (InputStream style = HtmlReport.class.getResourceAsStream(STYLE)) {
            if (style == null) {
                throw new IOException(STYLE + " is missing from the jar");
            }
            return new String(style.readAllBytes(), UTF_8);
        }
    }

    private String facts() {
        Map<String, String> facts = report.environment();
        return Stream.of("JVM", "CPU", "cores", "kernel", "date")
                .filter(facts::containsKey)
                .map(name -> name + " <b>" + Html.escape(facts.get(name)) + "</b>")
                .collect(Collectors.joining(" &middot; "));
    }

    private void failures() {
        if (report.failures().isEmpty()) {
            return;
        }
        page.append("<section class=\"failures\">\n").append(Html.element("h2", "What failed"));
        for (Failure failure : report.failures()) {
            page.append(Html.element("p", failure.subject() + ": " + failure.reason()));
        }
        page.append("</section>\n");
    }

    private void services() {
        List<List<String>> lines = ServiceTable.lines(report);
        if (lines.isEmpty()) {
            return;
        }
        page.append("<section>\n")
                .append(Html.element("h2", ServiceTable.TITLE))
                .append(Html.element("p", ServiceTable.LEGEND))
                .append("<div class=\"wide\"><table>\n");
        page.append(Html.tableRow("th", lines.get(0)));
        for (List<String> line : lines.subList(1, lines.size())) {
            page.append(Html.tableRow("td", line.stream().map(HtmlReport::service).toList()));
        }
        page.append("</table></div>\n</section>\n");
    }

    /** A cell of the services' table; one that ends in a verdict gets its colour. */
    private static String service(String cell) {
        return Html.escape(cell).replaceFirst("(ok|short)$", "<span class=\"$1\">$1</span>");
    }

    private void plots() {
        Plots plots = new Plots(report);
        String all = legend(report.routes());
        String compared = legend(
                report.routes().stream().filter(route -> route != Route.TCP).toList());
        section(
                "How many times better than TCP",
                "The line at 1x is TCP. A time is better when shorter, a rate when higher. The upright"
                        + " stroke is what the project asks for, on two cores; it is red where the figure falls short.",
                compared,
                plots.ratios());
        section(
                "Latency",
                "The dot is the median, the strokes on its tail are p99 and p99.9. Left is better.",
                all,
                plots.latencies());
        section(
                "Streams",
                "Bytes per second, and in parentheses messages per second. Right is better.",
                all,
                plots.rates(Unit.BYTES_PER_SECOND));
        section("Rates", "Right is better.", all, plots.rates(Unit.PER_SECOND));
    }

    private void section(String title, String text, String legend, String plot) {
        if (!plot.isEmpty()) {
            page.append("<section>\n")
                    .append(Html.element("h2", title))
                    .append("<p>")
                    .append(Html.escape(text))
                    .append(legend)
                    .append("</p>\n")
                    .append(plot)
                    .append("</section>\n");
        }
    }

    private static String legend(List<Route> routes) {
        return routes.stream()
                .map(route -> "<span class=\"key " + route + "\">" + Html.escape(route.title()) + "</span>")
                .collect(Collectors.joining());
    }

    private void table() {
        page.append("<section>\n")
                .append(Html.element("h2", "All figures"))
                .append(Html.element("p", "Medians of the repetitions; beneath each, its lowest and highest sample."))
                .append(HtmlTable.render(report))
                .append("</section>\n");
    }

    private void method() {
        page.append("<section>\n")
                .append(Html.element("h2", "How it was measured"))
                .append(Html.element(
                        "p",
                        "Server and client are two JVMs on one host, connected through 127.0.0.1, or the address that"
                            + " the options name, with TCP_NODELAY. The program is the same on every path and"
                            + " knows of none. Each measurement runs on one path"
                            + " after the other before the next begins, so that a machine that gets slower does so for"
                            + " all. At exit each JVM with the agent states how many connections took which path;"
                            + " figures whose connections did not take theirs are thrown away. Blocking APIs block;"
                            + " Selector means one thread in a select() loop."))
                .append("<dl>\n");
        Map<String, String> methods = new LinkedHashMap<>();
        report.rows().stream().map(Row::work).distinct().map(Works::of).forEach(work -> methods.putIfAbsent(
                work instanceof Service ? Service.FAMILY : work.title() + " (" + work.name() + ")", work.method()));
        methods.forEach((name, text) -> page.append(Html.element("dt", name)).append(Html.element("dd", text)));
        page.append("</dl>\n<dl>\n");
        for (Route route : report.routes()) {
            page.append(Html.element("dt", route.title())).append(Html.element("dd", route.description()));
        }
        page.append("</dl>\n</section>\n");
    }

    private void environment() {
        page.append("<section>\n").append(Html.element("h2", "Where")).append("<dl>\n");
        report.environment()
                .forEach((name, value) -> page.append(Html.element("dt", name)).append(Html.element("dd", value)));
        page.append("</dl>\n</section>\n");
    }
}
