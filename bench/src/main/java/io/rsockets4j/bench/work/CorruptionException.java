/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import java.io.IOException;

/** Bytes arrived that are not the ones sent. */
public final class CorruptionException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * Reports the difference.
     *
     * @param message what was expected and what came
     */
    public CorruptionException(String message) {
        super(message);
    }
}
