/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import io.rsockets4j.spi.jdk.JdkProvider;
import io.rsockets4j.spi.stream.SimpleLock;
import io.rsockets4j.spi.stream.TcpEnd;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketOption;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;

/** A socket channel's JDK channel, made when first asked for, always in the same blocking mode. Thread-safe. */
final class TcpSide implements TcpEnd {
    private final ProtocolFamily family; // null: the JDK chooses
    private final SimpleLock lock = new SimpleLock();
    private volatile SocketChannel channel; // set once, under lock
    private volatile boolean blocking = true; // written under lock
    private volatile boolean closed; // written under lock

    TcpSide(ProtocolFamily family) {
        this.family = family;
    }

    TcpSide(SocketChannel connected) {
        this.family = null;
        this.channel = connected;
    }

    /** For short changes of the channel's state: one for both of its sides, as each lock is memory. Not reentrant. */
    SimpleLock lock() {
        return lock;
    }

    ProtocolFamily family() {
        return family;
    }

    SocketChannel get() throws IOException {
        SocketChannel made = channel;
        return made != null ? made : open();
    }

    SocketChannel orNull() {
        return channel;
    }

    boolean isConnected() {
        SocketChannel made = channel;
        return made != null && made.isConnected();
    }

    boolean isConnectionPending() {
        SocketChannel made = channel;
        return made != null && made.isConnectionPending();
    }

    boolean isInputShut() {
        SocketChannel made = channel;
        return made != null && made.socket().isInputShutdown();
    }

    boolean isOutputShut() {
        SocketChannel made = channel;
        return made != null && made.socket().isOutputShutdown();
    }

    /** The bound address, also after a close; null if never bound. */
    InetSocketAddress localOrNull() {
        SocketChannel made = channel;
        return made != null && made.socket().isBound() ? (InetSocketAddress) made.socket().getLocalSocketAddress()
                : null;
    }

    /** The peer's address, also after a close; null if never connected. */
    InetSocketAddress remoteOrNull() {
        SocketChannel made = channel;
        return made == null ? null : (InetSocketAddress) made.socket().getRemoteSocketAddress();
    }

    boolean isBlocking() {
        return blocking;
    }

    /** Changes the mode; waits, as the JDK does, for calls in progress. */
    void configureBlocking(boolean block) throws IOException {
        SocketChannel made = setBlocking(block);
        if (made != null) {
            made.configureBlocking(block);
        }
    }

    /** Changes the mode of a channel that is connected by a link, or whose JDK channel is not made yet. */
    SocketChannel setBlocking(boolean block) {
        lock.lock();
        try {
            blocking = block;
            return channel;
        } finally {
            lock.unlock();
        }
    }

    /** Closes the JDK channel, or leaves it to whoever holds a link's local port by it; none is made from now on. */
    void close(boolean holdsPort) throws IOException {
        SocketChannel made;
        lock.lock();
        try {
            closed = true;
            made = channel;
        } finally {
            lock.unlock();
        }
        if (made != null && !holdsPort) {
            made.close();
        }
    }

    // ---- what holds a link's port

    @Override
    public InetSocketAddress bound() throws IOException {
        return (InetSocketAddress) get().getLocalAddress();
    }

    @Override
    public int bind(InetAddress source) throws IOException {
        get().bind(new InetSocketAddress(source, 0));
        return bound().getPort();
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    @Override
    public void close() throws IOException {
        close(false);
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        return get().getOption(name);
    }

    private SocketChannel open() throws IOException {
        lock.lock();
        try {
            if (closed) {
                throw new ClosedChannelException();
            }
            if (channel == null) {
                SelectorProvider jdk = JdkProvider.get();
                SocketChannel made = family == null ? jdk.openSocketChannel() : jdk.openSocketChannel(family);
                if (!blocking) {
                    made.configureBlocking(false);
                }
                channel = made;
            }
            return channel;
        } finally {
            lock.unlock();
        }
    }
}
