/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.verbs.QueuePair;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Counts what is posted, and posts nothing. Its device knows immediate data or not, as the one who posts believes. */
final class CountingQueuePair implements QueuePair {
    private int writes;
    private int bytes;
    private int sends;
    private int signaled;
    private int probes;
    private MessageBuffers buffers;
    private int unannounced;
    private final List<Integer> turns = new ArrayList<>();
    private long granted = QueueSizes.RECEIVES;

    /** Where messages are, for the ones that follow writes without immediate data. */
    void messages(MessageBuffers newBuffers) {
        buffers = newBuffers;
    }

    /** How many writes there were. */
    int writes() {
        return writes;
    }

    /** Whose writes they were. */
    List<Integer> turns() {
        return turns;
    }

    /** How many bytes they had. */
    int bytes() {
        return bytes;
    }

    /** How many messages were sent, but for those that follow writes. */
    int sends() {
        return sends;
    }

    /** How many writes of nothing there were. */
    int probes() {
        return probes;
    }

    /** How many writes tell when they have arrived. */
    int signaled() {
        return signaled;
    }

    /** How many of the peer's receives all of that uses. */
    long posted() {
        return (long) writes + sends;
    }

    /** How many receives the writes have granted to the peer. */
    long granted() {
        return granted;
    }

    @Override
    public int inlineBytes() {
        return 0;
    }

    @Override
    public void postReceive(long id, long address, int length, int localKey) { }

    @Override
    public void postSend(long id, long address, int length, int localKey, int flags) {
        ByteBuffer sent = buffers.sent();
        int at = (int) (address - buffers.sentAddress(0));
        if (sent.get(at) != MessageDescriptor.DATA) {
            sends++;
            return;
        }
        assertThat(sent.getInt(at + MessageDescriptor.DATA_LENGTH)).isEqualTo(unannounced);
        wrote(unannounced, flags, sent.getInt(at + MessageDescriptor.DATA_IMMEDIATE));
        unannounced = 0;
    }

    @Override
    public void postWrite(long id, long address, int length, int localKey, long remoteAddress, int remoteKey,
            int flags) {
        assertThat(unannounced).as("a write that no message has followed").isZero();
        if (length == 0) {
            assertThat(flags).isEqualTo(SIGNALED);
            probes++;
        } else {
            assertThat(flags).as("its message tells when it has arrived").isZero();
            unannounced = length;
        }
    }

    @Override
    public void postWriteWithImmediate(long id, long address, int length, int localKey, long remoteAddress,
            int remoteKey, int flags, int immediate) {
        wrote(length, flags, immediate);
    }

    private void wrote(int length, int flags, int immediate) {
        writes++;
        bytes += length;
        signaled += (flags & SIGNALED) == 0 ? 0 : 1;
        turns.add(DataImmediate.number(immediate));
        granted = DataImmediate.receives(DataImmediate.credit(immediate), granted);
    }
}
