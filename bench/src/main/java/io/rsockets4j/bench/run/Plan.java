/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.run;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.work.Job;
import io.rsockets4j.bench.work.PathSetup;
import io.rsockets4j.bench.work.Work;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The jobs to do, in batches whose jobs share their JVMs.
 *
 * @param batches the batches, in order
 */
public record Plan(List<List<Job>> batches) {
    /** Copies the batches. */
    public Plan {
        batches = batches.stream().map(List::copyOf).toList();
    }

    /**
     * Makes a plan. Each repetition of each work gets JVMs of its own, because what a JVM makes of the code is part of
     * the luck that repetition evens out. In a quick run, the works of an API share JVMs unless a work minds, and long
     * works run with the first API only. What has an API of its own comes first.
     *
     * @param settings what to measure
     * @return the plan
     */
    public static Plan of(RunSettings settings) {
        List<List<Job>> batches = new ArrayList<>();
        for (Job job : settings.jobs()) {
            List<Job> turns = Collections.nCopies(settings.repeat(), job);
            if (job.work().is(Work.Trait.FRESH_JVMS)) {
                turns.forEach(turn -> batches.add(List.of(turn)));
            } else {
                batches.add(turns);
            }
        }
        for (Api api : settings.apis()) {
            List<Job> shared = new ArrayList<>();
            for (Work work : settings.works()) {
                List<Job> jobs = jobs(settings, api, work);
                if (settings.quick() && !work.is(Work.Trait.FRESH_JVMS)) {
                    shared.addAll(jobs);
                } else {
                    batches.addAll(Collections.nCopies(settings.repeat(), jobs));
                }
            }
            batches.addAll(Collections.nCopies(settings.repeat(), shared));
        }
        batches.removeIf(List::isEmpty);
        return new Plan(batches);
    }

    /** {@return how many measurements it takes to do all jobs, repetitions included, on the routes that suit them} */
    public int count(List<PathSetup> routes) {
        return batches.stream()
                .flatMap(List::stream)
                .mapToInt(job -> (int) routes.stream().filter(job.work()::suits).count())
                .sum();
    }

    private static List<Job> jobs(RunSettings settings, Api api, Work work) {
        boolean skipped = !work.suits(api)
                || settings.quick() && work.is(Work.Trait.LONG) && api != settings.apis().get(0);
        return skipped
                ? List.of()
                : sizes(settings, work).stream()
                        .map(size -> new Job(work, api, size, settings.warmUp(), settings.measured()))
                        .toList();
    }

    /** A work with one size has it for a reason; one with several takes those asked for. */
    private static List<Integer> sizes(RunSettings settings, Work work) {
        if (work.sizes().size() == 1) {
            return work.sizes();
        } else if (!settings.sizes().isEmpty()) {
            return settings.sizes();
        }
        return settings.quick() ? work.quickSizes() : work.sizes();
    }
}
