/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static io.rsockets4j.core.rdma.MessageDescriptor.CLOSED;
import static io.rsockets4j.core.rdma.MessageDescriptor.FINISHED;
import static io.rsockets4j.core.rdma.MessageDescriptor.RESET;

import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.thread.OwnThreads;
import io.rsockets4j.core.verbs.CmId;
import io.rsockets4j.core.verbs.CompletionQueue;
import io.rsockets4j.core.verbs.CompletionStatus;
import io.rsockets4j.core.verbs.QueuePair;
import io.rsockets4j.core.verbs.QueuePairOptions;
import io.rsockets4j.core.verbs.VerbsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A queue pair with its memory and credits, from the first event to the last. Serves its completions, on the thread
 * that polls, and keeps what the peer has told. Until both HELLOs have been exchanged a {@link Handshake} is told of
 * them; then a {@link RdmaLink} is rung.
 */
final class RdmaConnection {
    /** The completions that a connection can have outstanding. */
    static final int COMPLETIONS = SendQueue.CAPACITY + ReceiveQueue.CAPACITY;

    private static final Log LOG = Log.of(RdmaConnection.class);
    private static final int INLINE_BYTES = 128;

    /** In the state, besides the flags of STATE that the peer has sent: its queue pair is not there any more. */
    private static final int GONE = 8;

    /** In the state: the connection is of no use any more. */
    private static final int FAILED = 16;

    private static final IOException MISTAKE = new IOException("an error while a completion was served");

    /** Hears of the peer's HELLO, or that there will be none. On the thread that polls, or the connection manager's. */
    interface Handshake {
        /** The first message has come; the buffer is valid during the call. */
        void hello(ByteBuffer message, int length) throws IOException;

        /** The connection failed first. */
        void failed(IOException cause);
    }

    private final RdmaDevice device;
    private final CmId id;
    private final Handshake handshake;
    private final CompletionPoller poller;
    private final RingSlot slot;
    private final long tag;
    private final ReceiveQueue receives;
    private final SendQueue sends;
    private final AtomicBoolean released = new AtomicBoolean();
    private final Sleepers.Mark sleepers = new Sleepers.Mark();
    private boolean greeted; // by whoever polls
    private ArrivalRing in; // set before link
    private MirrorRing out; // set before link
    private volatile RdmaLink link; // set once

    // what the peer has told, written by whoever polls or by the connection manager's thread
    private final AtomicInteger state = new AtomicInteger(); // flags of STATE, GONE, FAILED
    private volatile IOException failure; // written before FAILED
    private volatile Runnable whenOver; // the link is closed: what to do once nothing is left to deliver

    /**
     * Creates a queue pair for an identifier whose device is known, ready to be connected.
     *
     * @param device of the identifier
     * @param peer the other host, or null where it is not known
     * @param ringBytes the size of the ring that this side offers
     * @param id owned by this connection if all goes well
     * @param handshake hears of the peer's HELLO
     * @throws IOException if there is no memory, or the device refuses
     */
    RdmaConnection(RdmaDevice device, InetAddress peer, int ringBytes, CmId id, Handshake handshake)
            throws IOException {
        this.device = device;
        this.id = id;
        this.handshake = handshake;
        RingPool.Lease lease = device.take(peer, ringBytes);
        slot = lease.slot();
        tag = device.connections().reserve();
        CompletionPoller reserved = null;
        try {
            reserved = device.poller();
            poller = reserved;
            QueuePair queuePair = id.createQueuePair(lease.domain(), new QueuePairOptions(poller.queue(),
                    SendQueue.CAPACITY, ReceiveQueue.CAPACITY, INLINE_BYTES));
            receives = new ReceiveQueue(queuePair, slot, tag);
            sends = new SendQueue(queuePair, slot, tag, receives, poller.stalls());
        } catch (Throwable e) {
            if (reserved != null) {
                reserved.forget(tag, sleepers);
                reserved.giveBack(COMPLETIONS);
            }
            device.giveBack(slot);
            throw e;
        }
        device.connections().add(this);
        poller.attendStalls(); // the peer's HELLO must not wait until somebody polls
    }

    long tag() {
        return tag;
    }

    CmId id() {
        return id;
    }

    CompletionPoller poller() {
        return poller;
    }

    /** For the poller: whether someone sleeps until this connection brings something. */
    Sleepers.Mark sleepers() {
        return sleepers;
    }

    RdmaDevice device() {
        return device;
    }

    SendQueue sends() {
        return sends;
    }

    ArrivalRing in() {
        return in;
    }

    MirrorRing out() {
        return out;
    }

    /** How many messages have come since the connection began. */
    long messages() {
        return receives.posted();
    }

    boolean isPeerFinished() {
        return has(FINISHED);
    }

    boolean isPeerReset() {
        return has(RESET);
    }

    /** Whether the peer reads no more, or is not there any more. */
    boolean isPeerClosed() {
        return has(CLOSED | GONE);
    }

    boolean isGone() {
        return has(GONE);
    }

    /** Why this connection is of no use any more, or null. */
    IOException failure() {
        return has(FAILED) ? failure : null;
    }

    private boolean has(int bits) {
        return (state.get() & bits) != 0;
    }

    private void add(int bits) {
        state.getAndUpdate(before -> before | bits);
    }

    // ---- handshake

    /** Sends this side's HELLO. */
    void hello(long connection, InetSocketAddress initiator, InetSocketAddress acceptor) throws VerbsException {
        sends.hello(new Hello(connection, device.hasImmediate(), slot.ringRegion().address(), slot.ring().capacity(),
                slot.ringRegion().remoteKey(), (int) receives.posted(), 0, initiator, acceptor));
    }

    /** Sends a HELLO that says no. */
    void refuse(int reason, InetSocketAddress acceptor) throws VerbsException {
        sends.hello(new Hello(0, false, 0, 0, 0, (int) receives.posted(), reason, acceptor, acceptor));
    }

    /** The peer has said HELLO. On the thread that polls, before the peer's next message is served. */
    void begin(Hello peer) throws VerbsException {
        int ringBytes = Math.min(peer.ringBytes(), slot.ring().capacity());
        in = new ArrivalRing(slot.ring().slice(0, ringBytes));
        out = new MirrorRing(slot.mirror(), ringBytes, sends);
        sends.begin(peer, ringBytes, device.hasImmediate() && peer.immediate(), in);
    }

    /** From now on this link is rung. What was served meanwhile it sees when it looks. */
    void attach(RdmaLink newLink) {
        link = newLink; // volatile store, then the ring: a completion served in between is seen by one of the two
        newLink.wake();
    }

    // ---- completions, on the thread that polls

    /** Serves a completion. */
    void completed(CompletionQueue queue, int index, long workRequest) {
        try {
            int status = queue.status(index);
            if (status != CompletionStatus.SUCCESS) {
                failed(status, queue.vendorError(index), WorkRequestIds.isSend(workRequest));
            } else if (WorkRequestIds.isSend(workRequest)) {
                sends.completed(WorkRequestIds.value(workRequest));
                checkOver();
            } else {
                received(queue, index, WorkRequestIds.value(workRequest));
            }
        } catch (Throwable e) {
            failAfter(e);
        }
    }

    /** What goes wrong while a connection is served costs it, and not all others theirs. Needs no memory. */
    private void failAfter(Throwable cause) {
        if (cause instanceof IOException known) {
            fail(known);
        } else {
            OwnThreads.report(LOG, "rsockets4j: an RDMA connection is reset after an error", cause);
            fail(MISTAKE);
        }
    }

    private void received(CompletionQueue queue, int index, int receive) throws IOException {
        if (queue.hasImmediate(index)) {
            data(queue.immediate(index), queue.byteLength(index));
        } else {
            message(slot.received(receive), queue.byteLength(index));
        }
        RdmaLink rung = link;
        if (rung != null) {
            rung.wake();
            poller.rung(sleepers);
        }
        if (receives.postSoon(receive)) {
            poller.defer(this);
        }
    }

    /** Posts receives again, now that nobody waits for what has come. On the thread that polls. */
    void postDeferred() {
        try {
            receives.postDeferred();
            sends.receivePosted();
        } catch (Throwable e) {
            failAfter(e);
        }
    }

    private void data(int immediate, int written) throws IOException {
        if (!DataImmediate.isData(immediate)) {
            throw new ProtocolException("unknown immediate 0x" + Integer.toHexString(immediate));
        }
        int length = DataImmediate.length(immediate);
        if (in == null || has(FINISHED)) {
            throw new ProtocolException("DATA of " + length + " bytes "
                    + (in == null ? "before HELLO" : "after the end"));
        }
        if (length != written) {
            throw new ProtocolException("DATA claims " + length + " bytes, but " + written + " were written");
        }
        in.arrived(length);
        sends.grantedWithData(DataImmediate.credit(immediate));
    }

    private void message(ByteBuffer message, int length) throws IOException {
        if (!greeted) {
            greeted = true;
            handshake.hello(message, length);
            return;
        }
        byte type = length > 0 ? message.get(MessageDescriptor.TYPE) : 0;
        if (in != null && type == MessageDescriptor.STATE && length == MessageDescriptor.STATE_BYTES) {
            state(message);
        } else if (in != null && type == MessageDescriptor.DATA && length == MessageDescriptor.DATA_BYTES) {
            int immediate = message.getInt(MessageDescriptor.DATA_IMMEDIATE);
            data(immediate, DataImmediate.length(immediate)); // no device tells how long that write was
        } else {
            throw new ProtocolException("unexpected message of type " + type + ", " + length + " bytes");
        }
    }

    private void state(ByteBuffer message) throws IOException {
        int flags = message.get(MessageDescriptor.STATE_FLAGS);
        out.readByPeer(message.getLong(MessageDescriptor.STATE_BYTES_READ));
        boolean ends = (flags & FINISHED) != 0 && (flags & RESET) == 0;
        if (ends) {
            long sent = message.getLong(MessageDescriptor.STATE_BYTES_SENT);
            if (sent != in.arrived()) {
                throw new ProtocolException("STATE ends the stream after " + sent + " bytes, but " + in.arrived()
                        + " came");
            }
        }
        add(flags & (RESET | CLOSED) | (ends ? FINISHED : 0));
        sends.granted(message.getLong(MessageDescriptor.STATE_RECEIVES));
        checkOver();
    }

    private void failed(int status, int vendorError, boolean send) {
        if (has(GONE) || whenOver != null && status == CompletionStatus.FLUSHED) {
            return; // nobody to send to, and everybody knows
        }
        String message = (send ? "send" : "receive") + " completed with error: " + CompletionStatus.name(status)
                + " (status " + status + ", vendor_err 0x" + Integer.toHexString(vendorError) + ")";
        fail(status == CompletionStatus.RETRIES_EXCEEDED ? new SocketTimeoutException(message)
                : new IOException(message));
    }

    // ---- the end

    /** The connection is of no use any more. Any thread. */
    void fail(IOException cause) {
        if (has(FAILED | GONE)) {
            return;
        }
        failure = cause;
        add(FAILED);
        try {
            tellOfTheEnd(cause);
            LOG.log(System.Logger.Level.DEBUG, "rsockets4j: an RDMA connection failed: " + cause.getMessage());
        } catch (Throwable e) { // nobody who fails many connections must stop at this one
            OwnThreads.report(LOG, "rsockets4j: an RDMA connection could not be ended", e);
        }
    }

    /** The peer has disconnected, or its process has ended. The connection manager's thread. */
    void disconnected() {
        poller.serveAll(); // what it sent before
        add(GONE);
        tellOfTheEnd(new IOException("the peer disconnected"));
    }

    private void tellOfTheEnd(IOException cause) {
        RdmaLink rung = link;
        if (rung == null) {
            handshake.failed(cause);
        } else {
            rung.wake();
        }
        checkOver();
    }

    /** The link is closed: runs an action, once or more often, when nothing is left to deliver. */
    void whenOver(Runnable action) {
        whenOver = action; // volatile store, then the look: pairs with checkOver after the peer's news
        checkOver();
    }

    private void checkOver() {
        Runnable action = whenOver;
        if (action != null && isDelivered() && (has(GONE | FAILED | CLOSED) || sends.isReset())) {
            action.run();
        }
    }

    /** The process ends: delivers what was accepted. Looks for completions until that is done or time is over. */
    void deliver(long deadlineNanos) {
        try {
            sends.probe(); // answered when all that was posted before has arrived
        } catch (IOException e) {
            fail(e);
        }
        while (!has(GONE | FAILED) && !sends.isQuiet() && deadlineNanos - System.nanoTime() > 0) {
            poller.poll();
            Thread.onSpinWait();
        }
    }

    /** Whether nothing is left to deliver, or nobody to deliver it to. */
    boolean isDelivered() {
        return has(GONE | FAILED) || sends.isFinished();
    }

    /** Destroys the queue pair and gives the memory back. The connection manager's thread. Idempotent. */
    void release() {
        if (!released.compareAndSet(false, true)) {
            return;
        }
        try {
            id.disconnect();
        } catch (IOException e) { // it never came up, or is down already
            LOG.log(System.Logger.Level.DEBUG, "rsockets4j: " + e.getMessage());
        }
        poller.forget(tag, sleepers);
        sends.close();
        id.destroy();
        poller.giveBack(COMPLETIONS);
        clear();
        device.giveBack(slot);
    }

    /** Whoever has the ring next must not be able to read what came for this connection. */
    private void clear() {
        int size = slot.ring().capacity();
        // of a stream that did not end, more may have been written than was announced
        slot.clear(in != null && has(FINISHED) ? (int) Math.min(in.arrived(), size) : size);
    }
}
