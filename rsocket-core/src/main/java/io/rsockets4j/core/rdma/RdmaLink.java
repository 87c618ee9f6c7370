/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;

import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.LinkObserver;
import io.rsockets4j.core.fabric.LinkWaiters;
import io.rsockets4j.core.fabric.LocalPort;
import io.rsockets4j.core.fabric.SpinHistory;
import io.rsockets4j.core.fabric.SpinPolicy;
import io.rsockets4j.core.fabric.ThreadWaiter;
import io.rsockets4j.core.fabric.Waiter;
import io.rsockets4j.core.ring.RingCorruptedException;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;

/** A stream over an {@link RdmaConnection}, as the socket doors see it. */
final class RdmaLink extends Link {
    private final RdmaFabric fabric;
    private final RdmaConnection connection;
    private final LocalPort port;
    private final ArrivalRing in;
    private final MirrorRing out;
    private final LinkWaiters waiters = new LinkWaiters();
    private final SpinHistory readSpins;
    private final SpinHistory writeSpins;
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean closing;
    private volatile boolean outputShut;
    private volatile boolean inputShut;
    private boolean lostOne; // sending direction: the peer has closed, and one send was lost on it
    private boolean sentSinceWait; // sending direction writes, waits read it as a hint

    /**
     * Creates the link of a connection that has begun.
     *
     * @param fabric ends the connection
     * @param connection from now on this link's
     * @param local this end's address as programs see it
     * @param remote the peer's
     * @param port the initiator's local port, null on the acceptor's side
     */
    RdmaLink(RdmaFabric fabric, RdmaConnection connection, InetSocketAddress local, InetSocketAddress remote,
            LocalPort port) {
        super(local, remote);
        this.fabric = fabric;
        this.connection = connection;
        this.port = port;
        in = connection.in();
        out = connection.out();
        SpinPolicy spinPolicy = fabric.spinPolicy();
        readSpins = new SpinHistory(spinPolicy);
        writeSpins = new SpinHistory(spinPolicy);
    }

    @Override
    public String path() {
        return RdmaFabric.NAME;
    }

    @Override
    public long bytesSent() {
        return connection.sends().tail();
    }

    @Override
    public long bytesReceived() {
        return connection.sends().bytesRead();
    }

    @Override
    public long creditBytes() {
        return out.credit();
    }

    @Override
    public long stalls() {
        return waiters.stalls();
    }

    @Override
    public void observe(LinkObserver observer) {
        waiters.observe(observer);
    }

    RdmaConnection connection() {
        return connection;
    }

    // ---- data

    @Override
    public int receive(ByteBuffer dst) throws IOException {
        if (inputShut) {
            return EOF;
        }
        if (!dst.hasRemaining()) {
            return receiveNothing(dst);
        }
        int read = read(dst);
        if (read == 0) {
            connection.poller().poll();
            read = read(dst);
        }
        return read > 0 ? read : receiveNothing(dst);
    }

    private int read(ByteBuffer dst) throws IOException {
        try {
            int read = in.read(dst);
            if (read > 0 && in.isCreditDue()) {
                connection.sends().returnCredit();
            }
            return read;
        } catch (RingCorruptedException e) {
            throw new AssertionError("arrivals are checked before they are counted", e);
        } catch (IOException e) {
            connection.fail(e);
            return 0;
        }
    }

    private int receiveNothing(ByteBuffer dst) throws IOException {
        if (!dst.hasRemaining() && in.available() > 0) {
            return 0;
        }
        boolean finished = connection.isPeerFinished(); // before the look at the ring, as it was told after the bytes
        boolean reset = connection.isPeerReset();
        boolean gone = connection.isGone();
        IOException failure = connection.failure();
        if (!in.isDrained()) {
            return 0; // they came just now
        }
        if (reset || failure != null && !finished) {
            throw ended(failure);
        }
        if (finished) {
            return dst.hasRemaining() ? EOF : 0;
        }
        if (gone && dst.hasRemaining()) {
            if (out.isLeftUnread()) { // as over TCP where a process ends without reading all
                throw ended(null);
            }
            return EOF;
        }
        return 0;
    }

    private static SocketException ended(IOException cause) {
        SocketException end = new SocketException(cause instanceof SocketTimeoutException ? "Connection timed out"
                : "Connection reset");
        if (cause != null) {
            end.initCause(cause);
        }
        return end;
    }

    @Override
    public int send(ByteBuffer src) throws IOException {
        if (outputShut || lostOne || connection.failure() != null) {
            throw new IOException("Broken pipe");
        }
        if (connection.isPeerClosed()) {
            return sendToClosed(src);
        }
        sentSinceWait = true;
        try {
            int sent = out.write(src);
            if (sent == 0 && src.hasRemaining()) {
                connection.poller().poll();
                sent = out.write(src);
            }
            return sent;
        } catch (IOException e) {
            connection.fail(e);
            throw new IOException("Broken pipe", e);
        }
    }

    /** As over TCP the first write to a peer that has closed is taken and lost; the next one fails. */
    private int sendToClosed(ByteBuffer src) {
        lostOne = true;
        int lost = src.remaining();
        src.position(src.limit());
        return lost;
    }

    // ---- readiness and waiting

    @Override
    public int ready() {
        return (isReady(OP_READ) ? OP_READ : 0) | (isReady(OP_WRITE) ? OP_WRITE : 0);
    }

    @Override
    public boolean isReady(int op) {
        if (known(op) != 0) {
            return true;
        }
        connection.poller().poll();
        return known(op) != 0;
    }

    /** The operation if it is ready as far as completions have been served, else 0. */
    private int known(int op) {
        boolean ready = closing || connection.isGone() || connection.failure() != null
                || (op == OP_READ ? isReadable() : isWritable());
        return ready ? op : 0;
    }

    private boolean isReadable() {
        return inputShut || !in.isDrained() || connection.isPeerFinished() || connection.isPeerReset();
    }

    private boolean isWritable() {
        return outputShut || out.isWritable() || connection.isPeerClosed();
    }

    @Override
    public int available() {
        return inputShut || closed.get() ? 0 : in.available();
    }

    @Override
    public boolean await(int op, long deadlineNanos) {
        SpinHistory spins = op == OP_READ ? readSpins : writeSpins;
        boolean paced = op == OP_READ && !sentSinceWait;
        sentSinceWait = false;
        if (spins.spin(this, op, paced)) {
            return !closing;
        }
        park(op, deadlineNanos);
        boolean ready = known(op) != 0 && !closing;
        if (ready) {
            spins.slept();
        }
        return ready;
    }

    private void park(int op, long deadlineNanos) {
        ThreadWaiter waiter = waiters.threadWaiter(op);
        waiter.enter();
        try {
            arm(op, waiter);
            if (known(op) == 0) {
                waiter.sleep(deadlineNanos);
            }
        } finally {
            waiter.leave();
            disarm(waiter);
        }
    }

    @Override
    public void arm(int ops, Waiter waiter) {
        waiters.arm(ops, waiter, 0);
        VarHandle.fullFence(); // the waiter before the caller's look: pairs with the fence in rung
        connection.poller().arm();
        if (closing || connection.isGone()) {
            waiter.ring(this);
        }
    }

    @Override
    public void disarm(Waiter waiter) {
        waiters.remove(waiter);
    }

    /** Something may be ready: tells whoever waits. Any thread. */
    void rung() {
        VarHandle.fullFence(); // what has changed before the waiters: pairs with the fence in arm
        waiters.ring(this);
    }

    // ---- the end

    @Override
    public void keepAlive(boolean on) {
        if (on && !closed.get()) {
            fabric.keepAlive().watch(connection);
        } else {
            fabric.keepAlive().forget(connection);
        }
    }

    @Override
    public void beginShutdownOutput() {
        outputShut = true;
        rung();
    }

    @Override
    public void shutdownOutput() {
        outputShut = true;
        if (!closed.get()) {
            tell(MessageDescriptor.FINISHED);
        }
    }

    private void tell(int flags) {
        try {
            connection.sends().state(flags);
        } catch (IOException e) {
            connection.fail(e);
        }
    }

    @Override
    public void shutdownInput() {
        inputShut = true;
        rung();
    }

    @Override
    public void beginClose() {
        closing = true;
        rung();
    }

    @Override
    public void close(boolean abort) {
        closing = true;
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        waiters.close();
        boolean unread = in.available() > 0;
        boolean reset = connection.failure() != null || !outputShut && (abort || unread); // no reset overtakes an end
        tell(MessageDescriptor.CLOSED | (reset ? MessageDescriptor.RESET : MessageDescriptor.FINISHED));
        rung();
        fabric.keepAlive().forget(connection);
        fabric.linger(connection, port);
    }
}
