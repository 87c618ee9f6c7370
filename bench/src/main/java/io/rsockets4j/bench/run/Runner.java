/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.run;

import io.rsockets4j.bench.work.Job;
import java.util.ArrayList;
import java.util.List;

/** Carries out a plan: each job on one route after the other. */
public final class Runner {

    private final Settings settings;
    private final RunListener listener;
    private final List<Sample> samples = new ArrayList<>();
    private final List<Failure> failures = new ArrayList<>();
    private String jvm = "";

    /**
     * Makes a runner.
     *
     * @param settings what to measure
     * @param listener whom to tell how it goes
     */
    public Runner(Settings settings, RunListener listener) {
        this.settings = settings;
        this.listener = listener;
    }

    /**
     * Runs a plan to its end; what fails is taken down and the rest goes on.
     *
     * @param plan the jobs
     * @return the figures and the failures
     */
    public Outcome run(Plan plan) {
        plan.batches().forEach(this::run);
        return new Outcome(samples, failures, jvm);
    }

    private void run(List<Job> batch) {
        List<Lane> lanes = settings.routes().stream()
                .map(route -> new Lane(route, settings.jvms(), listener))
                .toList();
        try {
            lanes.forEach(Lane::start);
            lanes.forEach(Lane::awaitStarted);
            batch.forEach(job -> lanes.forEach(lane -> lane.measure(job)));
            lanes.forEach(Lane::confirm);
        } finally {
            lanes.forEach(Lane::close);
        }
        lanes.forEach(this::collect);
    }

    private void collect(Lane lane) {
        samples.addAll(lane.confirmed());
        failures.addAll(lane.failures());
        jvm = lane.jvm().isEmpty() ? jvm : lane.jvm();
    }
}
