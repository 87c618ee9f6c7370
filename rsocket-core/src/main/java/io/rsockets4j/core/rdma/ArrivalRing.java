/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.ring.ReceiveRing;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The receiving half of a stream: the ring that the peer's device writes into. Whoever polls for completions adds what
 * has arrived; the receiving direction reads.
 */
final class ArrivalRing extends ReceiveRing {
    private final SendQueue sends;
    private final int size;
    private final AtomicLong arrived = new AtomicLong(); // written by whoever polls

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
        long newArrived = arrived.getPlain() + length;
        if (length <= 0 || newArrived - sends.bytesRead() > size) {
            throw new ProtocolException("DATA of " + length + " bytes with room for " + (size - available()));
        }
        arrived.setRelease(newArrived); // pairs with refresh; whoever sleeps is rung after a fence
    }

    /** Bytes that arrived since the connection began. */
    long arrived() {
        return arrived.get();
    }

    @Override
    protected long refresh() {
        return arrived.get(); // acquire: pairs with arrived(int)
    }

    @Override
    protected void release(long newHead) {
        sends.read(newHead); // release: pairs with arrived(int)
    }

    /** Bytes that can be read. Any thread. */
    int available() {
        return (int) (arrived.get() - sends.bytesRead());
    }

    boolean isDrained() {
        return arrived.get() == sends.bytesRead();
    }

    /**
     * For the receiving direction: whether the peer should hear what was read. Often enough that a stream over a long
     * way has nearly the whole ring under way; seldom enough that messages for it are few.
     */
    boolean isCreditDue() {
        return head() - sends.returned() >= quietBytes(size);
    }

    /** How much of a ring may have been read without the sender being told. */
    static int quietBytes(int ringBytes) {
        return ringBytes / 4;
    }
}
