/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import io.rsockets4j.bench.work.Job;
import io.rsockets4j.bench.work.Loop;
import io.rsockets4j.bench.work.Service;
import io.rsockets4j.bench.work.Start;
import io.rsockets4j.bench.work.Work;
import io.rsockets4j.bench.work.Works;
import java.util.Comparator;
import java.util.List;

/** The order of a report: services first, by API; then the parts of a start, and what is alike but for the API. */
final class JobOrder {

    private static final List<Work> STARTS =
            Start.jobs().stream().map(Job::work).toList();

    static final Comparator<Job> INSTANCE = Comparator.comparingInt(
                    (Job job) -> Works.all().indexOf(job.work()))
            .thenComparing(job -> STARTS.indexOf(job.work()))
            .thenComparing(Job::sizeBytes)
            .thenComparing(Job::api)
            .thenComparing(job -> service(job).connections())
            .thenComparing(job -> service(job).loop().percent());

    private static final Service NONE = new Service(0, Loop.CLOSED);

    private JobOrder() {}

    private static Service service(Job job) {
        return job.work() instanceof Service service ? service : NONE;
    }
}
