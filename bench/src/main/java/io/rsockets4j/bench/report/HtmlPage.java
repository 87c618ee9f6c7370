/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.work.Exs;
import io.rsockets4j.bench.work.PathSetup;
import io.rsockets4j.bench.work.Service;
import io.rsockets4j.bench.work.Unit;
import io.rsockets4j.bench.work.Work;
import io.rsockets4j.bench.work.Works;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Writes a report as one web page that needs nothing else: a template, whose script draws the data put into it. */
public final class HtmlPage {
    private static final String TEMPLATE = "report.html";
    private static final String PLACE = ">DATA<";

    private HtmlPage() {}

    /**
     * Writes the page.
     *
     * @param report the report
     * @param file the file to create or replace
     * @throws IOException if it cannot be written
     */
    public static void write(BenchReport report, Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, render(report));
    }

    /** {@return the page}; JSON has no tags then that could end the element it is in. */
    static String render(BenchReport report) throws IOException {
        return template().replace(PLACE, '>' + JsonFile.text(data(report)).replace("<", "\\u003c") + '<');
    }

    private static String template() throws IOException {
        try (InputStream template = HtmlPage.class.getResourceAsStream(TEMPLATE)) {
            if (template == null) {
                throw new IOException(TEMPLATE + " is missing from the jar");
            }
            return new String(template.readAllBytes(), UTF_8);
        }
    }

    /** The report, and the words for what it names. */
    private static Map<String, Object> data(BenchReport report) {
        return Map.of(
                "report", report,
                "units", named(Unit.values(), Unit::notation),
                "routes", named(PathSetup.values(), route ->
                        Map.of("title", route.title(), "description", route.description())),
                "apis", named(Api.values(), Api::title),
                "methods", methods(report),
                "tables", List.of(
                        table(ServiceTable.TITLE, ServiceTable.LEGEND, ServiceTable.lines(report)),
                        table(ExsTable.TITLE, ExsTable.LEGEND, ExsTable.lines(report))));
    }

    private static Map<String, Object> table(String title, String legend, List<List<String>> lines) {
        return Map.of("title", title, "legend", legend, "lines", lines);
    }

    private static <E> Map<String, Object> named(E[] values, Function<E, Object> word) {
        return Arrays.stream(values).collect(Collectors.toMap(E::toString, word));
    }

    private static Map<String, String> methods(BenchReport report) {
        Map<String, String> methods = new LinkedHashMap<>();
        List<Work> works =
                report.rows().stream().map(Row::work).distinct().map(Works::of).toList();
        works.forEach(work -> methods.putIfAbsent(family(work), work.method()));
        return methods;
    }

    private static String family(Work work) {
        if (work instanceof Service) {
            return Service.FAMILY;
        }
        return work instanceof Exs ? Exs.FAMILY : work.title() + " (" + work.name() + ")";
    }
}
