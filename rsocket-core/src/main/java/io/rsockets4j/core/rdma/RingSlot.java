/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.verbs.MemoryRegion;
import java.nio.ByteBuffer;

/**
 * The registered memory of one connection: the ring that the peer writes into, the mirror of the peer's ring that
 * writes are taken from, and buffers for messages. Belongs to one connection at a time; see {@link RingPool}.
 */
final class RingSlot {
    private static final byte[] ZEROS = new byte[4096];

    private final ByteBuffer ring;
    private final MemoryRegion ringRegion;
    private final ByteBuffer mirror;
    private final ByteBuffer[] received; // made once: a message must not cost an object
    private final ByteBuffer sent;
    private final long mirrorAddress;
    private final long receivedAddress;
    private final long sentAddress;
    private final int localKey;

    /**
     * Divides a part of a slab.
     *
     * @param ring memory that the peer may write to
     * @param ringRegion its registration
     * @param local memory of this side alone: mirror, messages received, messages sent
     * @param localAddress where that begins
     * @param localKey of its registration
     */
    RingSlot(ByteBuffer ring, MemoryRegion ringRegion, ByteBuffer local, long localAddress, int localKey) {
        this.ring = ring;
        this.ringRegion = ringRegion;
        this.localKey = localKey;
        int receives = ReceiveQueue.CAPACITY * MessageDescriptor.MESSAGE_BYTES;
        mirror = local.slice(0, ring.capacity());
        received = new ByteBuffer[ReceiveQueue.CAPACITY];
        for (int i = 0; i < received.length; i++) {
            received[i] = local.slice(ring.capacity() + i * MessageDescriptor.MESSAGE_BYTES,
                    MessageDescriptor.MESSAGE_BYTES);
        }
        sent = local.slice(ring.capacity() + receives, SendQueue.CAPACITY * MessageDescriptor.MESSAGE_BYTES);
        mirrorAddress = localAddress;
        receivedAddress = mirrorAddress + ring.capacity();
        sentAddress = receivedAddress + receives;
    }

    /** The bytes of a slot's own side, for rings of a size. */
    static int localBytes(int ringBytes) {
        return ringBytes + (ReceiveQueue.CAPACITY + SendQueue.CAPACITY) * MessageDescriptor.MESSAGE_BYTES;
    }

    ByteBuffer ring() {
        return ring;
    }

    /** Overwrites the first bytes of the ring with zeros. */
    void clear(int bytes) {
        for (int at = 0; at < bytes; at += ZEROS.length) {
            ring.put(at, ZEROS, 0, Math.min(ZEROS.length, bytes - at));
        }
    }

    MemoryRegion ringRegion() {
        return ringRegion;
    }

    ByteBuffer mirror() {
        return mirror;
    }

    long mirrorAddress() {
        return mirrorAddress;
    }

    int localKey() {
        return localKey;
    }

    /** Where the message of a receive arrives; read at absolute positions only. */
    ByteBuffer received(int index) {
        return received[index];
    }

    long receivedAddress(int index) {
        return receivedAddress + (long) index * MessageDescriptor.MESSAGE_BYTES;
    }

    /** All buffers of messages to send; each of {@link MessageDescriptor#MESSAGE_BYTES}. */
    ByteBuffer sent() {
        return sent;
    }

    long sentAddress(int index) {
        return sentAddress + (long) index * MessageDescriptor.MESSAGE_BYTES;
    }
}
