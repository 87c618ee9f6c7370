/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.verbs.QueuePair;
import io.rsockets4j.core.verbs.VerbsException;

/**
 * Keeps the receive queue of a session full, without the program's help. Whoever polls posts, one thread at a time;
 * others may read the count.
 */
final class ReceiveQueue {
    private static final int MAX_DEFERRED = QueueSizes.RECEIVES / 8;

    private final QueuePair queuePair;
    private final MessageBuffers buffers;
    private final long tag;
    private final int[] deferred = new int[MAX_DEFERRED]; // receives to post again; used by whoever polls
    private int deferredCount;
    private volatile long posted; // written by whoever polls

    ReceiveQueue(QueuePair queuePair, MessageBuffers buffers, long tag) throws VerbsException {
        this.queuePair = queuePair;
        this.buffers = buffers;
        this.tag = tag;
        for (int i = 0; i < QueueSizes.RECEIVES; i++) {
            post(i);
        }
    }

    /**
     * Posts a receive again, whose message has been read: later, if the poller has the time then.
     *
     * @return true when it is the first one that was put off
     */
    boolean postSoon(int index) throws VerbsException {
        if (deferredCount == MAX_DEFERRED) {
            postDeferred();
        }
        deferred[deferredCount++] = index;
        return deferredCount == 1;
    }

    /** Posts what was put off. */
    void postDeferred() throws VerbsException {
        while (deferredCount > 0) {
            post(deferred[--deferredCount]);
        }
    }

    private void post(int index) throws VerbsException {
        queuePair.postReceive(WorkRequestIds.receive(tag, index), buffers.receivedAddress(index),
                MessageDescriptor.MESSAGE_BYTES, buffers.localKey());
        posted++;
    }

    /** Receives posted since the session began. */
    long posted() {
        return posted;
    }
}
