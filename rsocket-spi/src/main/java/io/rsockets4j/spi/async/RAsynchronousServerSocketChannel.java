/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import io.rsockets4j.spi.channel.RServerSocketChannel;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.SelectionKey;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An asynchronous listening channel: one of our server channels in non-blocking mode, which accepts from the fabrics
 * and from TCP. Thread-safe.
 */
public final class RAsynchronousServerSocketChannel extends AsynchronousServerSocketChannel {
    private final RAsynchronousChannelGroup group;
    private final RServerSocketChannel channel;
    private final AsynchronousOptions options;
    private final Readiness readiness;
    private final AcceptOperation accept;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Makes an unbound channel.
     *
     * @param group whose threads serve it and what it accepts
     * @throws IOException if none can be made
     * @throws java.nio.channels.ShutdownChannelGroupException if the group is shut down
     */
    public RAsynchronousServerSocketChannel(RAsynchronousChannelGroup group) throws IOException {
        super(group.provider());
        this.group = group;
        this.channel = group.openServerSocketChannel();
        options = new AsynchronousOptions(channel);
        channel.configureBlocking(false);
        readiness = new Readiness(group.poller(), channel);
        accept = new AcceptOperation(group, readiness, channel);
        readiness.serve(SelectionKey.OP_ACCEPT, accept);
        group.add(this, channel);
    }

    @Override
    public AsynchronousServerSocketChannel bind(SocketAddress local, int backlog) throws IOException {
        Checks.checkLocal(local);
        channel.bind(local, backlog);
        return this;
    }

    @Override
    public <A> void accept(A attachment, CompletionHandler<AsynchronousSocketChannel, ? super A> handler) {
        Checks.requireHandler(handler);
        checkBound();
        accept.accept(handler, attachment, null);
    }

    @Override
    public Future<AsynchronousSocketChannel> accept() {
        checkBound();
        OperationFuture<AsynchronousSocketChannel> future = new OperationFuture<>(accept, this);
        accept.accept(null, null, future);
        return future;
    }

    private void checkBound() {
        if (isOpen() && !channel.socket().isBound()) {
            throw new NotYetBoundException();
        }
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        return channel.getLocalAddress();
    }

    @Override
    public <T> AsynchronousServerSocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        options.set(name, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        return options.get(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return options.supported();
    }

    @Override
    public boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            channel.close();
        } finally {
            endAccept();
        }
    }

    /** The group forgets the channel, though its executor may take no handler any more. */
    private void endAccept() {
        try {
            accept.closed();
        } finally {
            readiness.closed();
            group.remove(this);
        }
    }

    /** As the JDK's: the address, or why there is none. */
    @Override
    public String toString() {
        String state = !isOpen() ? "closed" : !channel.socket().isBound() ? "unbound"
                : String.valueOf(channel.socket().getLocalSocketAddress());
        return AsynchronousServerSocketChannel.class.getName() + "[" + state + "]";
    }
}
