/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import io.rsockets4j.core.engine.Engine;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.Waiter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A socket channel whose path is chosen when it connects: a fabric's link, or TCP by a channel of the JDK.
 *
 * <p>The JDK's channel is made when it is needed: to bind, to keep options, to hold a link's local port, or to connect
 * by TCP. Once TCP is chosen every call goes straight to it. Before, it also answers whatever can only fail, so that
 * the exceptions are the JDK's. Thread-safe, as any socket channel.
 */
public final class RSocketChannel extends SocketChannel implements FabricChannel {
    private final Engine engine;
    private final TcpSide tcp;
    private final LinkOptions options; // null unless accepted from a fabric
    private final ReentrantLock connectLock = new ReentrantLock(); // one attempt at a time; held while it blocks
    private final ReentrantLock stateLock = new ReentrantLock();
    private final List<Watcher> watchers = new CopyOnWriteArrayList<>();
    private volatile LinkStream stream; // set once, under stateLock: connected over a fabric
    private volatile Link pending; // written under stateLock: linked, but the program has not finished connecting
    private volatile boolean overTcp; // set once, under connectLock
    private volatile boolean abortive; // SO_LINGER is 0; last writer wins
    private boolean tcpCounted; // guarded by stateLock
    private boolean closed; // guarded by stateLock
    private RSocket adaptor; // guarded by stateLock

    private RSocketChannel(SelectorProvider provider, Engine engine, TcpSide tcp, LinkOptions options) {
        super(provider);
        this.engine = engine;
        this.tcp = tcp;
        this.options = options;
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

    static RSocketChannel accepted(SelectorProvider provider, Engine engine, Link link, NetworkChannel listener) {
        RSocketChannel channel = new RSocketChannel(provider, engine, new TcpSide((ProtocolFamily) null),
                new LinkOptions(listener));
        channel.stream = new LinkStream(channel, link);
        return channel;
    }

    static RSocketChannel accepted(SelectorProvider provider, Engine engine, SocketChannel tcp) {
        RSocketChannel channel = new RSocketChannel(provider, engine, new TcpSide(tcp), null);
        channel.overTcp = true;
        channel.tcpCounted = true;
        return channel;
    }

    // ---- data

    @Override
    public int read(ByteBuffer dst) throws IOException {
        LinkStream link = stream;
        if (link != null) {
            return link.read(dst);
        }
        SocketChannel jdk = tcp.get();
        try {
            return jdk.read(dst);
        } catch (IOException e) {
            throw closedWith(jdk, e);
        }
    }

    @Override
    public long read(ByteBuffer[] dsts, int offset, int length) throws IOException {
        LinkStream link = stream;
        if (link != null) {
            Objects.checkFromIndexSize(offset, length, dsts.length);
            return link.read(dsts, offset, length);
        }
        SocketChannel jdk = tcp.get();
        try {
            return jdk.read(dsts, offset, length);
        } catch (IOException e) {
            throw closedWith(jdk, e);
        }
    }

    @Override
    public int write(ByteBuffer src) throws IOException {
        LinkStream link = stream;
        if (link != null) {
            return link.write(src);
        }
        SocketChannel jdk = tcp.get();
        try {
            return jdk.write(src);
        } catch (IOException e) {
            throw closedWith(jdk, e);
        }
    }

    @Override
    public long write(ByteBuffer[] srcs, int offset, int length) throws IOException {
        LinkStream link = stream;
        if (link != null) {
            Objects.checkFromIndexSize(offset, length, srcs.length);
            return link.write(srcs, offset, length);
        }
        SocketChannel jdk = tcp.get();
        try {
            return jdk.write(srcs, offset, length);
        } catch (IOException e) {
            throw closedWith(jdk, e);
        }
    }

    /** An interrupt closes the JDK's channel only, so this one follows. */
    IOException closedWith(SocketChannel jdk, IOException cause) throws IOException {
        if (!jdk.isOpen()) {
            close();
        }
        return cause;
    }

    // ---- what LinkStream needs of a channel

    boolean isInBlockingMode() {
        return tcp.isBlocking();
    }

    /** An interrupt that ended a wait closes the channel; whoever waits calls {@link #endWait} then. */
    void closeIfInterrupted() {
        if (Thread.currentThread().isInterrupted()) {
            begin();
        }
    }

    void endWait(boolean completed) throws AsynchronousCloseException {
        end(completed);
    }

    /** What the JDK does when a thread enters a blocking call with its interrupt status set. */
    void closeByInterrupt() throws AsynchronousCloseException {
        if (tcp.isBlocking() && isOpen()) {
            begin();
            end(false);
        }
    }

    // ---- connecting

    @Override
    public boolean connect(SocketAddress remote) throws IOException {
        InetSocketAddress target = Remotes.onFabrics(remote, tcp.family());
        if (target != null && isOpen() && connectFabric(target, Long.MAX_VALUE)) {
            return tcp.isBlocking();
        }
        SocketChannel jdk = tcp.get();
        try {
            boolean connected = jdk.connect(remote);
            tcpEstablished(connected);
            return connected;
        } catch (IOException e) {
            throw closedWith(jdk, e);
        }
    }

    /** As {@link Socket#connect(SocketAddress, int)}, for our adaptor; the channel is in blocking mode. */
    void connect(SocketAddress remote, int timeoutMillis) throws IOException {
        long deadline = timeoutMillis == 0 ? Long.MAX_VALUE
                : System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        InetSocketAddress target = Remotes.onFabrics(remote, tcp.family());
        if (target != null && isOpen() && connectFabric(target, deadline)) {
            return;
        }
        SocketChannel jdk = tcp.get();
        try {
            jdk.socket().connect(remote, timeoutMillis == 0 ? 0 : millisUntil(deadline));
            tcpEstablished(true);
        } catch (IOException e) {
            throw closedWith(jdk, e);
        }
    }

    private int millisUntil(long deadlineNanos) throws IOException {
        long left = deadlineNanos - System.nanoTime();
        if (left <= 0) {
            close();
            throw new SocketTimeoutException("Connect timed out");
        }
        return (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(left));
    }

    /** Tries the fabrics; false means TCP, for good. */
    private boolean connectFabric(InetSocketAddress target, long deadlineNanos) throws IOException {
        connectLock.lock();
        try {
            if (stream != null) {
                throw new AlreadyConnectedException();
            }
            if (pending != null) {
                throw new ConnectionPendingException();
            }
            if (overTcp || !engine.hasFabrics()) {
                overTcp = true;
                return false;
            }
            boolean blocking = tcp.isBlocking();
            if (blocking) {
                begin();
            }
            boolean linked = false;
            IOException refused = null;
            try {
                Link link = engine.connect(target, new TcpPort(tcp.get()), deadlineNanos);
                linked = link != null && adopt(link, blocking);
                overTcp = !linked;
            } catch (IOException e) {
                refused = e;
            } finally {
                if (blocking) {
                    end(linked || refused != null && isOpen());
                }
            }
            if (refused != null) {
                close(); // not before end, which would take it for somebody else's
                throw refused;
            }
            return linked;
        } finally {
            connectLock.unlock();
        }
    }

    private boolean adopt(Link link, boolean finished) throws IOException {
        stateLock.lock();
        try {
            if (!closed) {
                stream = finished ? new LinkStream(this, link) : null;
                pending = finished ? null : link;
                return true;
            }
        } finally {
            stateLock.unlock();
        }
        discard(link);
        throw new AsynchronousCloseException();
    }

    private static void discard(Link link) {
        link.beginClose();
        link.close(true);
    }

    private void tcpEstablished(boolean connected) {
        stateLock.lock();
        try {
            if (connected && !tcpCounted) {
                tcpCounted = true;
                engine.counts().opened("tcp");
            }
        } finally {
            stateLock.unlock();
        }
        pathChanged();
    }

    private void pathChanged() {
        for (Watcher watcher : watchers) {
            watcher.pathChanged();
        }
    }

    @Override
    public boolean finishConnect() throws IOException {
        if (finishLink()) {
            return true;
        }
        SocketChannel jdk = tcp.get();
        try {
            boolean connected = jdk.finishConnect();
            if (connected) {
                tcpEstablished(true);
            }
            return connected;
        } catch (IOException e) {
            throw closedWith(jdk, e);
        }
    }

    private boolean finishLink() throws IOException {
        if (stream == null && pending == null) {
            return false;
        }
        stateLock.lock();
        try {
            if (closed) {
                throw new ClosedChannelException();
            }
            if (pending != null) {
                stream = new LinkStream(this, pending);
                pending = null;
            }
        } finally {
            stateLock.unlock();
        }
        pathChanged();
        return true;
    }

    @Override
    public boolean isConnected() {
        SocketChannel jdk = tcp.orNull();
        return stream != null ? isOpen() : jdk != null && jdk.isConnected();
    }

    @Override
    public boolean isConnectionPending() {
        SocketChannel jdk = tcp.orNull();
        return pending != null ? isOpen() : jdk != null && jdk.isConnectionPending();
    }

    // ---- the rest of a socket

    @Override
    public SocketChannel bind(SocketAddress local) throws IOException {
        if (hasLink()) {
            ensureOpen();
            throw new AlreadyBoundException();
        }
        tcp.get().bind(local);
        return this;
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        ensureOpen();
        Link link = link();
        SocketChannel jdk = tcp.orNull();
        return link != null ? link.localAddress() : jdk == null ? null : jdk.getLocalAddress();
    }

    @Override
    public SocketAddress getRemoteAddress() throws IOException {
        ensureOpen();
        Link link = link();
        SocketChannel jdk = tcp.orNull();
        return link != null ? link.remoteAddress() : jdk == null ? null : jdk.getRemoteAddress();
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        Objects.requireNonNull(name);
        if (hasLink()) {
            ensureOpen(); // the JDK's channel may be open still, to hold the port
        }
        if (options != null) {
            options.set(name, value);
        } else {
            tcp.get().setOption(name, value);
        }
        if (name == StandardSocketOptions.SO_LINGER) {
            abortive = value instanceof Integer seconds && seconds == 0;
        }
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        Objects.requireNonNull(name);
        if (hasLink()) {
            ensureOpen();
        }
        if (options != null) {
            return options.get(name);
        }
        return tcp.get().getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return LinkOptions.supported();
    }

    @Override
    public SocketChannel shutdownInput() throws IOException {
        LinkStream link = stream;
        if (link == null) {
            tcp.get().shutdownInput();
        } else {
            ensureOpen();
            link.shutdownInput();
        }
        return this;
    }

    @Override
    public SocketChannel shutdownOutput() throws IOException {
        LinkStream link = stream;
        if (link == null) {
            tcp.get().shutdownOutput();
        } else {
            ensureOpen();
            link.shutdownOutput();
        }
        return this;
    }

    @Override
    public Socket socket() {
        stateLock.lock();
        try {
            if (adaptor == null) {
                adaptor = new RSocket(this);
            }
            return adaptor;
        } catch (SocketException e) {
            throw new AssertionError(e); // declared by Socket for security managers that no longer exist
        } finally {
            stateLock.unlock();
        }
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        if (block) {
            for (Watcher watcher : watchers) {
                watcher.releaseJdkKey();
            }
        }
        LinkStream link = stream;
        if (link == null) {
            tcp.configureBlocking(block);
        } else {
            link.quiesce(() -> tcp.setBlocking(block)); // a blocking call ends in the mode that it began in
        }
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        stateLock.lock();
        try {
            closed = true;
        } finally {
            stateLock.unlock();
        }
        if (pending != null) {
            discard(pending);
        } else if (stream != null) {
            stream.close(abortive);
        }
        tcp.close(hasLink());
    }

    private void ensureOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    private boolean hasLink() {
        return stream != null || pending != null;
    }

    private Link link() {
        LinkStream connected = stream;
        return connected != null ? connected.link() : pending;
    }

    // ---- what our adaptor needs: addresses stay known after a close

    boolean isInputShut() {
        LinkStream link = stream;
        SocketChannel jdk = tcp.orNull();
        return link != null ? link.isInputShut() : jdk != null && jdk.socket().isInputShutdown();
    }

    boolean isOutputShut() {
        LinkStream link = stream;
        SocketChannel jdk = tcp.orNull();
        return link != null ? link.isOutputShut() : jdk != null && jdk.socket().isOutputShutdown();
    }

    LinkStream stream() {
        return stream;
    }

    InetSocketAddress localOrNull() {
        Link link = link();
        SocketChannel jdk = tcp.orNull();
        return link != null ? link.localAddress() : jdk == null ? null : local(jdk.socket());
    }

    InetSocketAddress remoteOrNull() {
        Link link = link();
        SocketChannel jdk = tcp.orNull();
        return link != null ? link.remoteAddress()
                : jdk == null ? null : (InetSocketAddress) jdk.socket().getRemoteSocketAddress();
    }

    private static InetSocketAddress local(Socket jdk) {
        return jdk.isBound() ? (InetSocketAddress) jdk.getLocalSocketAddress() : null;
    }

    SocketChannel jdkSide() throws IOException {
        return tcp.get();
    }

    // ---- what our selector needs

    @Override
    public SelectableChannel jdkChannel() {
        return overTcp ? tcp.orNull() : null;
    }

    @Override
    public Object source() {
        return link();
    }

    @Override
    public int fabricReadyOps(int ops) {
        LinkStream connected = stream;
        if (connected != null) {
            return connected.link().ready() & ops;
        }
        return pending != null ? ops & SelectionKey.OP_CONNECT : 0;
    }

    @Override
    public int filterJdkReadyOps(int ops) {
        return ops;
    }

    @Override
    public void arm(int ops, Waiter waiter) {
        LinkStream connected = stream;
        if (connected != null) {
            connected.link().arm(ops, waiter);
        }
    }

    @Override
    public void addWatcher(Watcher watcher) {
        watchers.add(watcher);
    }

    @Override
    public void removeWatcher(Watcher watcher) {
        watchers.remove(watcher);
        Link link = link();
        if (link != null) {
            link.disarm(watcher.waiter());
        }
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(SocketChannel.class.getName()).append('[');
        Link link = link();
        SocketChannel jdk = tcp.orNull();
        if (!isOpen()) {
            text.append("closed");
        } else if (link == null) {
            return jdk == null ? text.append("unconnected]").toString() : jdk.toString();
        } else {
            LinkStream connected = stream;
            text.append(connected == null ? "connection-pending" : "connected");
            text.append(connected != null && connected.isInputShut() ? " ishut" : "");
            text.append(connected != null && connected.isOutputShut() ? " oshut" : "");
            text.append(" local=").append(link.localAddress()).append(" remote=").append(link.remoteAddress());
        }
        return text.append(']').toString();
    }
}
