/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.run;

import java.util.List;

/**
 * All that a run gave.
 *
 * @param samples the figures that hold, in order of measurement
 * @param failures what went wrong
 * @param jvm the name of the JVM under test
 */
public record RunResult(List<Sample> samples, List<Failure> failures, String jvm) {
    /** Copies the lists. */
    public RunResult {
        samples = List.copyOf(samples);
        failures = List.copyOf(failures);
    }
}
