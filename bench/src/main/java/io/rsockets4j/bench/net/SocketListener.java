/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.net;

import java.io.IOException;
import java.net.ServerSocket;

/**
 * A listener over a {@link ServerSocket}.
 *
 * @param socket the bound socket
 */
record SocketListener(ServerSocket socket) implements Listener {

    static SocketListener bind() throws IOException {
        return new SocketListener(new ServerSocket(0, NioListener.BACKLOG, Host.address()));
    }

    @Override
    public int port() {
        return socket.getLocalPort();
    }

    @Override
    public Link accept() throws IOException {
        return new SocketLink(socket.accept());
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
