/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import io.rsockets4j.bench.work.Job;
import io.rsockets4j.bench.work.Works;
import java.util.Comparator;

/** The order of a report: what is alike but for the API stands together. */
final class JobOrder {

    static final Comparator<Job> INSTANCE = Comparator.comparingInt(
                    (Job job) -> Works.all().indexOf(job.work()))
            .thenComparing(Job::sizeBytes)
            .thenComparing(Job::api);

    private JobOrder() {}
}
