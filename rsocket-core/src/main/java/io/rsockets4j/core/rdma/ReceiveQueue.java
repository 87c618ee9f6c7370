/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.verbs.QueuePair;
import io.rsockets4j.core.verbs.VerbsException;

/**
 * Keeps the receive queue of a link full, without the program's help, and knows what the peer has been told of it.
 * Whoever polls posts, one thread at a time; the send queue grants.
 */
final class ReceiveQueue {
    private static final int MAX_DEFERRED = QueueSizes.RECEIVES / 8;
    private static final int GRANT_WORTH_A_MESSAGE = QueueSizes.RECEIVES / 2;

    private final QueuePair queuePair;
    private final MessageBuffers buffers;
    private final long tag;
    private final int[] deferred = new int[MAX_DEFERRED]; // receives to post again; used by whoever polls
    private int deferredCount;
    private volatile long posted; // written by whoever polls
    private volatile long granted = QueueSizes.RECEIVES; // as the first message says; under the send queue's lock

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

    /** Receives posted since the link began. */
    long posted() {
        return posted;
    }

    /** Whether so many were posted that the peer does not know of that a message of its own is to tell. Any thread. */
    boolean isGrantDue() {
        return posted - granted >= GRANT_WORTH_A_MESSAGE;
    }

    /** What a message is to say: all that were posted since the link began. Under the send queue's lock. */
    long grantAll() {
        granted = posted;
        return granted;
    }

    /** What data is to say: at times more than before. Under the send queue's lock. */
    long grantWithData() {
        long now = posted;
        if (now - granted >= DataImmediate.CREDIT_UNIT) {
            granted = DataImmediate.roundDown(now);
        }
        return granted;
    }
}
