/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import io.rsockets4j.core.engine.Engine;
import io.rsockets4j.core.engine.PathFinder;
import io.rsockets4j.core.engine.Route;
import io.rsockets4j.core.rules.Direction;
import io.rsockets4j.spi.stream.Deadline;
import io.rsockets4j.spi.stream.HeldPort;
import io.rsockets4j.spi.stream.SocketPath;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Connects one socket channel: tries the fabrics, then TCP. Once TCP was chosen that is final. In non-blocking mode a
 * thread of {@link ConnectThreads} does what may take time. Thread-safe.
 */
final class Connector {

    private final RSocketChannel channel;
    private final Engine engine;
    private final TcpSide tcp;
    private final SocketPath path;
    private final ReentrantLock lock = new ReentrantLock(); // one attempt at a time; held while it blocks
    private volatile PathSearch search; // set under lock; cleared by whoever ends it or finishes the connect
    private volatile boolean overTcp; // set once, by whoever finds the path
    private volatile SocketAddress tcpTarget; // of the connect by TCP

    Connector(RSocketChannel channel, Engine engine, TcpSide tcp, SocketPath path) {
        this.channel = channel;
        this.engine = engine;
        this.tcp = tcp;
        this.path = path;
    }

    /** Takes note of a TCP connection that was accepted. */
    void acceptedTcp() {
        overTcp = true;
        path.overTcp(Direction.ACCEPT);
    }

    /** The channel is closed. */
    void closed() {
        PathSearch begun = search;
        if (begun != null) {
            search = null;
            begun.end(); // wakes who waits to finish; its thread will find the channel closed
        }
        path.unregister();
    }

    /** Has the JDK's channel do all from now on; false where that is too late. */
    boolean chooseTcp() {
        lock.lock();
        try {
            overTcp |= path.stream() == null && !path.isPending() && search == null;
            return overTcp;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the JDK's channel has the say from now on. */
    boolean isOverTcp() {
        return overTcp && search == null;
    }

    /** The non-blocking connect whose path is sought, or was found and is to be finished; or null. */
    PathSearch search() {
        return search;
    }

    /** As {@link SocketChannel#connect}. */
    boolean connect(SocketAddress remote) throws IOException {
        avoidEarlySelectors();
        return connect(remote, !tcp.isBlocking());
    }

    /** A selector of the JDK's, made before the agent came, could not watch a link. */
    private void avoidEarlySelectors() {
        if (ChannelDoor.mayMeetEarlySelectors() && !channel.isRegistered()) {
            chooseTcp();
        }
    }

    /** The same, but the thread may be made to wait in either mode, and no selector of a program sees the channel. */
    boolean connectPatiently(SocketAddress remote) throws IOException {
        return connect(remote, false);
    }

    private boolean connect(SocketAddress remote, boolean atOnce) throws IOException {
        if (connectFabric(remote, Long.MAX_VALUE, atOnce)) {
            return tcp.isBlocking();
        }
        SocketChannel jdk = jdkSide();
        try {
            tcpTarget = remote;
            boolean connected = jdk.connect(remote);
            established(connected);
            return connected;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Whose connect it is when no fabric has it. A closed channel's own may be open still: it holds a link's port. */
    private SocketChannel jdkSide() throws IOException {
        return channel.isOpen() ? tcp.get() : ClosedChannels.socket(tcp.isBlocking());
    }

    /** As {@link java.net.Socket#connect(SocketAddress, int)}; the channel is in blocking mode. */
    void connect(SocketAddress remote, int timeoutMillis) throws IOException {
        long deadline = Deadline.after(timeoutMillis);
        avoidEarlySelectors();
        if (connectFabric(remote, deadline, false)) {
            return;
        }
        SocketChannel jdk = jdkSide();
        try {
            tcpTarget = remote;
            jdk.socket().connect(remote, Deadline.remainingMillis(deadline));
            established(true);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** As {@link SocketChannel#finishConnect}. */
    boolean finish() throws IOException {
        if (!channel.isOpen()) {
            return jdkSide().finishConnect();
        }
        PathSearch begun = search;
        if (begun != null && !isFound(begun)) {
            return false;
        }
        if (path.finish()) {
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
            throw failed(e);
        }
    }

    private boolean isFound(PathSearch begun) throws IOException {
        if (tcp.isBlocking()) {
            channel.beginWait();
            begun.await();
            channel.endWait(channel.isOpen());
        }
        if (!channel.isOpen()) {
            throw new ClosedChannelException();
        }
        if (!begun.isOver()) {
            return false;
        }
        if (begun.failure() != null) {
            channel.close();
            throw begun.failure();
        }
        search = null;
        return true;
    }

    /** TCP did not lead there either. */
    private IOException failed(IOException cause) throws IOException {
        path.tcpFailed(tcpTarget, cause);
        return channel.closedWith(cause);
    }

    private void established(boolean connected) {
        if (connected) {
            path.overTcp(Direction.CONNECT);
        }
        channel.pathChanged();
    }

    /** Tries the fabrics. False means TCP, which also knows what is wrong with addresses that no fabric can have. */
    private boolean connectFabric(SocketAddress remote, long deadlineNanos, boolean atOnce) throws IOException {
        InetSocketAddress target = Remotes.onFabrics(remote, tcp.family());
        if (target == null || !channel.isOpen()) {
            return false;
        }
        lock.lock();
        try {
            if (path.stream() != null) {
                throw new AlreadyConnectedException();
            }
            if (path.isPending() || search != null) {
                throw new ConnectionPendingException();
            }
            if (overTcp) {
                return false;
            }
            if (path.isKnownTcp(target) || !link(target, deadlineNanos, atOnce)) {
                overTcp = true;
                return false;
            }
        } finally {
            lock.unlock();
        }
        channel.pathChanged();
        return true;
    }

    private boolean link(InetSocketAddress target, long deadlineNanos, boolean atOnce) throws IOException {
        boolean blocking = tcp.isBlocking();
        boolean linked = false;
        IOException refused = null;
        if (blocking) {
            channel.beginWait();
        }
        try {
            tcp.get(); // without a descriptor there is no path at all
            PathFinder finder = engine.pathTo(target, new HeldPort(tcp, channel.askedBuffers()));
            Route route = atOnce ? finder.findAtOnce() : finder.find(deadlineNanos);
            linked = route == null ? search(finder, target) : adopt(route, blocking);
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

    private boolean search(PathFinder finder, InetSocketAddress target) throws IOException {
        PathSearch begun = new PathSearch(target);
        search = begun;
        ConnectThreads.execute(() -> find(finder, begun));
        return true;
    }

    /** On a thread of its own. What has come to its end here is shown by the search until the program finishes it. */
    private void find(PathFinder finder, PathSearch begun) {
        try {
            if (adopt(finder.find(Long.MAX_VALUE), false) || !connectTcp(begun.remote())) {
                search = null; // the link, or the JDK's channel, is pending now
            }
            begun.end();
        } catch (IOException e) {
            begun.fail(e);
        } catch (Throwable e) { // the program must not wait for a thread that has ended
            begun.fail(new IOException(e));
        }
        channel.pathChanged();
    }

    private boolean connectTcp(InetSocketAddress target) throws IOException {
        overTcp = true;
        tcpTarget = target;
        try {
            return tcp.get().connect(target);
        } catch (ConnectException e) {
            path.tcpFailed(target, e);
            throw e;
        }
    }

    private boolean adopt(Route route, boolean finished) throws IOException {
        if (!path.isLink(route)) {
            return false;
        }
        if (!path.adopt(new ChannelStream(channel, route.link()), Direction.CONNECT, route.reason(), finished)) {
            throw new AsynchronousCloseException();
        }
        return true;
    }
}
