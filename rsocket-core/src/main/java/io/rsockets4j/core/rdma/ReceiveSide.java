/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.direct.Advert;
import io.rsockets4j.core.direct.DirectCorruptedException;
import io.rsockets4j.core.direct.OwnAdverts;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The receiving half of a connection: the ring that the peer's device writes into, and what of it was read. Whoever
 * polls for completions adds what has arrived; the receiving direction reads.
 *
 * <p>Bytes that came straight into an advertised buffer count as those of the ring do, and leave out their places
 * there: so every byte has the place that its position gives, and one count tells of all.
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
    private volatile boolean usesAdverts = true; // the peer; written by whoever polls, and as reads begin
    private volatile OwnAdverts adverts; // null before the first one; set by the receiving direction
    private long taken; // bytes that came straight, of those that are read; receiving direction
    private int part; // bytes that came into a buffer, while its last ones have not; used by whoever polls
    private long directEnd; // position behind the last bytes that came straight; written by whoever polls
    private volatile long direct; // bytes that came straight; written by whoever polls
    private long ringBytesBefore; // bytes that came by the ring before this link; under the send queue's lock

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
     * @param from the bytes that it has sent before
     * @throws ProtocolException if there is none, or other bytes have come
     */
    void moved(long from) throws ProtocolException {
        if (larger == null || hasMoved() || from != arrived.getPlain() + part) {
            throw new ProtocolException("MOVE after " + from + " bytes, of " + (arrived.getPlain() + part));
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
     * @param large whether they came among large writes
     * @throws ProtocolException if there was no room for them
     * @throws DirectCorruptedException if others are missing
     */
    void arrived(int length, boolean large) throws ProtocolException, DirectCorruptedException {
        endPart();
        if (usesAdverts != large) {
            usesAdverts = large;
        }
        long newArrived = arrived.getPlain() + length;
        if (length <= 0
                || newArrived - bytesRead.get() > mostWaiting && newArrived - directEnd > mostWaiting) {
            throw new ProtocolException("DATA of " + length + " bytes with room for " + (mostWaiting - available()));
        }
        arrived.setRelease(newArrived); // pairs with read; whoever sleeps is rung after a fence
    }

    /**
     * Bytes have been written to the oldest buffer that was advertised.
     *
     * @param last whether no more of them come
     * @return whether they can be read now
     * @throws DirectCorruptedException if there was no such buffer, or no room in it
     */
    boolean arrivedDirectly(int length, boolean last) throws DirectCorruptedException {
        OwnAdverts own = adverts;
        if (own == null) {
            own = new OwnAdverts(); // which refuses
        }
        own.arrived(length, last, arrived.getPlain() - direct - ringBytesBefore);
        part += length;
        if (last) {
            publishPart();
        }
        return last;
    }

    private void publishPart() {
        directEnd = arrived.getPlain() + part;
        direct += part;
        part = 0;
        arrived.setRelease(directEnd); // pairs with takeDirect
    }

    /** Whether a buffer has got bytes and waits for more. Whoever polls, or who has waited for them since. */
    boolean isPartly() {
        return part > 0;
    }

    /** Something else has come than more bytes for a buffer that has got some: a buffer that may end so can be read. */
    void endPart() throws DirectCorruptedException {
        if (part > 0) {
            adverts.endPart();
            publishPart();
        }
    }

    /**
     * The link has gone: what came straight is all that comes so. While nobody polls for this connection; where there
     * is another link, under the send queue's lock.
     */
    void endDirect() {
        OwnAdverts own = adverts;
        if (own != null) {
            own.end();
            if (part > 0) {
                publishPart();
            }
        }
        ringBytesBefore = arrived.getPlain() - direct;
    }

    /**
     * For the receiving direction, while nothing is left in the ring: the peer may write to a buffer from now on. Under
     * the send queue's lock, before the peer hears of it.
     *
     * @return what the peer is to hear
     */
    Advert advertise(long address, int length, int key, boolean waitAll) {
        OwnAdverts own = adverts;
        if (own == null) {
            own = new OwnAdverts();
            adverts = own;
        }
        Advert advert = new Advert(head - taken - ringBytesBefore, address, length, key, waitAll);
        own.add(advert);
        return advert;
    }

    /**
     * Whether the peer would use adverts: its last bytes by the ring came among large writes, or none have come. Any
     * thread, as a hint; where it would not, adverts are messages, and registrations, for nothing.
     */
    boolean usesAdverts() {
        return usesAdverts;
    }

    /** What has come so far says nothing of what comes next. */
    void expectLarge() {
        usesAdverts = true;
    }

    /** For the receiving direction: the buffers that were advertised, and not read or forgotten since. */
    int advertised() {
        OwnAdverts own = adverts;
        return own == null ? 0 : own.count();
    }

    /** Those of {@link #advertised} that the peer may still write to. */
    int advertisedOpen() {
        OwnAdverts own = adverts;
        return own == null ? 0 : own.open();
    }

    /** For the receiving direction: the peer writes to no buffer any more that was advertised. */
    void forgetAdverts() {
        OwnAdverts own = adverts;
        if (own != null) {
            own.forget();
        }
    }

    /** Takes the bytes that came straight into the oldest buffer, once it has all. Returns their number, or 0. */
    int takeDirect() {
        if (arrived.get() == head) { // acquire, then what was written before
            return 0;
        }
        OwnAdverts own = adverts;
        int bytes = own == null ? 0 : own.take();
        if (bytes > 0) {
            taken += bytes;
            head += bytes;
            bytesRead.setRelease(head);
        }
        return bytes;
    }

    /** Bytes that came straight into buffers since the connection began. Any thread. */
    long direct() {
        return direct;
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
            Move next = move; // volatile load, after what has arrived: pairs with moved
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
        return (int) Math.min(arrived.get() - bytesRead.get(), Integer.MAX_VALUE);
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
