/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.disni;

import com.ibm.disni.verbs.impl.NativeDispatcher;
import io.rsockets4j.core.verbs.CompletionQueue;
import io.rsockets4j.core.verbs.VerbsException;
import io.rsockets4j.core.verbs.VerbsStructs;
import java.io.IOException;
import java.nio.ByteBuffer;

/** An ibv_cq, with room for a batch of completions. */
final class DisniCompletionQueue implements CompletionQueue {
    private static final int BATCH = 32;
    private static final int RECEIVED_WITH_IMMEDIATE = 129; // IBV_WC_RECV_RDMA_WITH_IMM

    private final NativeDispatcher disni;
    private final long pointer;
    private final ByteBuffer batch = DirectMemory.structs(BATCH * VerbsStructs.COMPLETION_BYTES);
    private final long batchAddress = DirectMemory.address(batch);

    DisniCompletionQueue(NativeDispatcher disni, long pointer) {
        this.disni = disni;
        this.pointer = pointer;
    }

    long pointer() {
        return pointer;
    }

    @Override
    public int poll() throws IOException {
        int count = disni._pollCQ(pointer, BATCH, batchAddress);
        if (count < 0) {
            throw DisniErrors.unexplained("ibv_poll_cq", count);
        }
        return count;
    }

    @Override
    public void requestNotification() throws IOException {
        int error = disni._reqNotifyCQ(pointer, 0);
        if (error != 0) {
            throw new VerbsException("ibv_req_notify_cq", error, "failed");
        }
    }

    @Override
    public long workRequestId(int index) {
        return batch.getLong(index * VerbsStructs.COMPLETION_BYTES + VerbsStructs.COMPLETION_ID);
    }

    @Override
    public int status(int index) {
        return getInt(index, VerbsStructs.COMPLETION_STATUS);
    }

    @Override
    public int vendorError(int index) {
        return getInt(index, VerbsStructs.COMPLETION_VENDOR_ERROR);
    }

    @Override
    public boolean hasImmediate(int index) {
        return getInt(index, VerbsStructs.COMPLETION_OPCODE) == RECEIVED_WITH_IMMEDIATE;
    }

    @Override
    public int immediate(int index) {
        return DirectMemory.swap(getInt(index, VerbsStructs.COMPLETION_IMMEDIATE));
    }

    @Override
    public int byteLength(int index) {
        return getInt(index, VerbsStructs.COMPLETION_BYTE_LENGTH);
    }

    private int getInt(int index, int offset) {
        return batch.getInt(index * VerbsStructs.COMPLETION_BYTES + offset);
    }
}
