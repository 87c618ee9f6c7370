/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.net;

import static java.nio.channels.SelectionKey.OP_CONNECT;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Set;

/** Opens non-blocking connections which share one {@link Selector}. */
final class SelectorLinks implements ClientConnector {
    private final Selector selector = Selector.open();

    SelectorLinks() throws IOException {}

    @Override
    public ClientLink connect(int port) throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        boolean connected = channel.connect(new InetSocketAddress(ServerHost.address(), port));
        SelectorLink link = new SelectorLink(channel.register(selector, connected ? 0 : OP_CONNECT), channel);
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

    /** Waits in {@code select()} before it reads, and when a write does not fit. */
    private record SelectorLink(SelectionKey key, SocketChannel channel) implements ClientLink {
        @Override
        public void write(ByteBuffer source) throws IOException {
            channel.write(source);
            while (source.hasRemaining()) {
                await(OP_WRITE);
                channel.write(source);
            }
        }

        @Override
        public int read(ByteBuffer target) throws IOException {
            int count;
            do {
                await(OP_READ);
                count = channel.read(target);
            } while (count == 0);
            return count;
        }

        /** Selects until this connection is ready. The others of its selector, if any, have nothing to say then. */
        void await(int operation) throws IOException {
            if (key.interestOps() != operation) {
                key.interestOps(operation);
            }
            Set<SelectionKey> selected = key.selector().selectedKeys();
            while (!selected.remove(key)) {
                key.selector().select();
            }
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
