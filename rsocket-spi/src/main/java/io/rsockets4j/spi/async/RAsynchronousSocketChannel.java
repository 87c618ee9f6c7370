/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import io.rsockets4j.spi.channel.RSocketChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.CompletionHandler;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An asynchronous socket channel: one of our socket channels in non-blocking mode, so that it takes the same paths, and
 * its operations. Thread-safe.
 */
public final class RAsynchronousSocketChannel extends AsynchronousSocketChannel {
    private final RAsynchronousChannelGroup group;
    private final RSocketChannel channel;
    private final AsynchronousOptions options;
    private final Readiness readiness;
    private final ConnectOperation connect;
    private final ReadOperation read;
    private final WriteOperation write;
    private final AtomicBoolean closed = new AtomicBoolean();

    private RAsynchronousSocketChannel(RAsynchronousChannelGroup group, RSocketChannel channel, boolean accepted)
            throws IOException {
        super(group.provider());
        this.group = group;
        this.channel = channel;
        options = new AsynchronousOptions(channel);
        channel.configureBlocking(false);
        readiness = new Readiness(group.poller(), channel);
        connect = new ConnectOperation(group, this, readiness, channel);
        read = new ReadOperation(group, readiness, channel);
        write = new WriteOperation(group, readiness, channel);
        readiness.serve(SelectionKey.OP_CONNECT, connect);
        readiness.serve(SelectionKey.OP_READ, read);
        readiness.serve(SelectionKey.OP_WRITE, write);
        if (accepted) {
            connect.accepted();
        }
        group.add(this, channel);
    }

    /**
     * Makes an unconnected channel.
     *
     * @param group whose threads serve it
     * @return a new channel
     * @throws IOException if none can be made
     * @throws java.nio.channels.ShutdownChannelGroupException if the group is shut down
     */
    public static RAsynchronousSocketChannel unconnected(RAsynchronousChannelGroup group) throws IOException {
        return new RAsynchronousSocketChannel(group, group.openSocketChannel(), false);
    }

    static RAsynchronousSocketChannel accepted(RAsynchronousChannelGroup group, RSocketChannel channel)
            throws IOException {
        return new RAsynchronousSocketChannel(group, channel, true);
    }

    // ---- connecting

    @Override
    public <A> void connect(SocketAddress remote, A attachment, CompletionHandler<Void, ? super A> handler) {
        Checks.requireHandler(handler);
        connect.connect(checked(remote), handler, attachment, null);
    }

    @Override
    public Future<Void> connect(SocketAddress remote) {
        OperationFuture<Void> future = new OperationFuture<>(connect, this);
        connect.connect(checked(remote), null, null, future);
        return future;
    }

    /** On a closed channel the operation fails, whatever the address. */
    private SocketAddress checked(SocketAddress remote) {
        if (isOpen()) {
            Objects.requireNonNull(remote);
            if (!(remote instanceof InetSocketAddress inet)) {
                throw new UnsupportedAddressTypeException();
            }
            if (inet.isUnresolved()) {
                throw new UnresolvedAddressException();
            }
        }
        return remote;
    }

    private void checkConnected() {
        if (!connect.isConnected() && isOpen()) {
            throw new NotYetConnectedException();
        }
    }

    // ---- data

    @Override
    public <A> void read(ByteBuffer dst, long timeout, TimeUnit unit, A attachment,
            CompletionHandler<Integer, ? super A> handler) {
        Checks.requireHandler(handler);
        Checks.checkWritable(dst);
        checkConnected();
        read.transfer(dst, handler, attachment, null, unit.toNanos(timeout));
    }

    @Override
    public Future<Integer> read(ByteBuffer dst) {
        Checks.checkWritable(dst);
        checkConnected();
        OperationFuture<Integer> future = new OperationFuture<>(read, this);
        read.transfer(dst, null, null, future, 0);
        return future;
    }

    @Override
    public <A> void read(ByteBuffer[] dsts, int offset, int length, long timeout, TimeUnit unit, A attachment,
            CompletionHandler<Long, ? super A> handler) {
        Checks.requireHandler(handler);
        Objects.checkFromIndexSize(offset, length, dsts.length);
        for (int i = offset; i < offset + length; i++) {
            Checks.checkWritable(dsts[i]);
        }
        checkConnected();
        read.transfer(dsts, offset, length, handler, attachment, unit.toNanos(timeout));
    }

    @Override
    public <A> void write(ByteBuffer src, long timeout, TimeUnit unit, A attachment,
            CompletionHandler<Integer, ? super A> handler) {
        Checks.requireHandler(handler);
        Objects.requireNonNull(src);
        checkConnected();
        write.transfer(src, handler, attachment, null, unit.toNanos(timeout));
    }

    @Override
    public Future<Integer> write(ByteBuffer src) {
        Objects.requireNonNull(src);
        checkConnected();
        OperationFuture<Integer> future = new OperationFuture<>(write, this);
        write.transfer(src, null, null, future, 0);
        return future;
    }

    @Override
    public <A> void write(ByteBuffer[] srcs, int offset, int length, long timeout, TimeUnit unit, A attachment,
            CompletionHandler<Long, ? super A> handler) {
        Checks.requireHandler(handler);
        Objects.checkFromIndexSize(offset, length, srcs.length);
        checkConnected();
        write.transfer(srcs, offset, length, handler, attachment, unit.toNanos(timeout));
    }

    @Override
    public AsynchronousSocketChannel shutdownInput() throws IOException {
        ensureOpen();
        checkConnected();
        channel.shutdownInput();
        return this;
    }

    @Override
    public AsynchronousSocketChannel shutdownOutput() throws IOException {
        ensureOpen();
        checkConnected();
        write.shutdownOutput();
        return this;
    }

    // ---- addresses and options

    @Override
    public AsynchronousSocketChannel bind(SocketAddress local) throws IOException {
        ensureOpen();
        if (connect.isConnecting()) {
            throw new ConnectionPendingException();
        }
        channel.bind(local);
        return this;
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        return channel.getLocalAddress();
    }

    @Override
    public SocketAddress getRemoteAddress() throws IOException {
        ensureOpen();
        return connect.isConnected() ? channel.getRemoteAddress() : null;
    }

    @Override
    public <T> AsynchronousSocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        if (channel.isOpen() && channel.socket().isOutputShutdown()) {
            throw new IOException("Connection has been shutdown for writing"); // as the JDK
        }
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

    // ---- the end

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
            endOperations();
        }
    }

    /**
     * Each ends, and the group forgets the channel, though its executor may take no handler any more. A write's handler
     * comes before a read's, as in the JDK.
     */
    private void endOperations() {
        try {
            connect.closed();
        } finally {
            try {
                write.closed();
            } finally {
                try {
                    read.closed();
                } finally {
                    readiness.closed();
                    group.remove(this);
                }
            }
        }
    }

    private void ensureOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    @Override
    public String toString() {
        String text = channel.toString();
        return AsynchronousSocketChannel.class.getName() + text.substring(text.indexOf('['));
    }
}
