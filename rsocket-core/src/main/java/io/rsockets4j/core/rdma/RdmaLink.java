/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static java.nio.channels.SelectionKey.OP_READ;

import io.rsockets4j.core.fabric.LinkWaiters;
import io.rsockets4j.core.fabric.LocalPort;
import io.rsockets4j.core.fabric.RingLink;
import io.rsockets4j.core.fabric.SourceMemory;
import io.rsockets4j.core.fabric.VirtualThreads;
import io.rsockets4j.core.fabric.Waiter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;

/** A stream over an {@link RdmaConnection}, as the socket doors see it. */
final class RdmaLink extends RingLink {
    static final String PATH = "rdma";

    /** Headers, and the ends of large writes, do not turn a stream of those into one of small writes. */
    private static final int MOST_SMALL_WRITES = 16;

    /** After so many writes the writer looks for completions itself: else the completion thread is woken for them. */
    private static final int WRITES_BEFORE_POLL = 16;

    private final RdmaContext context;
    private final RdmaConnection connection;
    private final LocalPort port;
    private final RdmaSession session;
    private final ReceiveSide in;
    private final SendSide out;
    private int directMinBytes;
    private boolean lends; // buffers of writes, now and then; the sending direction's, as the next one
    private int writes; // that moved bytes; the sending direction's, as the next one
    private int smallWrites = MOST_SMALL_WRITES; // since the last one that would go straight
    private final boolean directOnly;
    private volatile boolean waitsForBuffer; // what was to be sent last takes no ring; written by the sending direction
    private final DirectReads directReads;
    private final DirectWrites directWrites;

    /**
     * Creates the link of a connection that has begun.
     *
     * @param context keeps the port once the link is closed
     * @param connection from now on this link's
     * @param local this end's address as programs see it
     * @param remote the peer's
     * @param port the initiator's local port, null on the acceptor's side
     */
    RdmaLink(RdmaContext context, RdmaConnection connection, InetSocketAddress local, InetSocketAddress remote,
            LocalPort port) {
        super(local, remote, new LinkWaiters(), context.spinPolicy());
        this.context = context;
        this.connection = connection;
        this.port = port;
        session = connection.session();
        in = connection.in();
        out = connection.out();
        directMinBytes = context.directMinBytes(false);
        directOnly = context.directOnly();
        directReads = new DirectReads(context, connection);
        directWrites = new DirectWrites(context, connection);
    }

    @Override
    public String path() {
        return PATH;
    }

    @Override
    public long bytesSent() {
        return out.tail();
    }

    @Override
    public long bytesReceived() {
        return in.bytesRead();
    }

    @Override
    public long creditBytes() {
        return out.credit();
    }

    @Override
    public long directBytesSent() {
        return out.direct();
    }

    @Override
    public long directBytesReceived() {
        return in.direct();
    }

    @Override
    public long messagesSent() {
        return out.messages();
    }

    RdmaConnection connection() {
        return connection;
    }

    // ---- data

    @Override
    public int receive(ByteBuffer dst) throws IOException {
        if (is(READS_OVER)) {
            directReads.takeBack();
            return EOF;
        }
        if (!dst.hasRemaining()) {
            return receiveNothing(dst);
        }
        int read = read(dst);
        if (read == 0) {
            session.poller().poll();
            read = read(dst);
        }
        if (read > 0) {
            return read;
        }
        if (directReads.isUnderWay()) {
            directReads.advertise();
            returnCredit(); // if no advert has done so
        }
        return receiveNothing(dst);
    }

    @Override
    public void useRegisteredMemory() {
        directMinBytes = context.directMinBytes(true);
        in.expectLarge();
        lends = true;
    }

    @Override
    public int directMinBytes() {
        return directMinBytes;
    }

    @Override
    public boolean offer(ByteBuffer dst, boolean waitAll) {
        return !is(READS_OVER | CLOSING) && directReads.begin(dst, waitAll);
    }

    @Override
    public int takeBack() {
        return directReads.takeBack();
    }

    private int read(ByteBuffer dst) throws IOException {
        int read = directReads.isUnderWay() ? directReads.read(dst) : in.read(dst);
        boolean lost = read > 0 && !directReads.willReturnCredit() && !returnCredit();
        return lost ? 0 : read;
    }

    /** Tells the peer what was read, if it should hear of that. Returns false if the session has failed. */
    private boolean returnCredit() {
        try {
            if (in.isCreditDue()) {
                out.state(0);
            }
            return true;
        } catch (IOException e) {
            return !session.fail(e); // else it is told by another link
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
        if (finished || reset || gone || failure != null) {
            directReads.end();
        }
        boolean told = is(RESET_TOLD);
        if (reset && !told || failure != null && !finished) {
            throw ended(failure);
        }
        if (finished || reset) {
            return dst.hasRemaining() ? EOF : 0;
        }
        if (gone && dst.hasRemaining()) {
            if (out.isLeftUnread() && !told) { // as over TCP where a process ends without reading all
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
        if (directWrites.isUnderWay()) {
            if (connection.failure() == null && !connection.isGone()) {
                return finishDirect(src);
            }
            directWrites.end();
        }
        if (is(OUTPUT_SHUT | SEND_LOST) || connection.failure() != null) {
            throw new IOException("Broken pipe");
        }
        if (connection.isPeerClosed()) {
            return sendToClosed(src, connection.isPeerReset() || connection.isGone() && out.isLeftUnread());
        }
        sent();
        if (directOnly && mustGoStraight(src)) {
            return 0; // until the peer offers a buffer
        }
        noteSize(src);
        if (src.hasRemaining()) {
            out.sendsLarge(smallWrites < MOST_SMALL_WRITES);
        }
        int position = src.position();
        try {
            int sent = out.write(src);
            if (sent == 0 && src.hasRemaining()) {
                session.poller().poll();
                sent = out.write(src);
            } else if (++writes % WRITES_BEFORE_POLL == 0) {
                session.poller().poll();
            }
            if (sent > 0 && smallWrites < MOST_SMALL_WRITES) {
                smallWrites++;
            }
            return sent;
        } catch (IOException e) {
            if (session.fail(e)) {
                throw new IOException("Broken pipe", e);
            }
            return src.position() - position; // they go by another link
        }
    }

    private boolean mustGoStraight(ByteBuffer src) {
        boolean must = src.isDirect() && src.remaining() >= directMinBytes;
        waitsForBuffer = must; // volatile store, before the caller looks whether it is ready
        return must;
    }

    private int finishDirect(ByteBuffer src) {
        if (!directWrites.isAcknowledged()) {
            session.poller().poll();
        }
        int sent = directWrites.isAcknowledged() ? directWrites.finish() : 0;
        src.position(src.position() + sent);
        return sent;
    }

    @Override
    public boolean lend(ByteBuffer src, SourceMemory.Part of) {
        if (is(OUTPUT_SHUT | CLOSING) || connection.failure() != null) {
            return false;
        }
        sent();
        lends = true;
        noteSize(src);
        return directWrites.begin(src, of, directMinBytes);
    }

    private void noteSize(ByteBuffer src) {
        if (lends && src.remaining() >= directMinBytes && src.isDirect() && !src.isReadOnly()) {
            smallWrites = 0;
        }
    }

    @Override
    public int reclaim() {
        return directWrites.reclaim();
    }

    // ---- readiness and waiting

    @Override
    public boolean isReady(int op) {
        if (isKnownReady(op)) {
            return true;
        }
        poll();
        return isKnownReady(op);
    }

    @Override
    public Object completions() {
        return session.poller();
    }

    @Override
    public void poll() {
        session.poller().poll();
    }

    @Override
    public boolean isKnownReady(int op) {
        return is(CLOSING) || connection.isGone() || connection.failure() != null
                || (op == OP_READ ? isReadable() : isWritable());
    }

    private boolean isReadable() {
        return is(READS_OVER) || !in.isDrained() || connection.isPeerFinished() || connection.isPeerReset();
    }

    private boolean isWritable() {
        if (directWrites.isUnderWay()) {
            return is(OUTPUT_SHUT) || directWrites.isAcknowledged(); // also where the peer has closed: it gets all
        }
        return is(OUTPUT_SHUT) || out.isWritable() && (!waitsForBuffer || out.isAdvertised())
                || connection.isPeerClosed();
    }

    @Override
    protected boolean isPeerGone() {
        return connection.isGone();
    }

    @Override
    protected int unread() {
        return in.available();
    }

    @Override
    protected void park(int op, long deadlineNanos) {
        CompletionFront front = session.device().front();
        CompletionPoller poller = session.poller();
        if (front == null || VirtualThreads.isVirtual() || !front.enter(poller)) {
            super.park(op, deadlineNanos); // the completion thread rings, or who sleeps in front of it
            return;
        }
        try {
            super.arm(op, front);
            boolean goesOn = true;
            while (goesOn && session.poller() == poller && !isKnownReady(op)
                    && !Thread.currentThread().isInterrupted()) {
                poller.armInFront(); // after the waiter, as it looks once more; anew after an event for others
                goesOn = isKnownReady(op) || front.sleep(deadlineNanos);
            }
        } finally {
            disarm(front);
            front.leave(poller);
        }
    }

    @Override
    public void arm(int ops, Waiter waiter) {
        super.arm(ops, waiter);
        CompletionPoller poller;
        do { // the session may go to another link meanwhile
            poller = session.poller();
            poller.arm(connection.sleepers()); // after the waiter, as it looks once more
        } while (isLeft(poller));
        if (isClosed()) {
            session.poller().forget(connection.sleepers()); // nobody rings for it any more
        }
    }

    private boolean isLeft(CompletionPoller poller) {
        boolean left = session.poller() != poller;
        if (left) {
            poller.forget(connection.sleepers());
        }
        return left;
    }

    // ---- the end

    @Override
    public void keepAlive(boolean on) {
        connection.keepAlive(on && !isClosed());
    }

    @Override
    protected void finish() {
        tell(MessageDescriptor.FINISHED);
    }

    private void tell(int flags) {
        try {
            out.state(flags);
        } catch (IOException e) {
            session.fail(e);
        }
    }

    @Override
    protected void end(boolean reset) {
        directReads.takeBack(); // nothing goes after the end, so that nobody could ask for it later
        directWrites.reclaim();
        boolean failed = connection.failure() != null;
        tell(MessageDescriptor.CLOSED | (reset || failed ? MessageDescriptor.RESET : MessageDescriptor.FINISHED));
    }

    @Override
    protected void release() {
        connection.keepAlive(false);
        session.poller().forget(connection.sleepers());
        context.linger(connection, port);
    }
}
