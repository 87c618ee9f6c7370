/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import java.io.IOException;
import java.net.InetSocketAddress;

/** What an acceptor says that rejects a session: the first private byte of the connection manager's message. */
final class Rejection {
    /** Nobody listens, or a rule is against it. A host that has no listener says so by itself. */
    static final byte NOBODY = 0;

    /** Too many have not said HELLO. The initiator may ask again. */
    static final byte TOO_MANY = 66;

    /** The acceptor may pin no memory for a session, or its device refuses. */
    static final byte NO_MEMORY = 67;

    private Rejection() { }

    /** What the initiator makes of it. */
    static IOException of(byte said, InetSocketAddress remote) {
        return switch (said) {
            case TOO_MANY -> new PathException(Reason.PEER_BUSY, remote + " has too many RDMA connections half open");
            case NO_MEMORY -> new PathException(Reason.REFUSED, remote + " has no memory or no device for an RDMA"
                    + " session: its log says why");
            default -> new RefusedException("nobody listens for RDMA at " + remote);
        };
    }
}
