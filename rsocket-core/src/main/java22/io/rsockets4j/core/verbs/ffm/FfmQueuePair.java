/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.ffm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.rsockets4j.core.verbs.PortGid;
import io.rsockets4j.core.verbs.QueuePair;
import io.rsockets4j.core.verbs.VerbsException;
import io.rsockets4j.core.verbs.VerbsStructs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * A queue pair (ibv_qp) with one work request for each queue, filled in again for each post: drivers copy them. The two
 * never share a cache line, since two threads may write them.
 */
final class FfmQueuePair implements QueuePair {
    private static final ValueLayout.OfInt NETWORK_INT = JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final long REQUEST_BYTES = 256; // with the entry, the pointer to a bad one, and room between
    private static final long CACHE_LINE_BYTES = 64;
    private static final long BAD_REQUEST = 192;
    private static final int EINVAL = 22;

    private final int inlineBytes;
    private final MemorySegment queuePair;
    private final MemorySegment postSend;
    private final MemorySegment postReceive;
    private final MemorySegment send;
    private final MemorySegment sendBad;
    private final MemorySegment receive;
    private final MemorySegment receiveBad;
    private volatile boolean destroyed;

    FfmQueuePair(long pointer, long context, int inlineBytes) {
        this.inlineBytes = inlineBytes;
        queuePair = MemorySegment.ofAddress(pointer);
        postSend = FfmCompletionQueue.function(context, VerbsDescriptor.CONTEXT_POST_SEND);
        postReceive = FfmCompletionQueue.function(context, VerbsDescriptor.CONTEXT_POST_RECV);
        MemorySegment requests = Arena.ofAuto().allocate(2 * REQUEST_BYTES, CACHE_LINE_BYTES);
        send = requests.asSlice(0, REQUEST_BYTES);
        sendBad = send.asSlice(BAD_REQUEST);
        send.set(JAVA_LONG, VerbsStructs.REQUEST_SGE_LIST, send.address() + VerbsStructs.SEND_BYTES);
        receive = requests.asSlice(REQUEST_BYTES);
        receiveBad = receive.asSlice(BAD_REQUEST);
        receive.set(JAVA_LONG, VerbsStructs.REQUEST_SGE_LIST, receive.address() + VerbsStructs.RECEIVE_BYTES);
        receive.set(JAVA_INT, VerbsStructs.REQUEST_SGE_COUNT, 1);
    }

    @Override
    public int inlineBytes() {
        return inlineBytes;
    }

    @Override
    public PortGid source() throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(VerbsDescriptor.QP_ATTR_BYTES, Long.BYTES);
            MemorySegment initial = arena.allocate(VerbsDescriptor.QP_INIT_ATTR_BYTES, Long.BYTES);
            Verbs.QUERY_QP.callErrno(queuePair.address(), attributes.address(), VerbsDescriptor.QP_ATTR_ADDRESS_VECTOR,
                    initial.address());
            boolean global = attributes.get(JAVA_BYTE, VerbsDescriptor.QP_ATTR_IS_GLOBAL) != 0;
            int index = Byte.toUnsignedInt(attributes.get(JAVA_BYTE, VerbsDescriptor.QP_ATTR_GID_INDEX));
            return new PortGid(Byte.toUnsignedInt(attributes.get(JAVA_BYTE, VerbsDescriptor.QP_ATTR_PORT)),
                    global ? index : PortGid.NO_GID);
        }
    }

    @Override
    public void postReceive(long workRequestId, long address, int length, int localKey) throws VerbsException {
        receive.set(JAVA_LONG, VerbsStructs.REQUEST_ID, workRequestId);
        setEntry(receive, VerbsStructs.RECEIVE_BYTES, address, length, localKey);
        post("ibv_post_recv", postReceive, receive, receiveBad);
    }

    @Override
    public void postSend(long workRequestId, long address, int length, int localKey, int flags)
            throws VerbsException {
        setSend(workRequestId, VerbsStructs.OPCODE_SEND, address, length, localKey, flags);
        post("ibv_post_send", postSend, send, sendBad);
    }

    @Override
    public void postWrite(long workRequestId, long address, int length, int localKey, long remoteAddress,
            int remoteKey, int flags) throws VerbsException {
        setSend(workRequestId, VerbsStructs.OPCODE_WRITE, address, length, localKey, flags);
        setRemote(remoteAddress, remoteKey);
        post("ibv_post_send", postSend, send, sendBad);
    }

    @Override
    public void postWriteWithImmediate(long workRequestId, long address, int length, int localKey,
            long remoteAddress, int remoteKey, int flags, int immediate) throws VerbsException {
        setSend(workRequestId, VerbsStructs.OPCODE_WRITE_WITH_IMMEDIATE, address, length, localKey, flags);
        setRemote(remoteAddress, remoteKey);
        send.set(NETWORK_INT, VerbsStructs.SEND_IMMEDIATE, immediate);
        post("ibv_post_send", postSend, send, sendBad);
    }

    private void setSend(long workRequestId, int opcode, long address, int length, int localKey, int flags) {
        send.set(JAVA_LONG, VerbsStructs.REQUEST_ID, workRequestId);
        send.set(JAVA_INT, VerbsStructs.SEND_OPCODE, opcode);
        send.set(JAVA_INT, VerbsStructs.SEND_FLAGS, ((flags & SIGNALED) != 0 ? VerbsStructs.FLAG_SIGNALED : 0)
                | ((flags & INLINE) != 0 ? VerbsStructs.FLAG_INLINE : 0));
        send.set(JAVA_INT, VerbsStructs.REQUEST_SGE_COUNT, length == 0 ? 0 : 1); // a length of 0 means 2^31 to some
        setEntry(send, VerbsStructs.SEND_BYTES, address, length, localKey);
    }

    private void setRemote(long remoteAddress, int remoteKey) {
        send.set(JAVA_LONG, VerbsStructs.SEND_REMOTE_ADDRESS, remoteAddress);
        send.set(JAVA_INT, VerbsStructs.SEND_REMOTE_KEY, remoteKey);
    }

    private static void setEntry(MemorySegment request, long offset, long address, int length, int localKey) {
        request.set(JAVA_LONG, offset + VerbsStructs.SGE_ADDRESS, address);
        request.set(JAVA_INT, offset + VerbsStructs.SGE_LENGTH, length);
        request.set(JAVA_INT, offset + VerbsStructs.SGE_KEY, localKey);
    }

    private void post(String verb, MemorySegment function, MemorySegment request, MemorySegment bad)
            throws VerbsException {
        if (destroyed) {
            throw new VerbsException(verb, EINVAL, "the queue pair is destroyed");
        }
        int errno = HotCalls.post(function, queuePair, request, bad);
        if (errno != 0) {
            throw new VerbsException(verb, Math.abs(errno), Errno.text(Math.abs(errno))); // ENOMEM: the queue is full
        }
    }

    /** Posts fail from now on. A post that runs just now is the caller's to exclude. */
    void destroyed() {
        destroyed = true;
    }
}
