/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import io.rsockets4j.bench.run.Failure;
import io.rsockets4j.bench.work.PathSetup;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The results of a run, as they are kept in files.
 *
 * @param environment where it ran and how, by name
 * @param routes the routes compared
 * @param rows the figures
 * @param failures what went wrong
 */
public record BenchReport(
        Map<String, String> environment, List<PathSetup> routes, List<Row> rows, List<Failure> failures) {
    /** Copies the collections. */
    public BenchReport {
        environment = new LinkedHashMap<>(environment);
        routes = List.copyOf(routes);
        rows = List.copyOf(rows);
        failures = List.copyOf(failures);
    }

    /**
     * Counts the asked figures.
     *
     * @param met whether to count those that were met, or those that fell short
     * @return how many there are
     */
    public long count(boolean met) {
        return rows.stream()
                .flatMap(row -> row.cells().values().stream())
                .filter(cell -> cell.asked() != null && cell.asked().met() == met)
                .count();
    }

    /**
     * Finds another figure of a job.
     *
     * @param any a row of that job
     * @param metric its name
     * @return empty where the job has no such figure
     */
    Optional<Row> row(Row any, String metric) {
        return rows.stream()
                .filter(row -> row.isSameJob(any) && row.metric().name().equals(metric))
                .findFirst();
    }
}
