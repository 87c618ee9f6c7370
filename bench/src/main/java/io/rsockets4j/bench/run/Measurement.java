/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.run;

import io.rsockets4j.bench.work.Job;
import io.rsockets4j.bench.work.PathSetup;
import java.util.Map;

/**
 * What one measurement gave.
 *
 * @param job the job
 * @param route the route
 * @param values the figures by the names of their metrics
 */
public record Measurement(Job job, PathSetup route, Map<String, Double> values) {
    /** Copies the values. */
    public Measurement {
        values = Map.copyOf(values);
    }
}
