/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite.kit;

import java.io.IOException;
import java.nio.channels.SocketChannel;

/** The two ends of one connection, both blocking. */
public final class Pair {
    private final SocketChannel client;
    private final SocketChannel server;

    /**
     * @param client the end that connected
     * @param server the end that was accepted
     */
    public Pair(SocketChannel client, SocketChannel server) {
        this.client = client;
        this.server = server;
    }

    /** @return the end that connected */
    public SocketChannel client() {
        return client;
    }

    /** @return the end that was accepted */
    public SocketChannel server() {
        return server;
    }

    /**
     * Sets both ends' mode.
     *
     * @param blocking the mode
     * @return this
     * @throws IOException when it fails
     */
    public Pair configureBlocking(boolean blocking) throws IOException {
        client.configureBlocking(blocking);
        server.configureBlocking(blocking);
        return this;
    }
}
