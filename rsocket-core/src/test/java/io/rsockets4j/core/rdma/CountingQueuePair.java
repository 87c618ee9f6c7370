/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.verbs.QueuePair;
import java.util.ArrayList;
import java.util.List;

/** Counts what is posted, and posts nothing. Its device knows immediate data. */
final class CountingQueuePair implements QueuePair {
    private int writes;
    private int bytes;
    private int sends;
    private int signaled;
    private int probes;
    private final List<Integer> turns = new ArrayList<>();
    private long granted = QueueSizes.RECEIVES;

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
        sends++;
    }

    @Override
    public void postWrite(long id, long address, int length, int localKey, long remoteAddress, int remoteKey,
            int flags) {
        assertThat(length).as("but for probes, writes have immediate data").isZero();
        assertThat(flags).isEqualTo(SIGNALED);
        probes++;
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
