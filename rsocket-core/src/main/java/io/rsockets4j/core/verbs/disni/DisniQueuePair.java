/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.disni;

import com.ibm.disni.verbs.impl.NativeDispatcher;
import io.rsockets4j.core.verbs.QueuePair;
import io.rsockets4j.core.verbs.VerbsException;
import io.rsockets4j.core.verbs.VerbsStructs;
import java.io.IOException;

/** An ibv_qp. Posting to it after its identifier was destroyed fails, rather than using freed memory. */
final class DisniQueuePair implements QueuePair {
    private static final String POST_SEND = "ibv_post_send";
    private static final String POST_RECEIVE = "ibv_post_recv";

    private final NativeDispatcher disni;
    private final long pointer;
    private final int inlineBytes;
    private final WorkRequests requests = new WorkRequests(DirectMemory.structs(WorkRequests.BYTES));
    private final PostGate sendGate = new PostGate();
    private final PostGate receiveGate = new PostGate();

    /**
     * Wraps a queue pair.
     *
     * @param disni native functions
     * @param pointer to the ibv_qp
     * @param inlineBytes what the device has granted
     */
    DisniQueuePair(NativeDispatcher disni, long pointer, int inlineBytes) {
        this.disni = disni;
        this.pointer = pointer;
        this.inlineBytes = inlineBytes;
    }

    @Override
    public int inlineBytes() {
        return inlineBytes;
    }

    @Override
    public void postReceive(long workRequestId, long address, int length, int localKey) throws VerbsException {
        if (!receiveGate.enter()) {
            throw DisniErrors.destroyed(POST_RECEIVE);
        }
        try {
            disni._postRecv(pointer, requests.receive(workRequestId, address, length, localKey));
        } catch (IOException e) {
            throw DisniErrors.of(POST_RECEIVE, e);
        } finally {
            receiveGate.leave();
        }
    }

    @Override
    public void postSend(long workRequestId, long address, int length, int localKey, int flags)
            throws VerbsException {
        post(VerbsStructs.OPCODE_SEND, workRequestId, address, length, localKey, 0, 0, flags, 0);
    }

    @Override
    public void postWrite(long workRequestId, long address, int length, int localKey, long remoteAddress,
            int remoteKey, int flags) throws VerbsException {
        post(VerbsStructs.OPCODE_WRITE, workRequestId, address, length, localKey, remoteAddress, remoteKey, flags, 0);
    }

    @Override
    public void postWriteWithImmediate(long workRequestId, long address, int length, int localKey, long remoteAddress,
            int remoteKey, int flags, int immediate) throws VerbsException {
        post(VerbsStructs.OPCODE_WRITE_WITH_IMMEDIATE, workRequestId, address, length, localKey, remoteAddress,
                remoteKey, flags, immediate);
    }

    private void post(int opcode, long id, long from, int length, int localKey, long to, int remoteKey, int flags,
            int immediate) throws VerbsException {
        if (!sendGate.enter()) {
            throw DisniErrors.destroyed(POST_SEND);
        }
        try {
            requests.remote(to, remoteKey);
            disni._postSend(pointer, requests.send(opcode, id, from, length, localKey, flags, immediate));
        } catch (IOException e) {
            throw DisniErrors.of(POST_SEND, e);
        } finally {
            sendGate.leave();
        }
    }

    /** Lets nobody post any more, and waits for who just does. Before the queue pair is destroyed. */
    void close() {
        sendGate.close();
        receiveGate.close();
    }
}
