/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.run;

import java.util.List;

/**
 * All that a run gave.
 *
 * @param measurements the figures that hold, in order of measurement
 * @param failures what went wrong
 * @param jvm the name of the JVM under test
 */
public record RunResult(List<Measurement> measurements, List<Failure> failures, String jvm) {
    /** Copies the lists. */
    public RunResult {
        measurements = List.copyOf(measurements);
        failures = List.copyOf(failures);
    }
}
