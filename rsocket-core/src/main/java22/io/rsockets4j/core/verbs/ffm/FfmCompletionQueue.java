/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.rsockets4j.core.verbs.CompletionQueue;
import io.rsockets4j.core.verbs.VerbsException;
import io.rsockets4j.core.verbs.VerbsStructs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** A completion queue (ibv_cq) with a batch of completions (ibv_wc). */
final class FfmCompletionQueue implements CompletionQueue {
    private static final int BATCH = 32;
    private static final ValueLayout.OfInt NETWORK_INT = JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);

    private final MemorySegment queue;
    private final MemorySegment pollCq;
    private final MemorySegment requestNotify;
    private final MemorySegment batch = Arena.ofAuto().allocate(BATCH * VerbsStructs.COMPLETION_BYTES, Long.BYTES);

    FfmCompletionQueue(long pointer, long context) {
        queue = MemorySegment.ofAddress(pointer);
        pollCq = function(context, VerbsDescriptor.CONTEXT_POLL_CQ);
        requestNotify = function(context, VerbsDescriptor.CONTEXT_REQ_NOTIFY_CQ);
    }

    /** A function of the device's driver. */
    static MemorySegment function(long context, long offset) {
        return MemorySegment.ofAddress(NativeMemory.getPointer(context + offset));
    }

    long pointer() {
        return queue.address();
    }

    @Override
    public int poll() throws VerbsException {
        int count = HotCalls.pollCq(pollCq, queue, BATCH, batch);
        if (count < 0) {
            throw new VerbsException("ibv_poll_cq", 0, "the completion queue is broken (returned " + count + ")");
        }
        return count;
    }

    @Override
    public void requestNotification() throws VerbsException {
        int errno = HotCalls.requestNotification(requestNotify, queue);
        if (errno != 0) {
            throw Errno.failed("ibv_req_notify_cq", errno);
        }
    }

    @Override
    public long workRequestId(int index) {
        return batch.get(JAVA_LONG, index * VerbsStructs.COMPLETION_BYTES + VerbsStructs.COMPLETION_ID);
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
        return (getInt(index, VerbsStructs.COMPLETION_FLAGS) & VerbsStructs.FLAG_WITH_IMMEDIATE) != 0;
    }

    @Override
    public int immediate(int index) {
        return batch.get(NETWORK_INT, index * VerbsStructs.COMPLETION_BYTES + VerbsStructs.COMPLETION_IMMEDIATE);
    }

    @Override
    public int byteLength(int index) {
        return getInt(index, VerbsStructs.COMPLETION_BYTE_LENGTH);
    }

    private int getInt(int index, int offset) {
        return batch.get(JAVA_INT, index * VerbsStructs.COMPLETION_BYTES + offset);
    }
}
