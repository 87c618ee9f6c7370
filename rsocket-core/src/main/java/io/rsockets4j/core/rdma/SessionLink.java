/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.stat.SessionSnapshot;
import io.rsockets4j.core.verbs.CmId;
import io.rsockets4j.core.verbs.CompletionQueue;
import io.rsockets4j.core.verbs.CompletionStatus;
import io.rsockets4j.core.verbs.PortGid;
import io.rsockets4j.core.verbs.QueuePair;
import io.rsockets4j.core.verbs.QueuePairOptions;
import io.rsockets4j.core.verbs.VerbsException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;

/**
 * One link of a session: a queue pair on a port of a device, its identifier, its receives and what it has registered.
 * Hands its completions to whoever it belongs to, on the thread that polls. A session has one link that carries its
 * connections, and perhaps a second one that waits until the first fails.
 */
final class SessionLink implements ServedLink {
    private static final Log LOG = Log.of(SessionLink.class);
    private static final int INLINE_BYTES = 128;

    /** Who a link belongs to. On the thread that polls, but for failures: any thread. */
    interface Owner {
        /** A send has completed, and all before it. */
        void sent(SessionLink link, int value) throws IOException;

        /** A message has come; the buffer is valid during the call. */
        void message(SessionLink link, ByteBuffer message, int length) throws IOException;

        /** A write with immediate data has come. */
        void data(SessionLink link, int immediate, int length) throws IOException;

        /** Receives were posted again. */
        void receivesPosted(SessionLink link) throws IOException;

        /** Whether nobody needs to be told of a failure any more. */
        boolean hasEnded();

        /** The queue pair is of no use any more. */
        void failed(SessionLink link, IOException cause);

        /** An error of this side, or a mistake of the peer's. Needs no memory. */
        void failedAfter(SessionLink link, Throwable cause);

        /** What reports say. */
        SessionSnapshot snapshot(SessionLink link);

        /** The process ends: delivers what was accepted. */
        void deliver(SessionLink link, long deadlineNanos);
    }

    private final RdmaDevice device;
    private final CmId id;
    private final InetSocketAddress local; // null where the binding cannot tell
    private final InetSocketAddress remote; // the same
    private final long openedAtMillis = System.currentTimeMillis();
    private final CompletionPoller poller;
    private final LinkMemory memory;
    private final QueuePair queuePair;
    private final long tag;
    private final ReceiveQueue receives;
    private volatile Owner owner;
    private Owner toldOfFailure; // by whoever polls: each further failed completion says that the queue pair has failed
    private volatile PortGid source; // null before it is up, and where the binding cannot tell
    private volatile int peerReceives; // that the peer has posted, once it has answered; for a link that waits
    private volatile boolean immediate; // whether writes carry immediate data; the same
    private int probes; // counted down, unlike the send queue's work requests; the connection manager's thread
    private long probe; // the last one's identifier; the same
    private volatile int answered; // the value of the last one that was; written by whoever polls
    private boolean closed; // the connection manager's thread

    /**
     * Creates a queue pair for an identifier whose device is known, ready to be connected.
     *
     * @param device of the identifier
     * @param id owned by this link if all goes well
     * @param owner hears of all
     * @throws IOException if there is no memory, or the device refuses
     */
    SessionLink(RdmaDevice device, CmId id, Owner owner) throws IOException {
        this.device = device;
        this.id = id;
        this.owner = owner;
        local = id.localAddress();
        remote = id.peerAddress();
        memory = device.newMemory();
        tag = device.links().reserve();
        CompletionPoller reserved = null;
        try {
            reserved = device.poller();
            poller = reserved;
            queuePair = id.createQueuePair(memory.domain(), new QueuePairOptions(poller.queue(),
                    QueueSizes.SENDS, QueueSizes.RECEIVES, INLINE_BYTES));
            receives = new ReceiveQueue(queuePair, memory.messages(), tag);
        } catch (Throwable e) {
            if (reserved == null) {
                device.links().remove(tag);
            } else {
                reserved.forget(tag);
                reserved.giveBack(QueueSizes.COMPLETIONS);
            }
            memory.close();
            throw e;
        }
    }

    /** From now on completions are served. */
    void serve() {
        device.links().add(this);
    }

    /** Another one serves this link, from the next message on. On the thread that polls. */
    void setOwner(Owner newOwner) {
        owner = newOwner;
    }

    @Override
    public long tag() {
        return tag;
    }

    CmId id() {
        return id;
    }

    CompletionPoller poller() {
        return poller;
    }

    RdmaDevice device() {
        return device;
    }

    LinkMemory memory() {
        return memory;
    }

    QueuePair queuePair() {
        return queuePair;
    }

    ReceiveQueue receives() {
        return receives;
    }

    /** This end's address on the RDMA network; null where the binding cannot tell. */
    InetSocketAddress localAddress() {
        return local;
    }

    /** The peer's address on the RDMA network; null where the binding cannot tell. */
    InetSocketAddress remoteAddress() {
        return remote;
    }

    /** Posts a message before any other, for which every peer has a receive; it lies in the first buffer. */
    void postFirst(int length) throws VerbsException {
        queuePair.postSend(WorkRequestIds.send(tag, 0), memory.messages().sentAddress(0), length,
                memory.messages().localKey(), QueuePair.SIGNALED);
    }

    /**
     * Writes nothing, only to hear whether the peer's device answers. For a link that waits. The connection manager's
     * thread.
     *
     * @return false if it has not answered the time before
     */
    boolean probe() throws VerbsException {
        if (answered != WorkRequestIds.value(probe)) {
            return false;
        }
        probe = WorkRequestIds.send(tag, --probes);
        queuePair.postWrite(probe, 0, 0, memory.messages().localKey(), 0, 0, QueuePair.SIGNALED);
        return true;
    }

    /** A probe, or the first message, has been answered. On the thread that polls. */
    void answered(int value) {
        answered = value;
    }

    /** The peer has answered. Before it is used. */
    void peerSays(int receivesPosted, boolean withImmediate) {
        peerReceives = receivesPosted;
        immediate = withImmediate && device.hasImmediate();
    }

    /** How many receives the peer has posted, the one for the first message included. */
    int peerReceives() {
        return peerReceives;
    }

    /** Whether writes carry immediate data. */
    boolean isImmediate() {
        return immediate;
    }

    /** The peer has answered: from now on reports know which port this is on. By whoever polls. */
    void up() {
        try {
            source = queuePair.source();
        } catch (VerbsException e) { // it is for reports alone
            LOG.log(System.Logger.Level.DEBUG, "rsockets4j: " + e.getMessage());
        }
    }

    // ---- completions, on the thread that polls

    @Override
    public void completed(CompletionQueue queue, int index, long workRequest) {
        Owner served = owner;
        try {
            int status = queue.status(index);
            if (status != CompletionStatus.SUCCESS) {
                if (served != toldOfFailure && !served.hasEnded()) {
                    toldOfFailure = served;
                    served.failed(this, failure(status, queue.vendorError(index), WorkRequestIds.isSend(workRequest)));
                }
            } else if (WorkRequestIds.isSend(workRequest)) {
                served.sent(this, WorkRequestIds.value(workRequest));
            } else {
                received(served, queue, index, WorkRequestIds.value(workRequest));
            }
        } catch (Throwable e) {
            served.failedAfter(this, e);
        }
    }

    private static IOException failure(int status, int vendorError, boolean send) {
        String message = (send ? "send" : "receive") + " completed with error: " + CompletionStatus.name(status)
                + " (status " + status + ", vendor_err 0x" + Integer.toHexString(vendorError) + ")";
        return status == CompletionStatus.RETRIES_EXCEEDED ? new SocketTimeoutException(message)
                : new IOException(message);
    }

    private void received(Owner served, CompletionQueue queue, int index, int receive) throws IOException {
        if (queue.hasImmediate(index)) {
            served.data(this, queue.immediate(index), queue.byteLength(index));
        } else {
            served.message(this, memory.messages().received(receive), queue.byteLength(index));
        }
        if (receives.postSoon(receive)) {
            poller.defer(this);
        }
    }

    @Override
    public void postDeferred() {
        Owner served = owner;
        try {
            receives.postDeferred();
            served.receivesPosted(this);
        } catch (Throwable e) {
            served.failedAfter(this, e);
        }
    }

    @Override
    public void queueFailed(CompletionQueue failed, IOException cause) {
        if (failed == poller.queue()) {
            owner.failed(this, cause);
        }
    }

    // ---- reports

    @Override
    public SessionSnapshot snapshot() {
        return owner.snapshot(this);
    }

    /** The same, from what the owner knows. */
    SessionSnapshot snapshot(int session, String state, int connections, int credit, long pinnedBytes) {
        PortGid known = source;
        return new SessionSnapshot(session, text(local), text(remote), device.name(), known == null ? 0 : known.port(),
                known == null ? PortGid.NO_GID : known.index(), state, connections, credit, pinnedBytes,
                openedAtMillis);
    }

    private static String text(InetSocketAddress address) {
        return address == null ? SessionSnapshot.UNKNOWN : address.toString();
    }

    @Override
    public String toString() {
        return "link of " + device.name() + " from " + text(local) + " to " + text(remote);
    }

    // ---- the end

    @Override
    public void deliver(long deadlineNanos) {
        owner.deliver(this, deadlineNanos);
    }

    /**
     * Destroys the queue pair: no byte goes out or comes in after this returns, and no completion is served. What has
     * come before is. The connection manager's thread. Idempotent.
     *
     * @param beforeDestroy run in between: nothing is posted after it
     */
    void close(Runnable beforeDestroy) {
        if (closed) {
            return;
        }
        closed = true;
        try {
            id.disconnect();
        } catch (IOException e) { // it never came up, or is down already
            LOG.log(System.Logger.Level.DEBUG, "rsockets4j: " + e.getMessage());
        }
        poller.forget(tag);
        beforeDestroy.run();
        device.destroy(id);
        poller.giveBack(QueueSizes.COMPLETIONS);
    }
}
