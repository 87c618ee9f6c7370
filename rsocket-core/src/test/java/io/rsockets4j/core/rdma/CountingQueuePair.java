/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.verbs.QueuePair;
import java.util.ArrayList;
import java.util.List;

/** Counts what is posted, and posts nothing. Its device knows immediate data. */
final class CountingQueuePair implements QueuePair {
    private int writes;
    private int bytes;
    private int sends;
    private int signaled;
    private final List<Integer> turns = new ArrayList<>();
    private long granted = ReceiveQueue.CAPACITY;

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

    /** How many messages were sent. */
    int sends() {
        return sends;
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
    public int number() {
        return 1;
    }

    @Override
    public int inlineBytes() {
        return 0;
    }

    @Override
    public void postReceive(long id, long address, int length, int localKey) { }

    @Override
    public void postSend(long id, long address, int length, int localKey, int flags) {
        sends++;
    }

    @Override
    public void postWrite(long id, long address, int length, int localKey, long remoteAddress, int remoteKey,
            int flags) {
        throw new AssertionError("no immediate data");
    }

    @Override
    public void postWriteWithImmediate(long id, long address, int length, int localKey, long remoteAddress,
            int remoteKey, int flags, int immediate) {
        writes++;
        bytes += length;
        signaled += (flags & SIGNALED) == 0 ? 0 : 1;
        turns.add(DataImmediate.number(immediate));
        granted = DataImmediate.receives(DataImmediate.credit(immediate), granted);
    }
}
