/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.net;

import io.rsockets4j.core.bell.Bell;
import io.rsockets4j.core.engine.Announcement;
import io.rsockets4j.core.engine.Engine;
import io.rsockets4j.core.fabric.AcceptQueue;
import io.rsockets4j.core.fabric.Fabric;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.spi.jdk.JdkProvider;
import io.rsockets4j.spi.stream.AcceptSleep;
import io.rsockets4j.spi.stream.Acceptor;
import io.rsockets4j.spi.stream.Deadline;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A listening socket that merges links and TCP connections.
 *
 * <p>One thread at a time accepts, under the accept lock, as in the JDK. The JDK's implementation accepts TCP
 * connections into the JDK's implementation, so that nothing of ours is between them and the program.
 */
final class LinkListener {
    private static final Log LOG = Log.of(LinkListener.class);
    /** How long the JDK may wait for a connection that was there a moment ago. */
    private static final int TCP_ACCEPT_MILLIS = 1;

    private final TcpSocket tcp;
    private final InetSocketAddress local;
    private final ListenerSettings settings;
    private final AcceptQueue queue;
    private final AcceptSleep waiting;
    private final ReentrantLock acceptLock = new ReentrantLock();
    private final Acceptor<Target> acceptor; // guarded by acceptLock
    private volatile boolean closed; // written by close alone

    /** What a connection is accepted into. */
    interface Target {
        /** Becomes what a link leads to. */
        void accepted(Link link, ListenerSettings from) throws SocketException;

        /** What TCP is to accept into. */
        TcpSocket tcp();

        /**
         * Becomes what {@link #tcp} was accepted as, at that listener; or drops it, where a rule says so, and is as
         * before: then false.
         */
        boolean acceptedTcp(InetSocketAddress listener) throws IOException;
    }

    private LinkListener(TcpSocket tcp, InetSocketAddress local, ListenerSettings settings, AcceptQueue queue,
            Bell bell) throws IOException {
        this.tcp = tcp;
        this.local = local;
        this.settings = settings;
        this.queue = queue;
        ServerSocketChannel channel;
        try {
            channel = JdkProvider.listener(tcp.descriptor());
            channel.configureBlocking(false);
        } catch (IOException | RuntimeException e) {
            bell.release();
            throw e;
        }
        waiting = new AcceptSleep(queue, channel, bell);
        acceptor = new Acceptor<>(queue, false);
        try {
            settings.replaceTcpTimeout(TCP_ACCEPT_MILLIS);
        } catch (SocketException e) { // it was closed meanwhile
            waiting.close();
            throw e;
        }
    }

    /**
     * Listens on TCP and on every fabric.
     *
     * @param engine offers the address on the fabrics
     * @param tcp bound
     * @param settings its options
     * @param backlog how many links may be pending
     * @param portKnown whether clients may know the port, and wait for somebody to listen
     * @return what accepts from now on, or null: {@code tcp} alone does
     * @throws IOException if TCP cannot listen, or the address cannot be learned
     */
    static LinkListener listen(Engine engine, TcpSocket tcp, ListenerSettings settings, int backlog,
            boolean portKnown) throws IOException {
        InetSocketAddress local = tcp.bound();
        boolean ipv4Only = Boolean.getBoolean("java.net.preferIPv4Stack");
        boolean shared = tcp.supportedOptions().contains(StandardSocketOptions.SO_REUSEPORT)
                && settings.get(StandardSocketOptions.SO_REUSEPORT);
        Fabric.ListenRequest request = new Fabric.ListenRequest(local, ipv4Only, shared, backlog,
                settings.askedBuffers().receiveBytes());
        AcceptQueue queue;
        try (Announcement announced = portKnown ? engine.announce(request) : null) {
            tcp.listen(backlog);
            queue = engine.listen(request, announced);
        }
        boolean mayBeTcp = engine.mayAcceptTcp(local);
        if (!queue.isOffered() && mayBeTcp) {
            queue.close();
            return null;
        }
        try {
            return new LinkListener(tcp, local, settings, queue, engine.lendBell());
        } catch (IOException | RuntimeException e) {
            queue.close();
            if (!mayBeTcp) {
                throw e;
            }
            LOG.log(System.Logger.Level.WARNING, "rsockets4j: listening on TCP alone: " + e, e);
            return null;
        }
    }

    /**
     * Accepts the next connection.
     *
     * @param target becomes connected
     * @throws IOException as from {@link java.net.ServerSocket#accept}
     */
    void accept(Target target) throws IOException {
        long deadlineNanos = Deadline.after(settings.getAsInt());
        Accept accept = new Accept(target);
        try {
            accept.lock(deadlineNanos);
            try {
                acceptor.accept(accept, deadlineNanos);
            } finally {
                acceptLock.unlock();
            }
        } finally {
            SocketStream.restore(accept.interrupted);
        }
    }

    /** One accept; used by its thread alone. */
    private final class Accept implements Acceptor.Door<Target> {
        private final Target target;
        private boolean interrupted;

        Accept(Target target) {
            this.target = target;
        }

        /** Takes the accept lock in time, interrupted or not. */
        void lock(long deadlineNanos) throws SocketTimeoutException {
            if (deadlineNanos == Deadline.NEVER) {
                acceptLock.lock();
                return;
            }
            while (true) {
                try {
                    if (acceptLock.tryLock(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                        return;
                    }
                    throw new SocketTimeoutException("Accept timed out");
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }

        @Override
        public Target link(Link link) throws IOException {
            target.accepted(link, settings);
            return target;
        }

        @Override
        public Target tcp(boolean seen) throws IOException {
            if (!seen && !waiting.isTcpReady()) {
                return null;
            }
            check();
            try {
                tcp.accept(target.tcp());
            } catch (SocketTimeoutException e) {
                return null; // the client gave up meanwhile
            }
            return target.acceptedTcp(local) ? target : null;
        }

        @Override
        public void check() throws SocketException {
            if (closed) {
                throw new SocketException("Socket closed");
            }
        }

        @Override
        public boolean sleep(long deadlineNanos) throws IOException {
            boolean seen = waiting.sleep(deadlineNanos);
            interrupted |= !seen && SocketStream.takenInterrupt();
            return seen;
        }
    }

    /** Stops listening; whoever waits in {@link #accept} fails. Idempotent. */
    void close() throws IOException {
        closed = true;
        queue.close();
        waiting.wakeup();
        acceptLock.lock();
        try {
            waiting.close(); // before the descriptor, whose number may be in use again at once
        } finally {
            acceptLock.unlock();
            tcp.close();
        }
    }

    /** Stops listening where no one is there to be told of a failure. */
    void closeQuietly() {
        try {
            close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "a listener could not be closed", e);
        }
    }
}
