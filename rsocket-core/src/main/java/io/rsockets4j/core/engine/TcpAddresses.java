/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import java.net.InetSocketAddress;

/**
 * A socket that tells the addresses of its TCP connection. Whoever wants to know them asks, on its own thread: the
 * answer may take system calls, which a connect need not pay.
 */
public interface TcpAddresses {
    /**
     * This end's address.
     *
     * @return may be null when it is closed
     */
    InetSocketAddress localOrNull();

    /**
     * The peer's address.
     *
     * @return may be null when it is closed
     */
    InetSocketAddress remoteOrNull();
}
