/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.fabric.PathException;
import io.rsockets4j.core.reason.Reason;
import java.io.IOException;

/** The text with which a peer refuses: the reason, where it has a number of its own, then what happened. */
final class Refusal {
    private static final String SEPARATOR = ": ";

    private Refusal() { }

    /** The text to send, for example {@code 24 version: versions 2 to 3 do not include 1}. */
    static String sent(IOException cause) {
        Reason reason = PathException.reasonOf(cause);
        return reason == Reason.FAILED ? String.valueOf(cause.getMessage()) : reason + SEPARATOR + cause.getMessage();
    }

    /** What a text of the peer's means here: its reason if we know that too, and otherwise just a refusal. */
    static PathException received(String text) {
        Reason meant = Reason.REFUSED;
        for (Reason reason : Reason.values()) {
            if (!reason.isChoice() && text.startsWith(reason + SEPARATOR)) {
                meant = reason;
            }
        }
        return new PathException(meant, "refused by the peer: " + text);
    }
}
