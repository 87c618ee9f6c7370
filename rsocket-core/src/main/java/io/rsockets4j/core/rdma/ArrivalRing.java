/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.ring.ReceiveRing;
import java.nio.ByteBuffer;

/**
 * The receiving half of a stream: the ring that the peer's device writes into. Whoever polls for completions adds what
 * has arrived; the receiving direction reads.
 */
final class ArrivalRing extends ReceiveRing {
    private final SendQueue sends;
    private final int size;
    private volatile long arrived; // written by whoever polls

    ArrivalRing(ByteBuffer ring, SendQueue sends) {
        super(ring, ring.capacity());
        this.sends = sends;
        size = ring.capacity();
    }

    /**
     * Bytes have been written to the ring.
     *
     * @throws ProtocolException if there was no room for them
     */
    void arrived(int length) throws ProtocolException {
        long newArrived = arrived + length;
        if (length <= 0 || newArrived - sends.bytesRead() > size) {
            throw new ProtocolException("DATA of " + length + " bytes with room for " + (size - available()));
        }
        arrived = newArrived; // release: pairs with refresh
    }

    /** Bytes that arrived since the connection began. */
    long arrived() {
        return arrived;
    }

    @Override
    protected long refresh() {
        return arrived; // acquire: pairs with arrived(int)
    }

    @Override
    protected void release(long newHead) {
        sends.read(newHead); // release: pairs with arrived(int)
    }

    /** Bytes that can be read. Any thread. */
    int available() {
        return (int) (arrived - sends.bytesRead());
    }

    boolean isDrained() {
        return arrived == sends.bytesRead();
    }

    /**
     * For the receiving direction: whether the peer should hear what was read, which is when that is half a ring, or
     * less where it may have stopped for want of credit.
     */
    boolean isCreditDue() {
        long returned = sends.returned();
        long due = head() - returned;
        long peersRoom = size - (arrived - returned);
        return due >= size / 2 || peersRoom < size / 4 && due >= size / 4;
    }
}
