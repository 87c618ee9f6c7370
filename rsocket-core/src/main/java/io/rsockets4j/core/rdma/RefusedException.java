/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import java.io.IOException;

/** Nobody offers this path at that address: the next path is tried, and nothing is wrong. */
final class RefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    RefusedException(String message) {
        super(message);
    }

    /**
     * What the peer means by a refusal.
     *
     * @param why its number in HELLO or ACCEPT
     */
    static IOException of(int why) {
        return switch (why) {
            case Hello.REFUSED_VERSION -> new PathException(Reason.VERSION, "the peer speaks no version of the RDMA"
                    + " protocol that this side does: use the same rsockets4j on both sides");
            case Hello.REFUSED_LISTENER -> new RefusedException("the listener refuses connects over RDMA");
            case Hello.REFUSED_FULL -> new PathException(Reason.BACKLOG_FULL, "the listener's backlog is full");
            default -> new PathException(Reason.REFUSED, "the peer refuses, for reason " + why
                    + (why == Hello.REFUSED_MEMORY ? ": it may pin no more memory" : ""));
        };
    }
}
