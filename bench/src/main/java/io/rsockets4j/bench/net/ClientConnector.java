/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.net;

import java.io.Closeable;
import java.io.IOException;

/** Opens connections for one client thread; closing it releases what the connections share (a selector). */
public interface ClientConnector extends Closeable {
    /**
     * Connects to a server on this host, with TCP_NODELAY.
     *
     * @param port the server's port
     * @return the connection
     * @throws IOException if it is refused
     */
    ClientLink connect(int port) throws IOException;

    /** Connections that share nothing leave nothing to release. */
    @Override
    default void close() throws IOException {
        // each link is closed by its owner
    }
}
