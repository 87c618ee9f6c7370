/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.net;

import java.io.Closeable;
import java.io.IOException;

/** A listening socket of a blocking API. */
interface Listener extends Closeable {

    /**
     * Tells the port.
     *
     * @return the local port
     */
    int port();

    /**
     * Waits for a connection.
     *
     * @return the connection, with TCP_NODELAY
     * @throws IOException if the listener is closed
     */
    Link accept() throws IOException;
}
