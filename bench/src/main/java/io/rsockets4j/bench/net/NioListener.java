/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;

/**
 * A listener over a blocking {@link ServerSocketChannel}.
 *
 * @param channel the bound channel
 */
record NioListener(ServerSocketChannel channel) implements Listener {

    /** Connections that may wait to be accepted: as many as any work opens in a row. */
    static final int BACKLOG = 1024;

    static NioListener bind() throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        channel.bind(new InetSocketAddress(Host.address(), 0), BACKLOG);
        return new NioListener(channel);
    }

    @Override
    public int port() {
        return channel.socket().getLocalPort();
    }

    @Override
    public Link accept() throws IOException {
        return new NioLink(channel.accept());
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
