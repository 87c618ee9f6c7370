/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.run.Failure;
import io.rsockets4j.bench.run.Measurement;
import io.rsockets4j.bench.run.RunResult;
import io.rsockets4j.bench.work.Figure;
import io.rsockets4j.bench.work.Job;
import io.rsockets4j.bench.work.PathSetup;
import io.rsockets4j.bench.work.Start;
import io.rsockets4j.bench.work.Work;
import io.rsockets4j.bench.work.Works;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Makes reports for tests. */
final class Reports {

    private Reports() {}

    static Job job(String work, int sizeBytes) {
        return job(work, sizeBytes, Api.NIO);
    }

    static Job job(String work, int sizeBytes, Api api) {
        return new Job(Works.of(work), api, sizeBytes, Duration.ofSeconds(1), Duration.ofSeconds(1));
    }

    static BenchReport report(Measurement... measurements) {
        List<PathSetup> routes = List.of(PathSetup.TCP, PathSetup.SHM, PathSetup.FALLBACK);
        RunResult outcome = new RunResult(List.of(measurements), List.of(), "a JVM");
        return ReportBuilder.build(Map.of(), routes, List.of(), outcome);
    }

    /** A report with all works, APIs and sizes, two measurements of each figure, and a failure with awkward text. */
    static BenchReport full() {
        List<Measurement> measurements = new ArrayList<>();
        double value = 10;
        for (Work work : Works.all()) {
            for (int size : work.sizes()) {
                for (Api api : Api.values()) {
                    for (PathSetup route : List.of(PathSetup.TCP, PathSetup.SHM, PathSetup.TCP, PathSetup.SHM)) {
                        value *= 1.01;
                        measurements.add(new Measurement(job(work.name(), size, api), route, values(work, value)));
                    }
                }
            }
        }
        for (Job job : Start.jobs()) {
            measurements.add(new Measurement(job, PathSetup.TCP, values(job.work(), value)));
            measurements.add(new Measurement(job, PathSetup.SHM, values(job.work(), value)));
        }
        Job exs = job("exs:16:32:0", 1 << 20, Api.SELECTOR);
        measurements.add(new Measurement(exs, PathSetup.TCP, values(exs.work(), value)));
        measurements.add(new Measurement(exs, PathSetup.SHM, values(exs.work(), value)));
        Failure failure = new Failure("stream <64 B> & more", "exited \"badly\" </script>", List.of("a line"), false);
        return ReportBuilder.build(
                Map.of("CPU", "a <fast> one", "JVM", "17"),
                List.of(PathSetup.TCP, PathSetup.SHM),
                List.of(),
                new RunResult(measurements, List.of(failure), "a JVM"));
    }

    private static Map<String, Double> values(Work work, double value) {
        Map<String, Double> values = new HashMap<>();
        for (Figure metric : work.metrics()) {
            values.put(metric.name(), value * (values.size() + 1));
        }
        return values;
    }
}
