/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import io.rsockets4j.bench.net.Api;
import java.time.Duration;

/**
 * One measurement to make, by a server and a client alike.
 *
 * @param work what to do
 * @param api through which socket API
 * @param sizeBytes the length of a message
 * @param warmUp for how long to do it before measuring
 * @param measured for how long to measure
 */
public record Job(Work work, Api api, int sizeBytes, Duration warmUp, Duration measured) {
    /** Writes the job on one line: what {@link Works#parseJob} reads. */
    public String toLine() {
        return String.join(
                " ",
                work.name(),
                api.toString(),
                Integer.toString(sizeBytes),
                Long.toString(warmUp.toMillis()),
                Long.toString(measured.toMillis()));
    }
}
