/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.memory;

import io.rsockets4j.core.verbs.CompletionStatus;
import io.rsockets4j.core.verbs.PortGid;
import io.rsockets4j.core.verbs.QueuePair;
import io.rsockets4j.core.verbs.QueuePairOptions;
import io.rsockets4j.core.verbs.VerbsException;
import java.net.InetAddress;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A queue pair. Posting only fills a slot; {@link Wire} carries it later and reads the memory then, except for inline
 * bytes. Errors are as a device's: the request at fault completes with its status, all others are flushed.
 */
public final class MemoryQueuePair implements QueuePair {
    private enum State { INIT, READY, ERROR, DESTROYED }

    private static final int GIDS = 4; // of each port
    private static final int TURN = 16; // requests that are carried before another queue pair's turn

    private final MemoryNetwork network;
    private final MemoryDomain domain;
    private final InetAddress local;
    private final InetAddress remote;
    private final MemoryHost host;
    private final MemoryCompletionQueue completions;
    private final int number;
    private final int inlineBytes;
    private final WorkQueue sends;
    private final WorkQueue receives;
    private final Exclusive sending;
    private final Exclusive receiving;
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final Random random;
    private final long minDelayNanos;
    private final long maxDelayNanos;
    private long lastDueNanos; // of the posting thread
    private long dueNanos; // of the wire's thread: when it looks again, or 0
    private volatile State state = State.INIT; // written under the network's lock

    // guarded by the network's lock
    private MemoryQueuePair peer;
    private long carried;
    private long breakAfter;

    /** Makes one of a domain's device, for a connection between two addresses. */
    MemoryQueuePair(MemoryDomain domain, QueuePairOptions options, int number, InetAddress local, InetAddress remote) {
        this.domain = domain;
        this.number = number;
        this.local = local;
        this.remote = remote;
        host = domain.device().host();
        network = host.network();
        completions = (MemoryCompletionQueue) options.completions();
        inlineBytes = Math.min(options.inlineBytes(), host.inlineBytes());
        sends = new WorkQueue(options.sendRequests(), inlineBytes);
        receives = new WorkQueue(options.receiveRequests(), 0);
        sending = new Exclusive(network, "send queue of " + this);
        receiving = new Exclusive(network, "receive queue of " + this);
        breakAfter = host.newBreakAfter();
        random = network.nextRandom();
        minDelayNanos = network.minDelayNanos();
        maxDelayNanos = network.maxDelayNanos();
    }

    // ---- for users

    @Override
    public int inlineBytes() {
        return inlineBytes;
    }

    @Override
    public PortGid source() {
        return new PortGid(device().portOf(local), number % GIDS);
    }

    @Override
    public void postReceive(long workRequestId, long address, int length, int localKey) throws VerbsException {
        receiving.enter();
        try {
            WorkRequest request = claim(receives, "ibv_post_recv");
            request.operation = WorkRequest.RECEIVE;
            request.id = workRequestId;
            request.address = address;
            request.length = length;
            request.localKey = localKey;
            receives.publish();
            if (state == State.ERROR) { // volatile: either this sees it, or whoever sets it sees the request
                schedule();
            }
        } finally {
            receiving.leave();
        }
    }

    @Override
    public void postSend(long workRequestId, long address, int length, int localKey, int flags)
            throws VerbsException {
        post(WorkRequest.SEND, workRequestId, address, length, localKey, 0, 0, flags, 0);
    }

    @Override
    public void postWrite(long workRequestId, long address, int length, int localKey, long remoteAddress,
            int remoteKey, int flags) throws VerbsException {
        post(WorkRequest.WRITE, workRequestId, address, length, localKey, remoteAddress, remoteKey, flags, 0);
    }

    @Override
    public void postWriteWithImmediate(long workRequestId, long address, int length, int localKey, long remoteAddress,
            int remoteKey, int flags, int immediate) throws VerbsException {
        if (!host.hasImmediate()) {
            throw Errno.EOPNOTSUPP.of("ibv_post_send");
        }
        post(WorkRequest.WRITE_WITH_IMMEDIATE, workRequestId, address, length, localKey, remoteAddress, remoteKey,
                flags, immediate);
    }

    private void post(int operation, long workRequestId, long address, int length, int localKey, long remoteAddress,
            int remoteKey, int flags, int immediate) throws VerbsException {
        sending.enter();
        try {
            if (state == State.INIT || length < 0) {
                throw Errno.EINVAL.of("ibv_post_send");
            }
            WorkRequest request = claim(sends, "ibv_post_send");
            request.operation = operation;
            request.id = workRequestId;
            request.address = address;
            request.length = length;
            request.localKey = localKey;
            request.flags = flags;
            request.remoteAddress = remoteAddress;
            request.remoteKey = remoteKey;
            request.immediate = immediate;
            if ((flags & INLINE) != 0) {
                inline(request);
            }
            if (maxDelayNanos > 0) {
                request.dueNanos = due();
            }
            sends.publish();
            schedule();
        } finally {
            sending.leave();
        }
    }

    private WorkRequest claim(WorkQueue queue, String verb) throws VerbsException {
        if (state == State.DESTROYED) {
            network.record(Violation.Kind.USE_AFTER_DESTROY, verb + " to " + this);
            throw Errno.EINVAL.of(verb);
        }
        WorkRequest request = queue.claim();
        if (request == null) {
            throw Errno.ENOMEM.of(verb);
        }
        return request;
    }

    private void inline(WorkRequest request) throws VerbsException {
        Region region = network.regions().local(domain, request.localKey);
        int offset = region == null ? -1 : region.offset(request.address, request.length);
        if (request.length > inlineBytes || request.length > 0 && offset < 0) {
            throw Errno.EINVAL.of("ibv_post_send");
        }
        if (request.length > 0) {
            region.memory().get(offset, request.inlined, 0, request.length);
        }
    }

    private long due() {
        long delay = minDelayNanos + (long) (random.nextDouble() * (maxDelayNanos - minDelayNanos));
        lastDueNanos = Math.max(lastDueNanos, System.nanoTime() + delay);
        return lastDueNanos;
    }

    // ---- for tests

    /** From now on nothing that is posted here arrives: the next request completes with RETRIES_EXCEEDED. */
    public void breakNow() {
        breakAfter(0);
    }

    /** Breaks after this many more requests of the send queue. */
    public void breakAfter(long requests) {
        network.lock().lock();
        try {
            breakAfter = carried + requests;
        } finally {
            network.lock().unlock();
        }
        schedule();
    }

    /** Goes to the error state, as when the device finds fault with it. */
    public void fail() {
        network.lock().lock();
        try {
            toError();
        } finally {
            network.lock().unlock();
        }
    }

    /** The other end of the connection, or null. */
    public MemoryQueuePair peer() {
        network.lock().lock();
        try {
            return peer;
        } finally {
            network.lock().unlock();
        }
    }

    public MemoryHost host() {
        return host;
    }

    public MemoryDevice device() {
        return domain.device();
    }

    /** Requests of the send queue that have reached the peer. */
    public long carried() {
        network.lock().lock();
        try {
            return carried;
        } finally {
            network.lock().unlock();
        }
    }

    /** Bytes that were posted to the send queue, and have not reached the peer. */
    public long waitingBytes() {
        network.lock().lock();
        try {
            return sends.waitingBytes();
        } finally {
            network.lock().unlock();
        }
    }

    /** Whether both ends can still send. */
    public boolean isReady() {
        return state == State.READY;
    }

    @Override
    public String toString() {
        return "queue pair " + number + " of " + host.name();
    }

    // ---- states, under the network's lock

    void connect(MemoryQueuePair newPeer) {
        if (state == State.INIT) {
            peer = newPeer;
            state = State.READY;
        }
    }

    void toError() {
        if (state != State.DESTROYED) {
            state = State.ERROR;
            schedule();
        }
    }

    /** Flushes what is posted: these completions are found after the queue pair is gone. */
    void destroy() {
        if (state != State.DESTROYED) {
            flush();
            state = State.DESTROYED;
        }
    }

    // ---- for the wire

    long dueNanos() {
        return dueNanos;
    }

    void dueNanos(long newDueNanos) {
        dueNanos = newDueNanos;
    }

    private void schedule() {
        if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
            network.wire().add(this);
        }
    }

    void unschedule() {
        scheduled.set(false);
    }

    /** Carries what is due. Returns when to look again, or 0. Under the network's lock. */
    long advance() {
        for (int i = 0; i < TURN; i++) {
            if (state == State.DESTROYED) {
                return 0;
            }
            if (state == State.ERROR) {
                flush();
                return 0;
            }
            WorkRequest request = sends.peek();
            if (request == null) {
                return 0;
            }
            if (request.dueNanos != 0 && request.dueNanos - System.nanoTime() > 0) {
                return request.dueNanos;
            }
            carry(request);
        }
        schedule();
        return 0;
    }

    private void carry(WorkRequest request) {
        if (!isPeerReachable()) {
            if (!request.retried) {
                request.retried = true;
                request.dueNanos = Math.max(1, System.nanoTime() + network.retryNanos());
                return;
            }
            failed(request, CompletionStatus.RETRIES_EXCEEDED);
            return;
        }
        int status = Transfer.carry(this, request, peer);
        if (status != CompletionStatus.SUCCESS) {
            failed(request, status);
            return;
        }
        carried++;
        sends.take();
        if ((request.flags & SIGNALED) != 0) {
            completions.add(sends, request, CompletionStatus.SUCCESS);
        }
    }

    private boolean isPeerReachable() {
        return carried < breakAfter && peer != null && peer.state == State.READY && !host.isVanished()
                && !peer.host.isVanished() && !network.isCut(local, remote);
    }

    private void failed(WorkRequest request, int status) {
        sends.take();
        completions.add(sends, request, status);
        toError();
    }

    private void flush() {
        flush(sends);
        flush(receives);
    }

    private void flush(WorkQueue queue) {
        for (WorkRequest request = queue.peek(); request != null; request = queue.peek()) {
            queue.take();
            completions.add(queue, request, CompletionStatus.FLUSHED);
        }
    }

    // ---- for transfers, under the network's lock

    MemoryNetwork network() {
        return network;
    }

    MemoryDomain domain() {
        return domain;
    }

    WorkRequest receive() {
        return receives.peek();
    }

    void received(WorkRequest receive, int status, int byteLength, boolean hasImmediate, int immediate) {
        receives.take();
        completions.add(receives, receive, status, byteLength, hasImmediate, immediate);
        if (status != CompletionStatus.SUCCESS) {
            toError();
        }
    }
}
