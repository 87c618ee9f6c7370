/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import java.nio.ByteBuffer;

/** The registered memory of a session's messages: a buffer for each receive, and for each slot of the send queue. */
final class MessageBuffers {
    /** How large it is. */
    static final int BYTES = (QueueSizes.RECEIVES + QueueSizes.SENDS) * MessageDescriptor.MESSAGE_BYTES;

    private static final int RECEIVED_BYTES = QueueSizes.RECEIVES * MessageDescriptor.MESSAGE_BYTES;

    private final ByteBuffer[] received = new ByteBuffer[QueueSizes.RECEIVES]; // a message must not cost an object
    private final ByteBuffer sent;
    private final long address;
    private final int localKey;

    /**
     * Divides memory.
     *
     * @param memory of {@link #BYTES} at least
     * @param address where it begins
     * @param localKey of its registration
     */
    MessageBuffers(ByteBuffer memory, long address, int localKey) {
        for (int i = 0; i < received.length; i++) {
            received[i] = memory.slice(i * MessageDescriptor.MESSAGE_BYTES, MessageDescriptor.MESSAGE_BYTES);
        }
        sent = memory.slice(RECEIVED_BYTES, BYTES - RECEIVED_BYTES);
        this.address = address;
        this.localKey = localKey;
    }

    int localKey() {
        return localKey;
    }

    /** Where the message of a receive arrives; read at absolute positions only. */
    ByteBuffer received(int index) {
        return received[index];
    }

    long receivedAddress(int index) {
        return address + (long) index * MessageDescriptor.MESSAGE_BYTES;
    }

    /** All buffers of messages to send; each of {@link MessageDescriptor#MESSAGE_BYTES}. */
    ByteBuffer sent() {
        return sent;
    }

    long sentAddress(int index) {
        return address + RECEIVED_BYTES + (long) index * MessageDescriptor.MESSAGE_BYTES;
    }
}
