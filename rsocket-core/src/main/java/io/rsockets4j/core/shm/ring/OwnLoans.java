/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm.ring;

import static io.rsockets4j.core.shm.ring.SlotDescriptor.COUNT;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.LENT;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.LOANS;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.MAX_LOANS;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.RECLAIMED;

import io.rsockets4j.core.host.Words;
import java.nio.ByteBuffer;

/**
 * Parts of a stream that the peer copies from this process' memory itself: the sender's side. In the ring a single byte
 * stands for each. Methods belong to the sending direction, but for what any thread may ask.
 */
final class OwnLoans {
    private final Words control;
    private final ByteBuffer[] buffers = new ByteBuffer[MAX_LOANS];
    private final long[] ends = new long[MAX_LOANS]; // lent bytes up to the last one of each
    private long made;
    private long ended;
    private long lent; // bytes of all
    private long taken; // as last seen
    private boolean reclaimed;
    private volatile long oldestEnd; // 0 while nothing is lent

    /**
     * Nothing is lent yet.
     *
     * @param control the ring's words
     */
    OwnLoans(Words control) {
        this.control = control;
    }

    /** Whether a buffer is lent. */
    boolean has(ByteBuffer src) {
        for (long i = ended; i < made; i++) {
            if (buffers[index(i)] == src) {
                return true;
            }
        }
        return false;
    }

    /** Whether one more can be lent. */
    boolean hasRoom() {
        return made - ended < MAX_LOANS && !reclaimed;
    }

    /**
     * Lends what remains in a buffer; {@link #hasRoom} was true. Then the caller sends the byte that stands for it.
     *
     * @param src the buffer
     * @param memory the number of the memory that it lies in
     * @param offset where in that
     * @param position how many bytes go by the ring before it, the low 32 bits
     */
    void add(ByteBuffer src, int memory, int offset, int position) {
        int index = index(made);
        int length = src.remaining();
        lent += length;
        buffers[index] = src;
        ends[index] = lent;
        if (oldestEnd == 0) {
            oldestEnd = lent;
        }
        control.putOpaque(SlotDescriptor.loanPlace(index), words(memory, position));
        control.putOpaque(SlotDescriptor.loanRange(index), words(offset, length));
        made++;
        control.putRelease(LOANS, made); // the loan before the count; pairs with PeerLoans.before
    }

    private static long words(int high, int low) {
        return (long) high << Integer.SIZE | low & 0xffffffffL;
    }

    /** Whether a loan is under way. Any thread. */
    boolean isUnderWay() {
        return oldestEnd != 0;
    }

    /** Whether the peer has all of the oldest loan. Any thread, while one is under way. */
    boolean isTaken() {
        return (control.getAcquire(LENT) & COUNT) >= oldestEnd;
    }

    /**
     * Ends the oldest loan once the peer has all of it.
     *
     * @param src its buffer
     * @return the bytes by which its position has moved, all or none
     * @throws RingCorruptedException if the peer says what cannot be
     */
    int end(ByteBuffer src) throws RingCorruptedException {
        int index = index(ended);
        if (buffers[index] != src || loadTaken() < ends[index]) {
            return 0;
        }
        int length = src.remaining();
        src.position(src.limit());
        buffers[index] = null;
        ended++;
        oldestEnd = ended == made ? 0 : ends[index(ended)];
        return length;
    }

    private long loadTaken() throws RingCorruptedException {
        long now = control.getAcquire(LENT) & COUNT; // the peer has read those; pairs with PeerLoans.take
        if (now < taken || now > lent) {
            throw new RingCorruptedException("lent", now, taken, lent);
        }
        taken = now;
        return now;
    }

    /**
     * Takes back all that is lent: what the peer copies from now on does not count. The positions of the buffers move
     * by what it has. Idempotent.
     */
    void reclaim() {
        if (reclaimed || ended == made) {
            return;
        }
        reclaimed = true;
        long now = control.getAcquire(LENT); // first, as a fault in a load does not end the JVM
        if ((now & RECLAIMED) == 0) {
            now = control.getAndOrVolatile(LENT, RECLAIMED); // pairs with PeerLoans.take
        }
        long has = Math.max(taken, Math.min(now & COUNT, lent));
        for (; ended < made; ended++) {
            int index = index(ended);
            ByteBuffer src = buffers[index];
            long begin = ends[index] - src.remaining();
            src.position(src.position() + (int) Math.max(0, Math.min(has - begin, src.remaining())));
            buffers[index] = null;
        }
        lent = has;
        oldestEnd = 0;
    }

    /** Bytes that were lent, less the bytes of the ring that stand for them. Any thread, as last seen. */
    long surplus() {
        return lent - made;
    }

    /** Bytes that were lent. Any thread, as last seen. */
    long bytes() {
        return lent;
    }

    private static int index(long loan) {
        return (int) loan & MAX_LOANS - 1;
    }
}
