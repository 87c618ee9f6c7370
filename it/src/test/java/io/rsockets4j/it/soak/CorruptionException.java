/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.soak;

/** What arrived is not what was sent: nothing that a peer's death explains. */
final class CorruptionException extends RuntimeException {
    private static final long serialVersionUID = 1;

    CorruptionException(String message) {
        super(message);
    }
}
