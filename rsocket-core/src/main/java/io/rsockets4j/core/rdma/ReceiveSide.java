/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The receiving half of a connection: the ring that the peer's device writes into, and what of it was read. Whoever
 * polls for completions adds what has arrived; the receiving direction reads.
 */
final class ReceiveSide {
    /** Large reads return credit in pieces of this size, so that the peer can refill while we still copy out. */
    private static final int CHUNK_BYTES = 8 * 1024;

    /** The larger ring, and which byte is the first in it. */
    private record Move(ByteBuffer ring, long from) { }

    private ByteBuffer ring; // receiving direction, as the next two
    private int size;
    private long head;
    private int mostWaiting; // the size of the ring that the peer writes to; used by whoever polls
    private ByteBuffer larger; // null until the peer may move to it; used by whoever polls
    private volatile Move move; // until the receiving direction has got there
    private final AtomicLong arrived = new AtomicLong(); // written by whoever polls
    private final AtomicLong bytesRead = new AtomicLong(); // written by the receiving direction
    private volatile long returned; // bytes read, as the peer knows; written under the send queue's lock

    /** Creates the receiving half of a connection that has a ring of its own. */
    ReceiveSide(ByteBuffer ring) {
        this.ring = ring;
        size = ring.capacity();
        mostWaiting = size;
    }

    /** The peer may move to a larger ring. Whoever polls. */
    void offer(ByteBuffer largerRing) {
        larger = largerRing;
    }

    /**
     * The peer writes to the larger ring from now on.
     *
     * @param from the bytes that it has sent to the ring before
     * @throws ProtocolException if there is none, or other bytes have come
     */
    void moved(long from) throws ProtocolException {
        if (larger == null || larger.capacity() == mostWaiting || from != arrived.getPlain()) {
            throw new ProtocolException("MOVE after " + from + " bytes, of " + arrived.getPlain());
        }
        mostWaiting = larger.capacity();
        move = new Move(larger, from); // volatile store, before more arrives: pairs with read
    }

    /** Whether the peer has moved to a larger ring. Whoever polls. */
    boolean hasMoved() {
        return larger != null && larger.capacity() == mostWaiting;
    }

    /**
     * Bytes have been written to the ring.
     *
     * @throws ProtocolException if there was no room for them
     */
    void arrived(int length) throws ProtocolException {
        long newArrived = arrived.getPlain() + length;
        if (length <= 0 || newArrived - bytesRead.get() > mostWaiting) {
            throw new ProtocolException("DATA of " + length + " bytes with room for " + (mostWaiting - available()));
        }
        arrived.setRelease(newArrived); // pairs with read; whoever sleeps is rung after a fence
    }

    /** Bytes that arrived since the connection began. */
    long arrived() {
        return arrived.get();
    }

    /** Copies what has arrived. Returns the number of bytes; 0 when none have. */
    int read(ByteBuffer dst) {
        int position = dst.position();
        int from = position;
        int end = dst.limit();
        while (from < end) {
            int waiting = (int) (arrived.get() - head); // acquire: pairs with arrived(int)
            if (waiting == 0) {
                break;
            }
            Move next = move;
            if (next != null) {
                waiting = moveAt(next, waiting);
            }
            int offset = (int) head & size - 1;
            int run = Math.min(Math.min(Math.min(end - from, CHUNK_BYTES), waiting), size - offset);
            dst.put(from, ring, offset, run);
            from += run;
            head += run;
            bytesRead.setRelease(head); // pairs with arrived(int), and with sayRead
        }
        dst.position(from);
        return from - position;
    }

    /** Takes the larger ring where its first byte comes next. Returns how many of the waiting bytes are in one ring. */
    private int moveAt(Move next, int waiting) {
        if (head < next.from) {
            return (int) Math.min(waiting, next.from - head);
        }
        ring = next.ring;
        size = ring.capacity();
        move = null;
        return waiting;
    }

    /** Bytes read since the connection began. Any thread. */
    long bytesRead() {
        return bytesRead.get();
    }

    /** What a message that is about to go says of the bytes read. Under the send queue's lock. */
    long sayRead() {
        long now = bytesRead.get();
        returned = now;
        return now;
    }

    /** Bytes that can be read. Any thread. */
    int available() {
        return (int) (arrived.get() - bytesRead.get());
    }

    boolean isDrained() {
        return arrived.get() == bytesRead.get();
    }

    /**
     * For the receiving direction: whether the peer should hear what was read. Often enough that a stream over a long
     * way has nearly the whole ring under way; seldom enough that messages for it are few.
     */
    boolean isCreditDue() {
        return head - returned >= quietBytes(size);
    }

    /** How much of a ring may have been read without the sender being told. */
    static int quietBytes(int ringBytes) {
        return ringBytes / 4;
    }
}
