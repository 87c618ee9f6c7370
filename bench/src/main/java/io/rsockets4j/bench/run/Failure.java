/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.run;

import java.util.List;

/**
 * What went wrong with a measurement.
 *
 * @param subject which measurements have no figures for it
 * @param reason what happened
 * @param output the last lines that the JVM printed
 * @param corruption whether wrong bytes arrived
 */
public record Failure(String subject, String reason, List<String> output, boolean corruption) {
    /** Copies the output. */
    public Failure {
        output = List.copyOf(output);
    }

    static Failure of(String subject, PeerException cause) {
        return new Failure(subject, cause.getMessage(), cause.output(), cause.isCorruption());
    }
}
