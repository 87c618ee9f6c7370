/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import io.rsockets4j.core.engine.Announcement;
import io.rsockets4j.core.engine.Engine;
import io.rsockets4j.core.fabric.AcceptQueue;
import io.rsockets4j.core.fabric.Fabric;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.Waiter;
import io.rsockets4j.spi.jdk.JdkProvider;
import io.rsockets4j.spi.stream.AcceptSleep;
import io.rsockets4j.spi.stream.Acceptor;
import io.rsockets4j.spi.stream.AskedBuffers;
import io.rsockets4j.spi.stream.Deadline;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A listening channel that accepts from the fabrics and from TCP, on one address and port.
 *
 * <p>The JDK's channel is always there and always bound for real. Where a fabric serves the address too, the JDK's
 * channel is non-blocking from then on and a blocking accept waits for both. Thread-safe.
 */
public final class RServerSocketChannel extends ServerSocketChannel implements FabricChannel {
    private static final int DEFAULT_BACKLOG = 50;
    /** Options that belong to a connection, whatever its listener answers. */
    private static final Set<String> OF_THE_MOMENT = Set.of("SO_INCOMING_NAPI_ID", "TCP_QUICKACK");
    private static final boolean IPV4_STACK = Boolean.getBoolean("java.net.preferIPv4Stack");

    private final Engine engine;
    private final ServerSocketChannel tcp;
    private final ProtocolFamily family; // null: the JDK's choice
    private final boolean ipv4Only;
    private final AskedBuffers asked = new AskedBuffers();
    private final ReentrantLock acceptLock = new ReentrantLock(); // one accept at a time; held while it blocks
    private final ReentrantLock stateLock = new ReentrantLock();
    private final List<Watcher> watchers = new CopyOnWriteArrayList<>();
    private volatile Map<SocketOption<?>, Object> inherited = Map.of(); // replaced whole
    private volatile InetSocketAddress local; // set once, before queue
    private volatile AcceptQueue queue; // set once, under stateLock, when bound
    private volatile boolean blocking = true; // written under stateLock
    private AcceptSleep acceptSleep; // guarded by stateLock, used under acceptLock
    private boolean jdkOnly; // guarded by stateLock; a selector of the JDK's has it
    private final Acceptor.Door<SocketChannel> door = new Door();
    private volatile Acceptor<SocketChannel> acceptor; // set once, under stateLock, before queue; used under acceptLock
    private boolean closed; // guarded by stateLock
    private RServerSocket adaptor; // guarded by stateLock

    /**
     * Makes an unbound channel.
     *
     * @param provider what {@link #provider} shall return
     * @param engine offers the address on the fabrics
     * @param family the protocol family, or null to leave it to the JDK
     * @throws IOException if no socket can be made
     */
    public RServerSocketChannel(SelectorProvider provider, Engine engine, ProtocolFamily family) throws IOException {
        super(provider);
        SelectorProvider jdk = JdkProvider.get();
        this.engine = engine;
        this.tcp = family == null ? jdk.openServerSocketChannel() : jdk.openServerSocketChannel(family);
        this.family = family;
        this.ipv4Only = family == StandardProtocolFamily.INET || IPV4_STACK;
    }

    @Override
    public ServerSocketChannel bind(SocketAddress address, int backlog) throws IOException {
        bindBy(() -> tcp.bind(address, backlog), address, backlog);
        return this;
    }

    /** How the JDK's channel is bound: by itself or by its adaptor, whose exceptions differ. */
    interface Binding {
        void bind() throws IOException;
    }

    void bindBy(Binding binding, SocketAddress address, int backlog) throws IOException {
        AcceptQueue links = listen(binding, address, backlog);
        if (!adopt(links)) {
            links.close();
            throw new AsynchronousCloseException();
        }
        for (Watcher watcher : watchers) {
            watcher.pathChanged();
        }
    }

    /** The JDK's bind makes the channel listen too, so that what comes before is done with the port held by another. */
    private AcceptQueue listen(Binding binding, SocketAddress address, int backlog) throws IOException {
        try (PortHold hold = local == null ? PortHold.take(tcp, family, address) : null;
                Announcement announced = hold == null || isJdkOnly() ? null
                        : engine.announce(request(hold.address(), backlog))) {
            binding.bind();
            local = (InetSocketAddress) tcp.getLocalAddress();
            optionsChanged();
            return engine.listen(request(local, backlog), announced);
        }
    }

    private boolean isJdkOnly() {
        stateLock.lock();
        try {
            return jdkOnly;
        } finally {
            stateLock.unlock();
        }
    }

    private Fabric.ListenRequest request(InetSocketAddress address, int backlog) throws IOException {
        return new Fabric.ListenRequest(address, ipv4Only, sharesPort(), backlog < 1 ? DEFAULT_BACKLOG : backlog,
                asked.has(StandardSocketOptions.SO_RCVBUF) ? tcp.getOption(StandardSocketOptions.SO_RCVBUF) : 0);
    }

    private boolean adopt(AcceptQueue links) throws IOException {
        stateLock.lock();
        try {
            if (!closed) {
                acceptor = new Acceptor<>(links, true);
                queue = links;
                watchers.forEach(watcher -> links.addWaiter(watcher.waiter()));
                if (jdkOnly) {
                    links.withdraw();
                }
                if (links.isOffered()) {
                    tcp.configureBlocking(false);
                }
            }
            return !closed;
        } finally {
            stateLock.unlock();
        }
    }

    private boolean sharesPort() throws IOException {
        return tcp.supportedOptions().contains(StandardSocketOptions.SO_REUSEPORT)
                && tcp.getOption(StandardSocketOptions.SO_REUSEPORT);
    }

    @Override
    public SocketChannel accept() throws IOException {
        return accept(0);
    }

    /**
     * Accepts within a time, for our adaptor too.
     *
     * @param timeoutMillis 0 for no limit
     * @return null when nothing is there in non-blocking mode
     * @throws SocketTimeoutException when the time is over
     */
    SocketChannel accept(int timeoutMillis) throws IOException {
        acceptLock.lock();
        try {
            if (!isOpen()) {
                return ClosedChannels.server(blocking, 0).accept();
            }
            AcceptQueue links = queue;
            if (links == null) {
                throw new NotYetBoundException();
            }
            if (!blocking) {
                return acceptor.acceptNow(door, false);
            }
            return links.isOffered() ? acceptor.accept(door, Deadline.after(timeoutMillis)) : acceptTcp(timeoutMillis);
        } finally {
            acceptLock.unlock();
        }
    }

    /** What an accept does here; used under the accept lock. */
    private final class Door implements Acceptor.Door<SocketChannel> {
        @Override
        public SocketChannel link(Link link) {
            return RSocketChannel.accepted(provider(), engine, link, inherited);
        }

        @Override
        public SocketChannel tcp(boolean seen) throws IOException {
            return acceptTcp(0);
        }

        @Override
        public void check() throws AsynchronousCloseException {
            if (!isOpen()) {
                throw new AsynchronousCloseException();
            }
            if (Thread.currentThread().isInterrupted()) {
                begin();
                end(false);
            }
        }

        /** An interrupt closes the channel, which ends the sleep. */
        @Override
        public boolean sleep(long deadlineNanos) throws IOException {
            AcceptSleep sleep = acceptSleep();
            begin();
            try {
                return sleep.sleep(deadlineNanos);
            } finally {
                end(isOpen());
            }
        }
    }

    /** Accepts from TCP, in whatever mode the JDK's channel is. */
    private SocketChannel acceptTcp(int timeoutMillis) throws IOException {
        while (true) {
            SocketChannel accepted;
            try {
                accepted = timeoutMillis == 0 ? tcp.accept() : acceptWithin(timeoutMillis);
            } catch (IOException e) {
                throw closedWith(e);
            }
            if (accepted == null) {
                return null;
            }
            if (engine.acceptsTcp(local, (InetSocketAddress) accepted.getRemoteAddress())) {
                return RSocketChannel.accepted(provider(), engine, accepted);
            }
            accepted.close();
        }
    }

    private SocketChannel acceptWithin(int timeoutMillis) throws IOException {
        ServerSocket jdk = tcp.socket();
        jdk.setSoTimeout(timeoutMillis);
        return jdk.accept().getChannel();
    }

    /** An interrupt or a close may have closed the JDK's channel alone, or have been seen by it first. */
    private IOException closedWith(IOException cause) throws IOException {
        if (!tcp.isOpen()) {
            close();
            if (blocking && cause.getClass() == ClosedChannelException.class) {
                return new AsynchronousCloseException();
            }
        }
        return cause;
    }

    private AcceptSleep acceptSleep() throws IOException {
        stateLock.lock();
        try {
            if (closed) {
                throw new AsynchronousCloseException();
            }
            if (acceptSleep == null) {
                acceptSleep = new AcceptSleep(queue, tcp, engine.lendBell());
            }
            return acceptSleep;
        } finally {
            stateLock.unlock();
        }
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        return tcp.getLocalAddress();
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        tcp.setOption(name, value);
        changed(name);
        return this;
    }

    /** An option was set, here or by the adaptor. */
    void changed(SocketOption<?> name) throws IOException {
        asked.note(name);
        if (local != null) {
            optionsChanged();
        }
    }

    /** Reads what connections that are accepted from now on inherit. */
    private void optionsChanged() throws IOException {
        Map<SocketOption<?>, Object> values = new HashMap<>();
        for (SocketOption<?> name : tcp.supportedOptions()) {
            values.put(name, tcp.getOption(name));
        }
        values.keySet().removeIf(name -> OF_THE_MOMENT.contains(name.name()));
        inherited = values;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        return tcp.getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return tcp.supportedOptions();
    }

    @Override
    public ServerSocket socket() {
        stateLock.lock();
        try {
            if (adaptor == null) {
                adaptor = new RServerSocket(this, tcp.socket());
            }
            return adaptor;
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
        acceptLock.lock(); // a blocking accept ends in the mode that it began in
        stateLock.lock();
        try {
            if (queue == null || !queue.isOffered()) {
                tcp.configureBlocking(block);
            }
            blocking = block;
        } finally {
            stateLock.unlock();
            acceptLock.unlock();
        }
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        AcceptSleep wait;
        stateLock.lock();
        try {
            closed = true;
            wait = acceptSleep;
        } finally {
            stateLock.unlock();
        }
        if (queue != null) {
            queue.close(); // before the descriptor, which is watched
        }
        tcp.close();
        if (wait != null) {
            wait.close();
        }
    }

    boolean isInBlockingMode() {
        return blocking;
    }

    private AcceptQueue offeredQueue() {
        AcceptQueue links = queue;
        return links != null && links.isOffered() ? links : null;
    }

    @Override
    public SelectableChannel jdkChannel() {
        return tcp;
    }

    @Override
    public SelectableChannel leaveFabrics() throws IOException {
        stateLock.lock();
        try {
            jdkOnly = true;
            if (queue != null) {
                queue.withdraw();
            }
            tcp.configureBlocking(false);
        } finally {
            stateLock.unlock();
        }
        return tcp;
    }

    @Override
    public Object source() {
        return offeredQueue();
    }

    @Override
    public int fabricReadyOps(int ops) {
        AcceptQueue links = offeredQueue();
        return links != null && links.isPending() ? ops & SelectionKey.OP_ACCEPT : 0;
    }

    @Override
    public int filterJdkReadyOps(int ops) {
        if (local == null || engine.mayAcceptTcp(local)) {
            return ops;
        }
        try {
            refuseTcp();
            return 0;
        } catch (IOException e) {
            return ops; // accept will throw it again, to the program
        }
    }

    private void refuseTcp() throws IOException {
        SocketChannel refused = tcp.accept();
        while (refused != null) {
            engine.turnedAway(local);
            refused.close();
            refused = tcp.accept();
        }
    }

    @Override
    public void arm(int ops, Waiter waiter) {
        // addWatcher did, for every arrival
    }

    @Override
    public void disarm(Waiter waiter) {
        // removeWatcher does
    }

    @Override
    public void addWatcher(Watcher watcher) {
        stateLock.lock();
        try {
            watchers.add(watcher);
            if (queue != null) {
                queue.addWaiter(watcher.waiter());
            }
        } finally {
            stateLock.unlock();
        }
    }

    @Override
    public void removeWatcher(Watcher watcher) {
        stateLock.lock();
        try {
            watchers.remove(watcher);
            if (queue != null) {
                queue.removeWaiter(watcher.waiter());
            }
        } finally {
            stateLock.unlock();
        }
    }

    @Override
    public String toString() {
        return tcp.toString();
    }
}
