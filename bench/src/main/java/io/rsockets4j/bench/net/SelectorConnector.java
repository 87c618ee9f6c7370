/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.net;

import static java.nio.channels.SelectionKey.OP_CONNECT;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** Opens non-blocking connections which share one {@link Selector}. */
final class SelectorConnector implements Connector {

    private final Selector selector;

    SelectorConnector() throws IOException {
        selector = Selector.open();
    }

    @Override
    public Link connect(int port) throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        boolean connected = channel.connect(new InetSocketAddress(Host.address(), port));
        SelectionKey key = channel.register(selector, connected ? 0 : OP_CONNECT);
        SelectorLink link = new SelectorLink(key, channel);
        if (!connected) {
            link.await(OP_CONNECT);
            channel.finishConnect();
        }
        return link;
    }

    @Override
    public void close() throws IOException {
        selector.close();
    }
}
