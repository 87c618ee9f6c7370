/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import java.net.InetSocketAddress;

/**
 * How to ask a socket for the addresses of its TCP connection. Whoever wants to know them asks, on its own thread: the
 * answer may take system calls, which a connect need not pay.
 *
 * @param <T> the kind of socket
 */
public interface TcpAddresses<T> {
    /**
     * This end's address.
     *
     * @param socket of a connection over TCP
     * @return may be null when it is closed
     */
    InetSocketAddress local(T socket);

    /**
     * The peer's address.
     *
     * @param socket of a connection over TCP
     * @return may be null when it is closed
     */
    InetSocketAddress remote(T socket);
}
