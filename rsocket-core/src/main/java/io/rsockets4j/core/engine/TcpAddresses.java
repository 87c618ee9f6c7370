/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import java.net.InetSocketAddress;
import java.util.function.Function;

/**
 * How to ask a socket for the addresses of its TCP connection. They are asked for when someone wants to know them, on
 * the thread that does: the answer may take system calls, which a connect can spare. Either function may answer null
 * when the socket is closed.
 *
 * @param <T> the kind of socket
 * @param local gives this end's address
 * @param remote gives the peer's address
 */
public record TcpAddresses<T>(Function<T, InetSocketAddress> local, Function<T, InetSocketAddress> remote) { }
