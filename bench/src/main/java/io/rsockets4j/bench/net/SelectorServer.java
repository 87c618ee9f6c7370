/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.net;

import static java.nio.channels.SelectionKey.OP_ACCEPT;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.Supplier;

/** A server with one thread, whose {@code select()} loop accepts and serves every connection. */
final class SelectorServer implements Server {
    private final SelectLoop loop = new SelectLoop();
    private final ServerSocketChannel listener;
    private final Supplier<ServerSession> sessions;

    private SelectorServer(ServerSocketChannel listener, Supplier<ServerSession> sessions) throws IOException {
        this.listener = listener;
        this.sessions = sessions;
    }

    static SelectorServer start(Supplier<ServerSession> sessions) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(ServerHost.address(), 0), ServerHost.BACKLOG);
        listener.configureBlocking(false);
        SelectorServer server = new SelectorServer(listener, sessions);
        listener.register(server.loop.selector(), OP_ACCEPT, (SelectLoop.Handler) server::accept);
        server.loop.start("select");
        return server;
    }

    @Override
    public int port() {
        return listener.socket().getLocalPort();
    }

    @Override
    public void close() {
        loop.close();
    }

    private void accept() throws IOException {
        SocketChannel channel = listener.accept();
        if (channel != null) {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            SelectionKey key = channel.register(loop.selector(), OP_READ);
            key.attach(new Connection(key, channel, sessions.get()));
        }
    }

    /** Reads when it can, writes what fits, and remembers the rest. */
    private static final class Connection implements SelectLoop.Handler {
        private final SelectionKey key;
        private final SocketChannel channel;
        private final ServerSession session;
        private ByteBuffer reply = ServerSession.NOTHING;

        Connection(SelectionKey key, SocketChannel channel, ServerSession session) {
            this.key = key;
            this.channel = channel;
            this.session = session;
        }

        /** A connection that fails is closed, the others go on. */
        @Override
        public void onReady() throws IOException {
            try {
                if (!reply.hasRemaining()) {
                    read();
                } else {
                    write();
                }
            } catch (IOException e) {
                System.err.println("serve: " + e);
                channel.close();
            }
        }

        private void read() throws IOException {
            int count = channel.read(session.target());
            if (count < 0) {
                channel.close();
            } else if (count > 0) {
                reply = session.received();
                write();
            }
        }

        private void write() throws IOException {
            if (reply.hasRemaining()) {
                channel.write(reply);
            }
            if (reply.hasRemaining()) {
                key.interestOps(OP_WRITE);
            } else if (session.isFinished()) {
                channel.close();
            } else if (key.interestOps() != OP_READ) {
                key.interestOps(OP_READ);
            }
        }
    }
}
