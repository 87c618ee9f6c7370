/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.net;

import io.rsockets4j.core.engine.Announcement;
import io.rsockets4j.core.engine.Engine;
import io.rsockets4j.core.fabric.AcceptQueue;
import io.rsockets4j.core.fabric.Fabric;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.spi.accept.AcceptSleep;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A listening socket that merges links and TCP connections.
 *
 * <p>One thread at a time accepts, under the accept lock, as in the JDK. TCP connections are accepted by the JDK's
 * implementation into the JDK's implementation, so that nothing of ours is between the program and them.
 */
final class LinkListener {
    private static final Log LOG = Log.of(LinkListener.class);
    /** How long the JDK may wait for a connection that was there a moment ago. */
    private static final int TCP_ACCEPT_MILLIS = 1;
    /** After so many links in a row TCP has its turn, so that neither starves the other. */
    private static final int LINKS_IN_A_ROW = 16;

    private final TcpSocket tcp;
    private final InetSocketAddress local;
    private final ListenerSettings settings;
    private final AcceptQueue queue;
    private final AcceptSleep waiting;
    private final ReentrantLock acceptLock = new ReentrantLock();
    private int linksInARow; // guarded by acceptLock
    private volatile boolean closed; // written by close alone

    private LinkListener(TcpSocket tcp, InetSocketAddress local, ListenerSettings settings, AcceptQueue queue)
            throws IOException {
        this.tcp = tcp;
        this.local = local;
        this.settings = settings;
        this.queue = queue;
        waiting = ListenerChannel.sleepOn(tcp.descriptor(), queue);
        settings.replaceTcpTimeout(TCP_ACCEPT_MILLIS);
    }

    /**
     * Listens on TCP and on every fabric.
     *
     * @param tcp bound
     * @param settings its options
     * @param backlog how many links may be pending
     * @param portKnown whether clients may know the port, and wait for somebody to listen
     * @return what accepts from now on, or null: {@code tcp} alone does
     * @throws IOException if TCP cannot listen, or the address cannot be learned
     */
    static LinkListener listen(TcpSocket tcp, ListenerSettings settings, int backlog, boolean portKnown)
            throws IOException {
        Engine engine = Engine.instance();
        InetSocketAddress local = new InetSocketAddress(tcp.boundAddress(), tcp.localPort());
        boolean ipv4Only = Boolean.getBoolean("java.net.preferIPv4Stack");
        boolean shared = tcp.supportedOptions().contains(StandardSocketOptions.SO_REUSEPORT)
                && settings.get(StandardSocketOptions.SO_REUSEPORT);
        Fabric.ListenRequest request = new Fabric.ListenRequest(local, ipv4Only, shared, backlog,
                settings.askedBuffers().receiveBytes());
        Announcement announced = portKnown ? engine.announce(request) : null;
        boolean listening = false;
        try {
            tcp.listen(backlog);
            listening = true;
        } finally {
            if (!listening && announced != null) {
                announced.close();
            }
        }
        AcceptQueue queue = engine.listen(request, announced);
        boolean mayBeTcp = engine.mayAcceptTcp(local);
        if (!queue.isOffered() && mayBeTcp) {
            queue.close();
            return null;
        }
        try {
            return new LinkListener(tcp, local, settings, queue);
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
    void accept(RSocketImpl target) throws IOException {
        long deadlineNanos = Deadline.after(settings.timeoutMillis());
        boolean interrupted = lock(deadlineNanos);
        try {
            while (!acceptOnce(target, deadlineNanos)) {
                if (Thread.interrupted()) {
                    interrupted = true;
                    Interrupts.failIfVirtual();
                } else if (Deadline.isPast(deadlineNanos)) {
                    throw new SocketTimeoutException("Accept timed out");
                }
            }
        } finally {
            acceptLock.unlock();
            Interrupts.restore(interrupted);
        }
    }

    private boolean acceptOnce(RSocketImpl target, long deadlineNanos) throws IOException {
        ensureOpen();
        if (linksInARow >= LINKS_IN_A_ROW) {
            linksInARow = 0;
            if (waiting.isTcpReady() && acceptTcp(target)) {
                return true;
            }
            ensureOpen(); // once more: that look may have swallowed the wake-up of a close
        }
        Link link = queue.poll();
        boolean spin = link == null && linksInARow > 0; // not where TCP connections came last
        if (spin && queue.spin()) {
            link = queue.poll();
        }
        if (link == null) {
            boolean acceptable = waiting.sleep(deadlineNanos);
            if (spin && queue.isPending()) {
                queue.slept();
            }
            return acceptable && acceptTcp(target);
        }
        linksInARow++;
        target.accepted(link, settings);
        return true;
    }

    private boolean acceptTcp(RSocketImpl target) throws IOException {
        ensureOpen();
        try {
            tcp.accept(target.tcp());
        } catch (SocketTimeoutException e) {
            return false; // the client gave up meanwhile
        }
        linksInARow = 0;
        return target.acceptedTcp(local);
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
        }
        tcp.close();
    }

    /** Stops listening where no one is there to be told of a failure. */
    void closeQuietly() {
        try {
            close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "a listener could not be closed", e);
        }
    }

    private void ensureOpen() throws SocketException {
        if (closed) {
            throw new SocketException("Socket closed");
        }
    }

    /** Takes the accept lock in time, interrupted or not; tells whether an interrupt came. */
    private boolean lock(long deadlineNanos) throws SocketTimeoutException {
        if (deadlineNanos == Deadline.NEVER) {
            acceptLock.lock();
            return false;
        }
        boolean interrupted = false;
        while (true) {
            try {
                if (acceptLock.tryLock(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    return interrupted;
                }
                Interrupts.restore(interrupted);
                throw new SocketTimeoutException("Accept timed out");
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
    }
}
