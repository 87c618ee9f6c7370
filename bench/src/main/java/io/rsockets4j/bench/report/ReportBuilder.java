/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import io.rsockets4j.bench.run.Measurement;
import io.rsockets4j.bench.run.RunResult;
import io.rsockets4j.bench.work.Figure;
import io.rsockets4j.bench.work.Job;
import io.rsockets4j.bench.work.Loop;
import io.rsockets4j.bench.work.PathSetup;
import io.rsockets4j.bench.work.Service;
import io.rsockets4j.bench.work.Start;
import io.rsockets4j.bench.work.Work;
import io.rsockets4j.bench.work.Works;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Condenses measurements to medians, and compares them with TCP and with what is asked. */
public final class ReportBuilder {
    private static final Pattern VERSION = Pattern.compile(" (\\d+)\\S*$");

    private static final List<Work> STARTS =
            Start.jobs().stream().map(Job::work).toList();
    private static final Service NO_SERVICE = new Service(0, Loop.CLOSED);
    /**
     * Services and extended sockets first, those by API, these as they were run; then the parts of a start, and what
     * is alike but for the API.
     */
    private static final Comparator<Job> ORDER = Comparator.comparingInt(
                    (Job job) -> Works.all().indexOf(job.work()))
            .thenComparing(job -> STARTS.indexOf(job.work()))
            .thenComparing(Job::sizeBytes)
            .thenComparing(Job::api)
            .thenComparing(job -> service(job).connections())
            .thenComparing(job -> service(job).loop().percent());

    private final int javaFeature;
    private final List<String> arguments;

    private ReportBuilder(int javaFeature, List<String> arguments) {
        this.javaFeature = javaFeature;
        this.arguments = arguments;
    }

    /**
     * Makes a report.
     *
     * @param environment where the run took place and how, by name
     * @param routes the routes compared
     * @param arguments those that the JVMs were given besides what their routes need
     * @param outcome the figures and failures
     * @return the report
     */
    public static BenchReport build(
            Map<String, String> environment, List<PathSetup> routes, List<String> arguments, RunResult outcome) {
        ReportBuilder builder = new ReportBuilder(feature(outcome.jvm()), arguments);
        List<Row> rows = new ArrayList<>();
        outcome.measurements().stream()
                .map(Measurement::job)
                .distinct()
                .sorted(ORDER)
                .forEach(job -> {
                    for (Figure metric : job.work().metrics()) {
                        rows.add(builder.row(job, metric, outcome.measurements()));
                    }
                });
        return new BenchReport(environment, routes, rows, outcome.failures());
    }

    private Row row(Job job, Figure metric, List<Measurement> measurements) {
        Map<PathSetup, List<Double>> values = new EnumMap<>(PathSetup.class);
        for (Measurement measurement : measurements) {
            if (measurement.job().equals(job)) {
                values.computeIfAbsent(measurement.route(), route -> new ArrayList<>())
                        .add(measurement.values().get(metric.name()));
            }
        }
        Map<PathSetup, Cell> cells = new EnumMap<>(PathSetup.class);
        Double tcp = values.containsKey(PathSetup.TCP) ? Figure.median(values.get(PathSetup.TCP)) : null;
        values.forEach((route, list) -> cells.put(route, cell(job, metric, route, list, tcp)));
        return new Row(job.work().name(), job.work().title(), job.sizeBytes(), job.api(), metric, cells);
    }

    private Cell cell(Job job, Figure metric, PathSetup route, List<Double> samples, Double tcp) {
        double median = Figure.median(samples);
        Double ratio = route == PathSetup.TCP || tcp == null ? null : metric.unit().ratio(median, tcp);
        Cell.Asked asked = Targets.of(job, metric, route, javaFeature, arguments)
                .map(target -> target.judge(median, tcp, ratio, metric.unit()))
                .orElse(null);
        return new Cell(median, samples, ratio, asked);
    }

    private static Service service(Job job) {
        return job.work() instanceof Service service ? service : NO_SERVICE;
    }

    /** Reads the version off the name of a JVM, which ends in it; 0 if it does not. */
    private static int feature(String jvm) {
        Matcher version = VERSION.matcher(jvm);
        return version.find() ? Integer.parseInt(version.group(1)) : 0;
    }
}
