/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.run;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.work.Job;
import io.rsockets4j.bench.work.PathSetup;
import io.rsockets4j.bench.work.Work;
import java.time.Duration;
import java.util.List;

/**
 * What to measure.
 *
 * @param routes the routes to compare, in the order in which they take turns
 * @param apis the socket APIs
 * @param works the works
 * @param jobs what has an API and times of its own: services, each after the one that paces it, parts of a start, and
 *     streams of extended sockets
 * @param sizes message lengths in bytes; empty for those that each work has
 * @param repeat how often to measure each
 * @param warmUp for how long to warm up each time
 * @param measured for how long to measure each time
 * @param quick whether to do less of everything
 * @param omissions what is left out, and why
 * @param jvms how to start the JVMs
 */
public record RunSettings(
        List<PathSetup> routes,
        List<Api> apis,
        List<Work> works,
        List<Job> jobs,
        List<Integer> sizes,
        int repeat,
        Duration warmUp,
        Duration measured,
        boolean quick,
        List<String> omissions,
        Jvms jvms) {

    /** Copies the lists. */
    public RunSettings {
        routes = List.copyOf(routes);
        apis = List.copyOf(apis);
        works = List.copyOf(works);
        jobs = List.copyOf(jobs);
        omissions = List.copyOf(omissions);
        sizes = List.copyOf(sizes);
    }
}
