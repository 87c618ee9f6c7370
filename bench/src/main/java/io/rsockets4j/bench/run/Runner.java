/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.run;

import io.rsockets4j.bench.work.Job;
import io.rsockets4j.bench.work.PathSetup;
import io.rsockets4j.bench.work.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Carries out a plan: each job on one route after the other. */
public final class Runner {
    private final RunSettings settings;
    private final Progress progress;
    private final List<Measurement> measurements = new ArrayList<>();
    private final List<Failure> failures = new ArrayList<>();
    private String jvm = "";

    /**
     * Makes a runner.
     *
     * @param settings what to measure
     * @param progress is told how it goes
     */
    public Runner(RunSettings settings, Progress progress) {
        this.settings = settings;
        this.progress = progress;
    }

    /**
     * Runs a plan to its end; what fails is taken down and the rest goes on.
     *
     * @param plan the jobs
     * @return the figures and the failures
     */
    public RunResult run(Plan plan) {
        plan.batches().forEach(this::run);
        return new RunResult(measurements, failures, jvm);
    }

    private void run(List<Job> batch) {
        Jvms jvms = settings.jvms().with(batch.get(0).work());
        List<RouteRun> runs = settings.routes().stream()
                .filter(batch.get(0).work()::suits)
                .map(route -> new RouteRun(route, jvms, progress))
                .toList();
        try {
            runs.forEach(RouteRun::start);
            runs.forEach(RouteRun::awaitStarted);
            for (Job job : batch) {
                rate(job).ifPresentOrElse(rate -> runs.forEach(run -> run.measure(job, rate)), () -> skip(job));
            }
            runs.forEach(RouteRun::confirm);
        } finally {
            runs.forEach(RouteRun::close);
        }
        runs.forEach(this::collect);
    }

    /** By what TCP reached in a batch before; 0 for a job that goes as fast as it can. */
    private OptionalDouble rate(Job job) {
        Optional<Work.Pace> pace = job.work().pace();
        if (pace.isEmpty()) {
            return OptionalDouble.of(0);
        }
        OptionalDouble best = measurements.stream()
                .filter(measurement -> measurement.route() == PathSetup.TCP
                        && measurement.job().api() == job.api()
                        && measurement.job().work().equals(pace.get().work()))
                .mapToDouble(measurement -> measurement.values().get(pace.get().metric()))
                .filter(rate -> rate > 0)
                .max();
        return best.isEmpty() ? best : OptionalDouble.of(best.getAsDouble() * pace.get().share());
    }

    private void skip(Job job) {
        String subject = job.work().name() + ' ' + job.api();
        Failure failure = new Failure(subject, "TCP yielded no rate to go by", List.of(), false);
        failures.add(failure);
        progress.onFailure(failure);
    }

    private void collect(RouteRun run) {
        measurements.addAll(run.confirmed());
        failures.addAll(run.failures());
        jvm = run.jvm().isEmpty() ? jvm : run.jvm();
    }
}
