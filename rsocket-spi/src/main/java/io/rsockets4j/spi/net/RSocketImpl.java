/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.net;

import io.rsockets4j.core.engine.ConnectionInfo;
import io.rsockets4j.core.engine.Engine;
import io.rsockets4j.core.engine.Route;
import io.rsockets4j.core.engine.TcpAddresses;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.rules.Direction;
import io.rsockets4j.spi.jdk.ConnectedBuffers;
import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ref.Cleaner;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.StandardSocketOptions;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import sun.net.PlatformSocketImpl;

/**
 * What a {@link java.net.Socket} or {@link java.net.ServerSocket} uses instead of the JDK's implementation: a link
 * where the peer offers one, and otherwise that very implementation, whose streams the program then gets directly.
 *
 * <p>A client keeps its TCP socket when it has a link: bound, it holds the local port, and it has the options. A
 * socket that was accepted as a link has none. Thread-safe; nothing waits under the state lock.
 *
 * <p>The internal interface marks what the JDK may accept connections into; this class must not be loaded before the
 * agent has exported its package.
 */
final class RSocketImpl extends SocketImpl implements PlatformSocketImpl {
    private final TcpSocket tcp;
    private final ReentrantLock stateLock = new ReentrantLock();
    private volatile SocketSettings settings; // replaced once, when a link is accepted, under stateLock
    private volatile LinkSocket link; // set once, under stateLock; null on TCP
    private volatile InetSocketAddress remote; // set once, before link
    private boolean portKnown; // the program has chosen it; of the thread that binds and listens
    private volatile LinkListener listener; // set once, under stateLock; null on clients and plain listeners
    private volatile Cleaner.Cleanable forgotten; // set once, under stateLock; null on TCP alone
    private volatile boolean closed; // written under stateLock
    private volatile ConnectionInfo connection; // set once, by whoever establishes it
    private volatile boolean stream; // set by create

    /**
     * Wraps a platform implementation.
     *
     * @param original what the JDK made
     * @param server whether it is for a {@link java.net.ServerSocket}
     */
    RSocketImpl(SocketImpl original, boolean server) {
        tcp = new TcpSocket(original);
        settings = server ? new ListenerSettings(tcp) : new SocketSettings(tcp);
    }

    TcpSocket tcp() {
        return tcp;
    }

    int timeoutMillis() {
        return settings.timeoutMillis();
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
        Reason reason = Reason.PREFERRED;
        if (link != null) {
            throw new SocketException("Already connected");
        }
        if (address instanceof InetSocketAddress inet && mayHaveLink(inet)) {
            try {
                reason = connectLink(inet, deadlineNanos);
                if (link != null) {
                    return;
                }
            } catch (IOException e) {
                ensureOpen(); // whatever it is, TCP would say that the socket was closed
                close();
                throw e;
            }
        }
        connectTcp(address, deadlineNanos);
        fillFields(tcp.address(), tcp.port(), tcp.localPort());
        registerTcp(Direction.CONNECT, reason);
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

    private void connectTcp(SocketAddress address, long deadlineNanos) throws IOException {
        try {
            tcp.connect(address, Deadline.remainingMillis(deadlineNanos));
        } catch (ConnectException e) {
            if (address instanceof InetSocketAddress target) {
                Engine.instance().nobodyAt(target);
            }
            throw e;
        }
    }

    private boolean mayHaveLink(InetSocketAddress address) {
        return stream && !closed && !address.isUnresolved() && address.getPort() != 0 && !Engine.isBarred();
    }

    /** Connects by a link if there is one; tells why by that path, or why not. */
    private Reason connectLink(InetSocketAddress address, long deadlineNanos) throws IOException {
        InetSocketAddress target = address.getAddress().isAnyLocalAddress() // means this host, as in the JDK
                ? new InetSocketAddress(InetAddress.getLocalHost(), address.getPort()) : address;
        Reason known = Engine.instance().knownTcp(target);
        if (known != null) {
            return known;
        }
        Route route = Engine.instance().connect(target, new TcpLocalPort(tcp, settings.askedBuffers()),
                deadlineNanos);
        if (route.link() != null) {
            attachOrFail(route.link(), target, settings);
            register(Engine.instance().connections().opened(this, Direction.CONNECT, route.link(), route.reason()));
        }
        return route.reason();
    }

    private void attachOrFail(Link established, InetSocketAddress peer, SocketSettings newSettings)
            throws SocketException {
        if (!attach(established, peer, newSettings)) {
            established.beginClose();
            established.close(true);
            throw new SocketException("Socket closed");
        }
    }

    /** Makes this a connected socket, unless it was closed meanwhile. */
    private boolean attach(Link established, InetSocketAddress peer, SocketSettings newSettings) {
        stateLock.lock();
        try {
            if (!closed) {
                remote = peer;
                settings = newSettings;
                link = new LinkSocket(this, established);
                fillFields(peer.getAddress(), peer.getPort(), established.localAddress().getPort());
                if (newSettings.keepAlive()) {
                    established.keepAlive(true);
                }
                if (newSettings.urgentInline()) {
                    established.urgentInline(true);
                }
                forgotten = Forgotten.watch(this, established);
            }
            return !closed;
        } finally {
            stateLock.unlock();
        }
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
        LinkListener offered = LinkListener.listen(tcp, (ListenerSettings) settings, backlog, portKnown);
        stateLock.lock();
        try {
            if (!closed) {
                listener = offered;
                forgotten = offered == null ? null : Forgotten.watch(this, offered);
                return;
            }
        } finally {
            stateLock.unlock();
        }
        if (offered != null) {
            offered.close();
        }
        throw new SocketException("Socket closed");
    }

    @Override
    protected void accept(SocketImpl into) throws IOException {
        RSocketImpl target = (RSocketImpl) into;
        LinkListener merged = listener;
        if (merged != null) {
            merged.accept(target);
        } else {
            InetSocketAddress local = tcp.localAddress();
            do {
                tcp.accept(target.tcp);
            } while (!target.acceptedTcp(local));
        }
    }

    /** Makes this what {@code from} has accepted. */
    void accepted(Link established, ListenerSettings from) throws SocketException {
        attachOrFail(established, established.remoteAddress(), new AcceptedSettings(tcp, from));
        register(Engine.instance().connections().opened(this, Direction.ACCEPT, established, Reason.PEER_CHOICE));
    }

    /** Takes note that {@link #tcp} was accepted; or drops it where a rule says so, and is as before: then false. */
    boolean acceptedTcp(InetSocketAddress listener) throws IOException {
        if (Engine.instance().acceptsTcp(listener, tcp.remoteAddress())) {
            fd = tcp.descriptor();
            fillFields(tcp.address(), tcp.port(), tcp.localPort());
            registerTcp(Direction.ACCEPT, Reason.PEER_CHOICE);
            return true;
        }
        tcp.renew();
        return false;
    }

    private void registerTcp(Direction direction, Reason reason) {
        register(Engine.instance().connections().openedTcp(this, direction, Addresses.OF_TCP, reason));
    }

    private void register(ConnectionInfo established) {
        connection = established;
        if (closed) { // whichever comes last, this or close, removes it
            Engine.instance().connections().closed(established);
        }
    }

    // ---- data

    @Override
    protected InputStream getInputStream() throws IOException {
        LinkSocket linked = link;
        return linked == null ? tcp.inputStream() : new LinkInputStream(linked, this);
    }

    @Override
    protected OutputStream getOutputStream() throws IOException {
        LinkSocket linked = link;
        return linked == null ? tcp.outputStream() : new LinkOutputStream(linked, this);
    }

    @Override
    protected int available() throws IOException {
        LinkSocket linked = link;
        return linked == null ? tcp.available() : linked.available();
    }

    @Override
    protected boolean supportsUrgentData() {
        return tcp.supportsUrgentData();
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
        LinkSocket linked = link;
        if (linked == null) {
            tcp.sendUrgentData(data);
        } else {
            linked.sendUrgentData(data);
        }
    }

    // ---- the end

    @Override
    protected void shutdownInput() throws IOException {
        LinkSocket linked = link;
        if (linked == null) {
            tcp.shutdownInput();
        } else {
            ensureOpen();
            linked.shutdownInput();
        }
    }

    @Override
    protected void shutdownOutput() throws IOException {
        LinkSocket linked = link;
        if (linked == null) {
            tcp.shutdownOutput();
        } else {
            ensureOpen();
            linked.shutdownOutput();
        }
    }

    @Override
    protected void close() throws IOException {
        stateLock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
        } finally {
            stateLock.unlock();
        }
        try {
            closeAll();
        } finally {
            Engine.instance().connections().closed(connection);
            Cleaner.Cleanable nowClosed = forgotten;
            if (nowClosed != null) {
                nowClosed.clean();
            }
        }
    }

    private void closeAll() throws IOException {
        LinkSocket linked = link;
        if (linked == null) {
            closeTcp();
            return;
        }
        linked.close(settings.lingerSeconds() == 0); // and a client's TCP socket when the peer has closed too
        if (settings instanceof AcceptedSettings own) {
            own.close();
        }
    }

    private void closeTcp() throws IOException {
        LinkListener merged = listener;
        if (merged == null) {
            tcp.close();
        } else {
            merged.close();
        }
    }

    private void ensureOpen() throws SocketException {
        if (closed) {
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
        return link == null ? tcp.address() : remote.getAddress();
    }

    @Override
    protected int getPort() {
        return link == null ? tcp.port() : remote.getPort();
    }

    @Override
    protected int getLocalPort() {
        LinkSocket linked = link;
        return linked == null ? tcp.localPort() : linked.link().localAddress().getPort();
    }

    @Override
    protected Set<SocketOption<?>> supportedOptions() {
        return tcp.supportedOptions();
    }

    @Override
    protected <T> void setOption(SocketOption<T> name, T value) throws IOException {
        ensureOpen();
        settings.set(name, value);
        passOn(name);
    }

    @Override
    protected <T> T getOption(SocketOption<T> name) throws IOException {
        ensureOpen();
        return hasConnectedBuffer(name) ? name.type().cast(connectedBuffer(name)) : settings.get(name);
    }

    @Override
    public void setOption(int id, Object value) throws SocketException {
        ensureOpen();
        settings.set(id, value);
        passOn(id);
    }

    /** The options that a link takes part in. */
    private void passOn(Object key) {
        LinkSocket linked = link;
        if (linked == null) {
            return;
        }
        if (key.equals(SocketOptions.SO_KEEPALIVE) || key == StandardSocketOptions.SO_KEEPALIVE) {
            linked.link().keepAlive(settings.keepAlive());
        } else if (key.equals(SocketOptions.SO_OOBINLINE)) {
            linked.link().urgentInline(settings.urgentInline());
        }
    }

    @Override
    public Object getOption(int id) throws SocketException {
        ensureOpen();
        LinkSocket linked = link;
        if (id == SocketOptions.SO_BINDADDR && linked != null) {
            return linked.link().localAddress().getAddress();
        }
        return hasConnectedBuffer(id) ? connectedBuffer(id == SocketOptions.SO_SNDBUF ? StandardSocketOptions.SO_SNDBUF
                : StandardSocketOptions.SO_RCVBUF) : settings.get(id);
    }

    /** Whether TCP would answer otherwise, now that it is connected. */
    private boolean hasConnectedBuffer(Object key) {
        return link != null && settings.isLeftToTcp(key);
    }

    private Integer connectedBuffer(SocketOption<?> name) throws SocketException {
        try {
            return ConnectedBuffers.get(name, settings instanceof AcceptedSettings);
        } catch (IOException e) {
            throw e instanceof SocketException same ? same : new SocketException(e.getMessage());
        }
    }

    /** Loaded with the first connection by TCP. */
    private static final class Addresses implements TcpAddresses<RSocketImpl> {
        static final Addresses OF_TCP = new Addresses();

        @Override
        public InetSocketAddress local(RSocketImpl socket) {
            return socket.tcp.localAddress();
        }

        @Override
        public InetSocketAddress remote(RSocketImpl socket) {
            return socket.tcp.remoteAddress();
        }
    }
}
