/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.verbs.QueuePair;
import io.rsockets4j.core.verbs.VerbsException;

/**
 * Keeps the receive queue of a connection full, without the program's help. Whoever polls posts, one thread at a time;
 * others may read the count.
 */
final class ReceiveQueue {
    /** How many receives are posted at any time: what the peer may send ahead. */
    static final int CAPACITY = 128;

    private final QueuePair queuePair;
    private final RingSlot slot;
    private final long tag;
    private volatile long posted; // written by whoever polls

    ReceiveQueue(QueuePair queuePair, RingSlot slot, long tag) throws VerbsException {
        this.queuePair = queuePair;
        this.slot = slot;
        this.tag = tag;
        for (int i = 0; i < CAPACITY; i++) {
            post(i);
        }
    }

    /** Posts a receive again, whose message has been read. */
    void post(int index) throws VerbsException {
        queuePair.postReceive(WorkRequestIds.receive(tag, index), slot.receivedAddress(index),
                MessageDescriptor.MESSAGE_BYTES, slot.localKey());
        posted++;
    }

    /** Receives posted since the connection began. */
    long posted() {
        return posted;
    }
}
