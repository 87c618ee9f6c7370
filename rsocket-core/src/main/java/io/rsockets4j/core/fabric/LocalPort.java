/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;

/**
 * The connecting side's local port, held by a real TCP socket that is bound but never connected, so that the address a
 * program sees is unique on the host, as over TCP.
 */
public interface LocalPort {
    /**
     * Binds the TCP socket to an ephemeral port, or to what the program bound it to before.
     *
     * @param source the address that the kernel would choose; used where the program bound none or the wildcard
     * @return the local address and port of the connection, never a wildcard
     * @throws ClosedChannelException if the program has closed it meanwhile, which is no fault of the peer's
     * @throws IOException if the address is not one of this host's, or no port is free
     */
    InetSocketAddress reserve(InetAddress source) throws IOException;

    /**
     * What the program asked of that TCP socket's buffers.
     *
     * @return sizes for the connection's rings
     */
    default BufferSizes buffers() {
        return BufferSizes.UNSET;
    }

    /**
     * Whether the program still wants a connection by it. Never blocks.
     *
     * @return false once the program has closed its socket
     */
    boolean isOpen();

    /**
     * Gives the port back by closing the TCP socket. Called once, by any thread, after <em>both</em> ends have closed
     * the connection; until then the address stays unique. Must not block or throw.
     */
    void release();
}
