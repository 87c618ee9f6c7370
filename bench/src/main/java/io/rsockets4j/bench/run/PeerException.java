/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.run;

import java.util.List;

/** A JVM under test failed, died or kept silent for too long. */
public final class PeerException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<String> output;
    private final boolean corruption;

    PeerException(String message, List<String> output, boolean corruption) {
        super(message);
        this.output = List.copyOf(output);
        this.corruption = corruption;
    }

    /** Shows what the JVM printed: the last lines of its output. */
    public List<String> output() {
        return output;
    }

    /** Tells whether wrong bytes arrived. */
    public boolean isCorruption() {
        return corruption;
    }
}
