/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import io.rsockets4j.core.engine.ConnectionInfo;
import io.rsockets4j.core.engine.Engine;
import io.rsockets4j.core.engine.Route;
import io.rsockets4j.core.engine.TcpAddresses;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.rules.Direction;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/** Connects one socket channel: tries the fabrics, then TCP. Once TCP was chosen that is final. Thread-safe. */
final class Connector {
    private static final TcpAddresses<RSocketChannel> ADDRESSES =
            new TcpAddresses<>(RSocketChannel::localOrNull, RSocketChannel::remoteOrNull);

    private final RSocketChannel channel;
    private final Engine engine;
    private final TcpSide tcp;
    private final LinkSide links;
    private final ReentrantLock lock = new ReentrantLock(); // one attempt at a time; held while it blocks
    private final AtomicBoolean registered = new AtomicBoolean(); // as a TCP connection
    private volatile Reason tcpReason = Reason.PREFERRED; // written under lock
    private volatile ConnectionInfo connection; // set once, by whoever establishes it
    private volatile boolean overTcp; // set once, under lock
    private volatile SocketAddress tcpTarget; // of the connect by TCP

    Connector(RSocketChannel channel, Engine engine, TcpSide tcp, LinkSide links) {
        this.channel = channel;
        this.engine = engine;
        this.tcp = tcp;
        this.links = links;
    }

    /** Takes note of a TCP connection that was accepted. */
    void acceptedTcp() {
        overTcp = true;
        registerTcp(Direction.ACCEPT, Reason.PEER_CHOICE);
    }

    /** Takes note of a link that was accepted. */
    void acceptedLink(Link link) {
        register(engine.connections().opened(channel, Direction.ACCEPT, link, Reason.PEER_CHOICE));
    }

    /** The channel is closed. */
    void closed() {
        engine.connections().closed(connection);
    }

    private void registerTcp(Direction direction, Reason reason) {
        if (registered.compareAndSet(false, true)) {
            register(engine.connections().openedTcp(channel, direction, ADDRESSES, reason));
        }
    }

    private void register(ConnectionInfo established) {
        connection = established;
        if (!channel.isOpen()) { // whichever comes last, this or closed, removes it
            closed();
        }
    }

    boolean isOverTcp() {
        return overTcp;
    }

    /** As {@link SocketChannel#connect}. */
    boolean connect(SocketAddress remote) throws IOException {
        if (connectFabric(remote, Long.MAX_VALUE)) {
            return tcp.isBlocking();
        }
        SocketChannel jdk = tcp.get();
        try {
            tcpTarget = remote;
            boolean connected = jdk.connect(remote);
            established(connected);
            return connected;
        } catch (IOException e) {
            throw failed(jdk, e);
        }
    }

    /** As {@link java.net.Socket#connect(SocketAddress, int)}; the channel is in blocking mode. */
    void connect(SocketAddress remote, int timeoutMillis) throws IOException {
        long deadline = timeoutMillis == 0 ? Long.MAX_VALUE
                : System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        if (connectFabric(remote, deadline)) {
            return;
        }
        SocketChannel jdk = tcp.get();
        try {
            tcpTarget = remote;
            jdk.socket().connect(remote, timeoutMillis == 0 ? 0 : millisUntil(deadline));
            established(true);
        } catch (IOException e) {
            throw failed(jdk, e);
        }
    }

    /** As {@link SocketChannel#finishConnect}. */
    boolean finish() throws IOException {
        if (links.finish()) {
            channel.pathChanged();
            return true;
        }
        SocketChannel jdk = tcp.get();
        try {
            boolean connected = jdk.finishConnect();
            if (connected) {
                established(true);
            }
            return connected;
        } catch (IOException e) {
            throw failed(jdk, e);
        }
    }

    /** TCP did not lead there either. */
    private IOException failed(SocketChannel jdk, IOException cause) throws IOException {
        if (cause instanceof ConnectException && tcpTarget instanceof InetSocketAddress target) {
            engine.nobodyAt(target);
        }
        return channel.closedWith(jdk, cause);
    }

    /** At least 1, for a moment is all that TCP needs where the time went on finding that there is nothing better. */
    private static int millisUntil(long deadlineNanos) {
        return (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime()));
    }

    private void established(boolean connected) {
        if (connected) {
            registerTcp(Direction.CONNECT, tcpReason);
        }
        channel.pathChanged();
    }

    /** Tries the fabrics. False means TCP, which also knows what is wrong with addresses that no fabric can have. */
    private boolean connectFabric(SocketAddress remote, long deadlineNanos) throws IOException {
        InetSocketAddress target = Remotes.onFabrics(remote, tcp.family());
        if (target == null || !channel.isOpen()) {
            return false;
        }
        lock.lock();
        try {
            if (links.stream() != null) {
                throw new AlreadyConnectedException();
            }
            if (links.isPending()) {
                throw new ConnectionPendingException();
            }
            if (!overTcp) {
                overTcp = !link(target, deadlineNanos);
            }
        } finally {
            lock.unlock();
        }
        if (!overTcp) {
            channel.pathChanged();
        }
        return !overTcp;
    }

    private boolean link(InetSocketAddress target, long deadlineNanos) throws IOException {
        boolean blocking = tcp.isBlocking();
        boolean linked = false;
        IOException refused = null;
        if (blocking) {
            channel.beginBlocking();
        }
        try {
            linked = link(target, deadlineNanos, blocking);
        } catch (IOException e) {
            refused = e;
        } finally {
            if (blocking) {
                channel.endWait(linked || refused != null && channel.isOpen());
            }
        }
        if (refused != null) {
            channel.close(); // not before endWait, which would take it for somebody else's
            throw refused;
        }
        return linked;
    }

    private boolean link(InetSocketAddress target, long deadlineNanos, boolean blocking) throws IOException {
        Route route = engine.connect(target, new TcpPort(tcp.get(), channel.askedBuffers(tcp.get())),
                deadlineNanos);
        if (route.link() == null) {
            tcpReason = route.reason();
            return false;
        }
        if (!links.adopt(route.link(), blocking)) {
            throw new AsynchronousCloseException();
        }
        register(engine.connections().opened(channel, Direction.CONNECT, route.link(), route.reason()));
        return true;
    }
}
