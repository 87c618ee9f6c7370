/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.host.EphemeralPorts;
import io.rsockets4j.core.verbs.CmId;
import io.rsockets4j.core.verbs.VerbsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The ports of sessions that this process makes. The connection manager's ports and TCP's are two spaces, and the
 * kernel chooses from the same range in both: a listener whose port TCP chose would find it taken by a session. So
 * sessions take ports above that range. Immutable.
 */
final class SessionPorts {
    private static final int PORT_TRIES = 8;
    private static final int EADDRNOTAVAIL = 99; // the kernel's answer where a wildcard has the port
    private static final int ENOUGH = 256;
    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;

    private final int first;

    /**
     * Knows a range.
     *
     * @param kernel what the kernel chooses from; null where that is unknown: it chooses for sessions too
     */
    SessionPorts(EphemeralPorts kernel) {
        first = (kernel == null ? EphemeralPorts.MAX_PORT : kernel.last()) + 1;
    }

    /**
     * Finds the device and the addresses for a link, from a port of these if one of some is free; answered by an event.
     *
     * @param id of the link
     * @param from an address of this host, or null where the route decides
     * @param remote the peer's
     * @param timeoutMillis how long this may take
     * @throws IOException if there is no RDMA device on the way there
     */
    void resolve(CmId id, InetAddress from, InetSocketAddress remote, int timeoutMillis) throws IOException {
        for (int tries = PORT_TRIES; tries > 0; tries--) {
            InetSocketAddress source = next(remote.getAddress());
            if (source == null) {
                break;
            }
            try {
                id.resolveAddress(from == null ? source : new InetSocketAddress(from, source.getPort()), remote,
                        timeoutMillis);
                return;
            } catch (VerbsException e) {
                if (!e.isAddressInUse() && e.errno() != EADDRNOTAVAIL) {
                    throw e;
                }
            }
        }
        id.resolveAddress(from == null ? null : new InetSocketAddress(from, 0), remote, timeoutMillis);
    }

    /**
     * A source for a session, one of many: the wildcard of the destination's family, so that the route decides on the
     * address.
     *
     * @param destination the peer's address
     * @return null where the kernel is to choose: it leaves no ports above its range, or the destination's scope
     *     decides on the source
     */
    InetSocketAddress next(InetAddress destination) {
        if (EphemeralPorts.MAX_PORT - first < ENOUGH || destination.isLinkLocalAddress()) {
            return null;
        }
        int bytes = destination.getAddress().length == IPV4_BYTES ? IPV4_BYTES : IPV6_BYTES;
        try {
            return new InetSocketAddress(InetAddress.getByAddress(new byte[bytes]),
                    ThreadLocalRandom.current().nextInt(first, EphemeralPorts.MAX_PORT + 1));
        } catch (UnknownHostException e) {
            throw new AssertionError(e); // only for wrong lengths
        }
    }
}
