/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.net;

import static java.nio.channels.SelectionKey.OP_ACCEPT;
import static java.nio.channels.SelectionKey.OP_READ;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Iterator;
import java.util.function.Supplier;

/** A server with one thread, whose {@code select()} loop accepts and serves every connection. */
final class SelectorServer implements Server {

    private final Selector selector;
    private final ServerSocketChannel listener;
    private final Supplier<Session> sessions;
    private volatile boolean closed;

    private SelectorServer(Selector selector, ServerSocketChannel listener, Supplier<Session> sessions) {
        this.selector = selector;
        this.listener = listener;
        this.sessions = sessions;
    }

    static SelectorServer start(Supplier<Session> sessions) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(Host.address(), 0), NioListener.BACKLOG);
        listener.configureBlocking(false);
        Selector selector = Selector.open();
        listener.register(selector, OP_ACCEPT);
        SelectorServer server = new SelectorServer(selector, listener, sessions);
        BlockingServer.start("select", server::run);
        return server;
    }

    @Override
    public int port() {
        return listener.socket().getLocalPort();
    }

    @Override
    public void close() {
        closed = true;
        selector.wakeup();
    }

    private void run() {
        try (selector;
                listener) {
            while (!closed) {
                selector.select();
                dispatchSelected();
            }
            closeConnections();
        } catch (IOException e) {
            System.err.println("select loop: " + e);
        }
    }

    private void dispatchSelected() throws IOException {
        Iterator<SelectionKey> selected = selector.selectedKeys().iterator();
        while (selected.hasNext()) {
            SelectionKey key = selected.next();
            selected.remove();
            if (key.attachment() instanceof SelectorConnection connection) {
                connection.onReady();
            } else {
                accept();
            }
        }
    }

    private void accept() throws IOException {
        SocketChannel channel = listener.accept();
        if (channel != null) {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            SelectionKey key = channel.register(selector, OP_READ);
            key.attach(new SelectorConnection(key, channel, sessions.get()));
        }
    }

    private void closeConnections() throws IOException {
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
    }
}
