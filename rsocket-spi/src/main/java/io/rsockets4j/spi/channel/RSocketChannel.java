/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import io.rsockets4j.core.engine.Engine;
import io.rsockets4j.core.engine.TcpAddresses;
import io.rsockets4j.core.fabric.BufferSizes;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.SourceMemory;
import io.rsockets4j.core.fabric.Waiter;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.rules.Direction;
import io.rsockets4j.spi.jdk.ConnectedBuffers;
import io.rsockets4j.spi.stream.AcceptedOptions;
import io.rsockets4j.spi.stream.AskedBuffers;
import io.rsockets4j.spi.stream.LinkStream;
import io.rsockets4j.spi.stream.SocketPath;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * A socket channel whose path is chosen when it connects: a fabric's link, or TCP by a channel of the JDK.
 *
 * <p>The JDK's channel is made when it is needed: to bind, to keep options, to hold a link's local port, or to connect
 * by TCP. Once TCP is chosen every call goes straight to it. Before, it also answers whatever can only fail, so that
 * the exceptions are the JDK's. Thread-safe, as any socket channel.
 */
public final class RSocketChannel extends SocketChannel implements FabricChannel, TcpAddresses {
    private static final AtomicReferenceFieldUpdater<RSocketChannel, RSocket> ADAPTOR =
            AtomicReferenceFieldUpdater.newUpdater(RSocketChannel.class, RSocket.class, "adaptor");

    private final TcpSide tcp;
    private final SocketPath path;
    private final AcceptedOptions options; // null unless accepted from a fabric
    private final Connector connector;
    private final Watchers watchers = new Watchers();
    private volatile RSocket adaptor; // made when first asked for
    private final AskedBuffers asked = new AskedBuffers();
    private volatile boolean abortive; // SO_LINGER is 0; last writer wins

    private RSocketChannel(SelectorProvider provider, Engine engine, TcpSide tcp, AcceptedOptions options) {
        super(provider);
        this.tcp = tcp;
        this.path = new SocketPath(engine, this, tcp.lock());
        this.options = options;
        this.connector = new Connector(this, engine, tcp, path);
    }

    /**
     * Makes an unconnected channel.
     *
     * @param provider what {@link #provider} shall return
     * @param engine finds the path
     * @param family the protocol family, or null to leave it to the JDK
     * @return a new channel in blocking mode
     */
    public static RSocketChannel unconnected(SelectorProvider provider, Engine engine, ProtocolFamily family) {
        return new RSocketChannel(provider, engine, new TcpSide(family), null);
    }

    static RSocketChannel accepted(SelectorProvider provider, Engine engine, Link link,
            Map<SocketOption<?>, Object> inherited) {
        RSocketChannel channel = new RSocketChannel(provider, engine, new TcpSide((ProtocolFamily) null),
                new AcceptedOptions(inherited));
        channel.path.adopt(new ChannelStream(channel, link), Direction.ACCEPT, Reason.PEER_CHOICE, true);
        return channel;
    }

    static RSocketChannel accepted(SelectorProvider provider, Engine engine, SocketChannel tcp) {
        RSocketChannel channel = new RSocketChannel(provider, engine, new TcpSide(tcp), null);
        channel.connector.acceptedTcp();
        return channel;
    }

    // ---- data

    @Override
    public int read(ByteBuffer dst) throws IOException {
        Objects.requireNonNull(dst);
        LinkStream link = path.stream();
        if (link != null) {
            return link.read(dst);
        }
        SocketChannel jdk = found();
        try {
            return jdk.read(dst);
        } catch (IOException e) {
            throw closedWith(e);
        }
    }

    @Override
    public long read(ByteBuffer[] dsts, int offset, int length) throws IOException {
        LinkStream link = path.stream();
        if (link != null) {
            Objects.checkFromIndexSize(offset, length, dsts.length);
            return link.read(dsts, offset, length);
        }
        SocketChannel jdk = found();
        try {
            return jdk.read(dsts, offset, length);
        } catch (IOException e) {
            throw closedWith(e);
        }
    }

    @Override
    public int write(ByteBuffer src) throws IOException {
        Objects.requireNonNull(src);
        LinkStream link = path.stream();
        if (link != null) {
            return link.write(src);
        }
        SocketChannel jdk = found();
        try {
            return jdk.write(src);
        } catch (IOException e) {
            throw closedWith(e);
        }
    }

    @Override
    public long write(ByteBuffer[] srcs, int offset, int length) throws IOException {
        LinkStream link = path.stream();
        if (link != null) {
            Objects.checkFromIndexSize(offset, length, srcs.length);
            return link.write(srcs, offset, length);
        }
        SocketChannel jdk = found();
        try {
            return jdk.write(srcs, offset, length);
        } catch (IOException e) {
            throw closedWith(e);
        }
    }

    /**
     * Waits until a read would not come back with nothing, as a blocking read does, but in either mode and without
     * regard to interrupts: they end the wait, as does much else. Only where a fabric has made the connection.
     *
     * @param deadlineNanos a {@link System#nanoTime} value, or {@link Long#MAX_VALUE}
     */
    public void awaitReadable(long deadlineNanos) {
        path.stream().awaitReadable(deadlineNanos);
    }

    /** What this channel, which is connected, carries from now on is an extended socket's. */
    public void useRegisteredMemory() {
        LinkStream link = path.stream();
        if (link != null) {
            link.link().useRegisteredMemory();
        }
    }

    /**
     * Lets the peer write straight into a buffer whose read is pending, where the path can do so.
     *
     * @param dst the buffer, behind those that are offered; the link's until a read of it brings what it waits for, or
     *     {@link #takeBack}
     * @param waitAll whether it waits until it is full
     * @return whether it is offered, perhaps since an earlier call
     */
    public boolean offer(ByteBuffer dst, boolean waitAll) {
        LinkStream link = path.stream();
        return link != null && link.offer(dst, waitAll);
    }

    /** The read that was pending has failed, and none comes after it: no byte lands in its buffer any more. */
    public void takeBack() {
        LinkStream link = path.stream();
        if (link != null) {
            link.takeBack();
        }
    }

    /**
     * Sends straight from a buffer whose write is pending, where the path can do so.
     *
     * @param src the buffer, behind those that are lent, all of which are under way; the link's until a write of it
     *     moves bytes, or {@link #reclaim}
     * @param of what memory it is a part of that the program keeps, null if it may free it afterwards
     * @return whether all of it is under way, perhaps since an earlier call
     */
    public boolean lend(ByteBuffer src, SourceMemory.Part of) {
        LinkStream link = path.stream();
        return link != null && link.lend(src, of);
    }

    /** The write that was pending has failed, and none comes after it: no byte is read from its buffer any more. */
    public void reclaim() {
        LinkStream link = path.stream();
        if (link != null) {
            link.reclaim();
        }
    }

    /** The JDK's channel, unless it must not be used yet though it may be connected already. */
    private SocketChannel found() throws IOException {
        SocketChannel jdk = tcp.get();
        if (connector.search() != null) {
            ensureOpen();
            throw new NotYetConnectedException();
        }
        return jdk;
    }

    /** An interrupt closes the JDK's channel only, so this one follows. */
    IOException closedWith(IOException cause) throws IOException {
        SocketChannel jdk = tcp.orNull();
        if (jdk != null && !jdk.isOpen()) {
            close();
        }
        return cause;
    }

    // ---- what a stream needs of its channel

    boolean isInBlockingMode() {
        return tcp.isBlocking();
    }

    /** A thread begins to wait; an interrupt, also one that is pending, closes this channel. */
    void beginWait() {
        begin();
    }

    void endWait(boolean completed) throws AsynchronousCloseException {
        end(completed);
    }

    // ---- connecting

    @Override
    public boolean connect(SocketAddress remote) throws IOException {
        return connector.connect(remote);
    }

    void connect(SocketAddress remote, int timeoutMillis) throws IOException {
        connector.connect(remote, timeoutMillis);
    }

    /**
     * Connects, but the calling thread may be made to wait for the peer's answer in non-blocking mode too.
     *
     * @param remote as for {@link #connect(SocketAddress)}
     * @return whether the connect need not be finished
     * @throws IOException as {@code connect}
     */
    public boolean connectPatiently(SocketAddress remote) throws IOException {
        return connector.connectPatiently(remote);
    }

    @Override
    public boolean finishConnect() throws IOException {
        return connector.finish();
    }

    /** Tells the selectors that the path or the state of this channel is another. */
    void pathChanged() {
        watchers.forEach(Watcher::pathChanged);
    }

    @Override
    public boolean isConnected() {
        return path.stream() != null ? isOpen() : connector.search() == null && tcp.isConnected();
    }

    @Override
    public boolean isConnectionPending() {
        return path.isPending() || connector.search() != null ? isOpen() : tcp.isConnectionPending();
    }

    // ---- the rest of a socket

    @Override
    public SocketChannel bind(SocketAddress local) throws IOException {
        if (path.link() != null || connector.search() != null) {
            ensureOpen();
            throw isConnectionPending() ? new ConnectionPendingException() : new AlreadyBoundException();
        }
        tcp.get().bind(local);
        return this;
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        ensureOpen();
        Link link = path.link();
        SocketChannel jdk = tcp.orNull();
        return link != null ? link.localAddress() : jdk == null ? null : jdk.getLocalAddress();
    }

    @Override
    public SocketAddress getRemoteAddress() throws IOException {
        ensureOpen();
        Link link = path.link();
        PathSearch search = connector.search();
        if (link == null && search != null) {
            return search.remote();
        }
        SocketChannel jdk = tcp.orNull();
        return link != null ? link.remoteAddress() : jdk == null ? null : jdk.getRemoteAddress();
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        check(name);
        if (!name.type().isInstance(value)) {
            throw new IllegalArgumentException("Invalid value '" + value + "'");
        }
        if (path.link() != null) {
            ensureOpen(); // the JDK's channel may be open still, to hold the port
        }
        if (options != null) {
            options.set(name, value);
        } else {
            tcp.get().setOption(name, value);
        }
        asked.note(name);
        if (name == StandardSocketOptions.SO_LINGER) {
            abortive = value instanceof Integer seconds && seconds == 0;
        } else if (name == StandardSocketOptions.SO_KEEPALIVE) {
            path.keepAlive((Boolean) value);
        } else if (name.name().equals("SO_OOBINLINE")) { // no public constant names it
            path.urgentInline((Boolean) value);
        }
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        check(name);
        if (path.link() != null) {
            ensureOpen();
        }
        if (options != null) {
            return options.get(name);
        }
        if (path.link() != null && ConnectedBuffers.isSize(name) && !asked.has(name)) {
            return name.type().cast(ConnectedBuffers.get(name, false));
        }
        return tcp.get().getOption(name);
    }

    /** Refuses options that no TCP socket has. */
    private static void check(SocketOption<?> name) {
        Objects.requireNonNull(name);
        if (!AcceptedOptions.supported().contains(name)) {
            throw new UnsupportedOperationException("'" + name + "' not supported");
        }
    }

    /** What the program asked of its buffers before it connected. */
    BufferSizes askedBuffers() throws IOException {
        return asked.sizes(tcp);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return AcceptedOptions.supported();
    }

    @Override
    public SocketChannel shutdownInput() throws IOException {
        LinkStream link = path.stream();
        if (link == null) {
            found().shutdownInput();
        } else {
            ensureOpen();
            link.shutdownInput();
        }
        return this;
    }

    @Override
    public SocketChannel shutdownOutput() throws IOException {
        LinkStream link = path.stream();
        if (link == null) {
            found().shutdownOutput();
        } else {
            ensureOpen();
            link.shutdownOutput();
        }
        return this;
    }

    @Override
    public Socket socket() {
        if (adaptor == null) {
            ADAPTOR.compareAndSet(this, null, RSocket.of(this));
        }
        return adaptor;
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        if (block) {
            watchers.forEach(Watcher::releaseJdkKey);
        }
        LinkStream link = path.stream();
        if (link == null) {
            tcp.configureBlocking(block);
        } else {
            link.quiesce(() -> tcp.setBlocking(block)); // a blocking call ends in the mode that it began in
        }
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        path.close(abortive);
        tcp.close(path.link() != null);
        connector.closed();
    }

    private void ensureOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    // ---- what our adaptor needs: addresses stay known after a close

    boolean isInputShut() {
        LinkStream link = path.stream();
        return link != null ? link.isInputShut() : tcp.isInputShut();
    }

    boolean isOutputShut() {
        LinkStream link = path.stream();
        return link != null ? link.isOutputShut() : tcp.isOutputShut();
    }

    LinkStream stream() {
        return path.stream();
    }

    @Override
    public InetSocketAddress localOrNull() {
        Link link = path.link();
        return link != null ? link.localAddress() : tcp.localOrNull();
    }

    @Override
    public InetSocketAddress remoteOrNull() {
        Link link = path.link();
        PathSearch search = connector.search();
        return link != null ? link.remoteAddress() : search != null ? search.remote() : tcp.remoteOrNull();
    }

    SocketChannel jdkSide() throws IOException {
        return tcp.get();
    }

    // ---- what our selector needs

    @Override
    public SelectableChannel jdkChannel() {
        return connector.isOverTcp() ? tcp.orNull() : null;
    }

    @Override
    public SelectableChannel leaveFabrics() throws IOException {
        return connector.chooseTcp() ? tcp.get() : null;
    }

    @Override
    public Object source() {
        PathSearch search = connector.search();
        return search != null ? search : path.link();
    }

    /** Asks for no more than {@code ops}: each answer costs a load of what the peer writes. */
    @Override
    public int fabricReadyOps(int ops) {
        PathSearch search = path.stream() == null ? connector.search() : null;
        if (search != null) {
            return search.isOver() ? ops & SelectionKey.OP_CONNECT : 0;
        }
        LinkStream connected = path.stream();
        if (connected == null) {
            return path.isPending() ? ops & SelectionKey.OP_CONNECT : 0;
        }
        Link link = connected.link();
        int ready = (ops & SelectionKey.OP_READ) != 0 && link.isKnownReady(SelectionKey.OP_READ)
                ? SelectionKey.OP_READ : 0;
        return (ops & SelectionKey.OP_WRITE) != 0 && link.isKnownReady(SelectionKey.OP_WRITE)
                ? ready | SelectionKey.OP_WRITE : ready;
    }

    @Override
    public int filterJdkReadyOps(int ops) {
        return ops;
    }

    /** A pending link needs no arming: it is ready to be finished, and then the watchers are told. */
    @Override
    public void arm(int ops, Waiter waiter) {
        LinkStream connected = path.stream();
        if (connected != null) {
            connected.link().arm(ops, waiter);
        }
    }

    @Override
    public void disarm(Waiter waiter) {
        Link link = path.link();
        if (link != null) {
            link.disarm(waiter);
        }
    }

    @Override
    public void addWatcher(Watcher watcher) {
        watchers.add(watcher);
    }

    @Override
    public void removeWatcher(Watcher watcher) {
        watchers.remove(watcher);
        disarm(watcher.waiter());
    }

    @Override
    public String toString() {
        SocketChannel jdk = tcp.orNull();
        if (isOpen() && path.link() == null && jdk != null) {
            return jdk.toString();
        }
        String state = !isOpen() ? "closed" : path.link() == null ? "unconnected" : describe();
        return SocketChannel.class.getName() + "[" + state + "]";
    }

    /** The state and addresses as the JDK's channels print them. */
    private String describe() {
        LinkStream connected = path.stream();
        StringBuilder text = new StringBuilder(connected == null ? "connection-pending" : "connected");
        if (connected != null) {
            text.append(connected.isInputShut() ? " ishut" : "").append(connected.isOutputShut() ? " oshut" : "");
        }
        Link link = path.link();
        return text.append(" local=").append(link.localAddress()).append(" remote=").append(link.remoteAddress())
                .toString();
    }
}
