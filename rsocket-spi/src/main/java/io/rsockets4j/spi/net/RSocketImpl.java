/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.net;

import io.rsockets4j.core.engine.Engine;
import io.rsockets4j.core.engine.Route;
import io.rsockets4j.core.engine.TcpAddresses;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.rules.Direction;
import io.rsockets4j.spi.jdk.ConnectedBuffers;
import io.rsockets4j.spi.stream.Deadline;
import io.rsockets4j.spi.stream.HeldPort;
import io.rsockets4j.spi.stream.LinkStream;
import io.rsockets4j.spi.stream.SimpleLock;
import io.rsockets4j.spi.stream.SocketExceptions;
import io.rsockets4j.spi.stream.SocketPath;
import io.rsockets4j.spi.stream.StreamInput;
import io.rsockets4j.spi.stream.StreamOutput;
import java.io.Closeable;
import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.StandardSocketOptions;
import java.util.Set;
import sun.net.PlatformSocketImpl;

/**
 * What a {@link java.net.Socket} or {@link java.net.ServerSocket} uses instead of the JDK's implementation: a link
 * where the peer offers one, and otherwise that very implementation, whose streams the program then gets directly.
 *
 * <p>A client keeps its TCP socket when it has a link: bound, it holds the local port, and it has the options. A
 * socket that was accepted as a link has none. Thread-safe.
 *
 * <p>The internal interface marks what the JDK may accept connections into; this class must not be loaded before the
 * agent has exported its package.
 */
final class RSocketImpl extends SocketImpl
        implements PlatformSocketImpl, LinkListener.Target, TcpAddresses, Closeable {
    private final Engine engine;
    private final TcpSocket tcp;
    private final SocketPath path;
    private volatile SocketSettings settings; // replaced once, before a link is accepted
    private volatile InetSocketAddress remote; // set once, before the path has a link
    private boolean portKnown; // the program has chosen it; of the thread that binds and listens
    private volatile LinkListener listener; // set once; null on clients and plain listeners
    private volatile Cleaner.Cleanable forgotten; // set once; null on TCP alone
    private volatile boolean stream; // set by create

    /**
     * Wraps a platform implementation.
     *
     * @param engine finds paths
     * @param original what the JDK made
     * @param server whether it is for a {@link java.net.ServerSocket}
     */
    RSocketImpl(Engine engine, SocketImpl original, boolean server) {
        this.engine = engine;
        tcp = new TcpSocket(original);
        path = new SocketPath(engine, this, new SimpleLock());
        settings = server ? new ListenerSettings(tcp) : new SocketSettings(tcp);
    }

    @Override
    public TcpSocket tcp() {
        return tcp;
    }

    // ---- connecting

    @Override
    protected void create(boolean isStream) throws IOException {
        stream = isStream;
        tcp.create(isStream);
        fd = tcp.descriptor();
    }

    @Override
    protected void connect(String host, int port) throws IOException {
        connect(new InetSocketAddress(host, port), 0);
    }

    @Override
    protected void connect(InetAddress address, int port) throws IOException {
        connect(new InetSocketAddress(address, port), 0);
    }

    @Override
    protected void connect(SocketAddress address, int timeout) throws IOException {
        long deadlineNanos = Deadline.after(timeout);
        if (path.stream() != null) {
            throw new SocketException("Already connected");
        }
        if (address instanceof InetSocketAddress inet && mayHaveLink(inet)) {
            try {
                if (connectLink(inet, deadlineNanos)) {
                    return;
                }
            } catch (IOException e) {
                ensureOpen(); // whatever it is, TCP would say that the socket was closed
                close();
                throw e;
            }
        }
        try {
            tcp.connect(address, Deadline.remainingMillis(deadlineNanos));
        } catch (IOException e) {
            path.tcpFailed(address, e);
            throw e;
        }
        fillFields(tcp.address(), tcp.port(), tcp.localPort());
        path.overTcp(Direction.CONNECT);
    }

    /** What nobody here reads: some programs look at the fields of an implementation, by reflection. */
    private void fillFields(InetAddress peer, int peerPort, int ownPort) {
        if (fd == null) {
            fd = new FileDescriptor(); // of nothing, so not valid; the JDK never leaves the field null
        }
        address = peer;
        port = peerPort;
        localport = ownPort;
    }

    private boolean mayHaveLink(InetSocketAddress address) {
        return stream && !path.isClosed() && !address.isUnresolved() && address.getPort() != 0
                && !engine.leavesConnectToTcp();
    }

    /** Connects by a link if there is one. */
    private boolean connectLink(InetSocketAddress address, long deadlineNanos) throws IOException {
        InetSocketAddress target = address.getAddress().isAnyLocalAddress() // means this host, as in the JDK
                ? new InetSocketAddress(InetAddress.getLocalHost(), address.getPort()) : address;
        if (path.isKnownTcp(target)) {
            return false;
        }
        Route route = engine.connect(target, new HeldPort(tcp, settings.askedBuffers()), deadlineNanos);
        if (!path.isLink(route)) {
            return false;
        }
        attach(route.link(), target, Direction.CONNECT, route.reason());
        return true;
    }

    /** Makes this a connected socket, unless it was closed meanwhile. */
    private void attach(Link link, InetSocketAddress peer, Direction direction, Reason reason)
            throws SocketException {
        remote = peer;
        fillFields(peer.getAddress(), peer.getPort(), link.localAddress().getPort());
        SocketStream established = new SocketStream(link);
        if (!path.adopt(established, direction, reason, true)) {
            throw new SocketException("Socket closed");
        }
        forgotten = Forgotten.watch(this, established);
    }

    // ---- accepting

    @Override
    protected void bind(InetAddress host, int port) throws IOException {
        portKnown = port != 0;
        tcp.bind(host, port);
    }

    @Override
    protected void listen(int backlog) throws IOException {
        if (listener != null) {
            tcp.listen(backlog);
            return;
        }
        LinkListener offered = LinkListener.listen(engine, tcp, (ListenerSettings) settings, backlog, portKnown);
        if (offered != null) {
            listener = offered; // volatile store before the load of closed: pairs with close
            forgotten = Forgotten.watch(this, offered);
        }
        if (path.isClosed()) {
            if (offered != null) {
                offered.close();
            }
            throw new SocketException("Socket closed");
        }
    }

    @Override
    protected void accept(SocketImpl into) throws IOException {
        RSocketImpl target = (RSocketImpl) into;
        LinkListener merged = listener;
        if (merged != null) {
            try {
                merged.accept(target);
            } finally {
                // This is the last that is needed of this object: a program that has nothing but a thread in accept()
                // would have its listener closed as forgotten, during the accept.
                Reference.reachabilityFence(this);
            }
        } else {
            InetSocketAddress local = tcp.localAddress();
            do {
                tcp.accept(target.tcp);
            } while (!target.acceptedTcp(local));
        }
    }

    @Override
    public void accepted(Link established, ListenerSettings from) throws SocketException {
        settings = new AcceptedSettings(tcp, from);
        attach(established, established.remoteAddress(), Direction.ACCEPT, Reason.PEER_CHOICE);
    }

    @Override
    public boolean acceptedTcp(InetSocketAddress from) throws IOException {
        if (engine.acceptsTcp(from, tcp.remoteAddress())) {
            fd = tcp.descriptor();
            fillFields(tcp.address(), tcp.port(), tcp.localPort());
            path.overTcp(Direction.ACCEPT);
            return true;
        }
        tcp.renew();
        return false;
    }

    // ---- data

    @Override
    protected InputStream getInputStream() throws IOException {
        LinkStream link = path.stream();
        return link == null ? tcp.inputStream() : new StreamInput(link, this, settings);
    }

    @Override
    protected OutputStream getOutputStream() throws IOException {
        LinkStream link = path.stream();
        return link == null ? tcp.outputStream() : new StreamOutput(link, this);
    }

    @Override
    protected int available() throws IOException {
        LinkStream link = path.stream();
        return link == null ? tcp.available() : link.available();
    }

    @Override
    protected boolean supportsUrgentData() {
        return tcp.supportsUrgentData();
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
        LinkStream link = path.stream();
        if (link == null) {
            tcp.sendUrgentData(data);
        } else {
            try {
                link.writeUrgent((byte) data);
            } catch (SocketException e) {
                throw path.isClosed() ? e : new IOException(e.getMessage()); // as the JDK
            } finally {
                Reference.reachabilityFence(this); // it may wait; see accept
            }
        }
    }

    // ---- the end

    @Override
    protected void shutdownInput() throws IOException {
        LinkStream link = path.stream();
        if (link == null) {
            tcp.shutdownInput();
        } else {
            ensureOpen();
            link.shutdownInput();
        }
    }

    @Override
    protected void shutdownOutput() throws IOException {
        LinkStream link = path.stream();
        if (link == null) {
            tcp.shutdownOutput();
        } else {
            ensureOpen();
            try {
                link.shutdownOutput();
            } finally {
                Reference.reachabilityFence(this); // it may wait for a writer; see accept
            }
        }
    }

    @Override
    public void close() throws IOException {
        if (!path.close(settings.lingerSeconds() == 0)) {
            return;
        }
        try {
            LinkListener merged = listener;
            if (merged != null) {
                merged.close();
            } else if (path.stream() == null) { // with a link the TCP socket holds the port until the peer has closed
                tcp.close();
            }
        } finally {
            path.unregister();
            Cleaner.Cleanable nowClosed = forgotten;
            if (nowClosed != null) {
                nowClosed.clean();
            }
        }
    }

    private void ensureOpen() throws SocketException {
        if (path.isClosed()) {
            throw new SocketException("Socket closed");
        }
    }

    // ---- addresses and options

    @Override
    protected FileDescriptor getFileDescriptor() {
        return tcp.descriptor();
    }

    @Override
    protected InetAddress getInetAddress() {
        return path.stream() == null ? tcp.address() : remote.getAddress();
    }

    @Override
    protected int getPort() {
        return path.stream() == null ? tcp.port() : remote.getPort();
    }

    @Override
    protected int getLocalPort() {
        LinkStream link = path.stream();
        return link == null ? tcp.localPort() : link.link().localAddress().getPort();
    }

    @Override
    public InetSocketAddress localOrNull() {
        return tcp.localAddress();
    }

    @Override
    public InetSocketAddress remoteOrNull() {
        return tcp.remoteAddress();
    }

    @Override
    protected Set<SocketOption<?>> supportedOptions() {
        return tcp.supportedOptions();
    }

    @Override
    protected <T> void setOption(SocketOption<T> name, T value) throws IOException {
        ensureOpen();
        settings.set(name, value);
        if (name == StandardSocketOptions.SO_KEEPALIVE) {
            path.keepAlive((Boolean) value);
        }
    }

    @Override
    protected <T> T getOption(SocketOption<T> name) throws IOException {
        ensureOpen();
        return hasConnectedBuffer(name) ? name.type().cast(ConnectedBuffers.get(name, false)) : settings.get(name);
    }

    @Override
    public void setOption(int id, Object value) throws SocketException {
        ensureOpen();
        settings.set(id, value);
        if (id == SocketOptions.SO_KEEPALIVE) {
            path.keepAlive((Boolean) value);
        } else if (id == SocketOptions.SO_OOBINLINE) {
            path.urgentInline((Boolean) value);
        }
    }

    @Override
    public Object getOption(int id) throws SocketException {
        ensureOpen();
        LinkStream link = path.stream();
        if (id == SocketOptions.SO_BINDADDR && link != null) {
            return link.link().localAddress().getAddress();
        }
        SocketOption<?> name = SocketSettings.nameOf(id);
        try {
            return hasConnectedBuffer(name) ? ConnectedBuffers.get(name, false) : settings.get(id);
        } catch (IOException e) {
            throw SocketExceptions.of(e);
        }
    }

    /** Whether TCP would answer otherwise, now that it is connected. */
    private boolean hasConnectedBuffer(SocketOption<?> name) {
        return path.stream() != null && settings.isLeftToTcp(name);
    }
}
