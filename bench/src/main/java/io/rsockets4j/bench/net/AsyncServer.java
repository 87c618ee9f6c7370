/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.util.function.Supplier;

/** A server of completion handlers, on the threads of the default group. */
final class AsyncServer implements Server, CompletionHandler<AsynchronousSocketChannel, Void> {
    private final AsynchronousServerSocketChannel listener;
    private final Supplier<ServerSession> sessions;
    private final int port;
    private volatile boolean closed;

    private AsyncServer(AsynchronousServerSocketChannel listener, Supplier<ServerSession> sessions) throws IOException {
        this.listener = listener;
        this.sessions = sessions;
        port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
    }

    static AsyncServer start(Supplier<ServerSession> sessions) throws IOException {
        AsynchronousServerSocketChannel listener = AsynchronousServerSocketChannel.open();
        listener.bind(new InetSocketAddress(ServerHost.address(), 0), ServerHost.BACKLOG);
        AsyncServer server = new AsyncServer(listener, sessions);
        listener.accept(null, server);
        return server;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public void completed(AsynchronousSocketChannel channel, Void unused) {
        listener.accept(null, this);
        try {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        } catch (IOException e) {
            System.err.println("accept: " + e);
        }
        new Connection(channel, sessions.get()).read();
    }

    @Override
    public void failed(Throwable failure, Void unused) {
        if (!closed) {
            System.err.println("accept: " + failure);
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        listener.close();
    }

    /** Each handler begins the next operation. The attachment is what it writes, null in a read. */
    private record Connection(AsynchronousSocketChannel channel, ServerSession session)
            implements CompletionHandler<Integer, ByteBuffer> {
        void read() {
            channel.read(session.target(), null, this);
        }

        @Override
        public void completed(Integer count, ByteBuffer written) {
            ByteBuffer reply = written;
            if (reply == null) {
                if (count < 0) {
                    close();
                    return;
                }
                reply = session.received();
            }
            if (reply.hasRemaining()) {
                channel.write(reply, reply, this);
            } else if (session.isFinished()) {
                close();
            } else {
                read();
            }
        }

        @Override
        public void failed(Throwable failure, ByteBuffer written) {
            System.err.println("serve: " + failure);
            close();
        }

        private void close() {
            try {
                channel.close();
            } catch (IOException e) {
                System.err.println("serve: " + e);
            }
        }
    }
}
