/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm.ring;

import static io.rsockets4j.core.shm.ring.SlotDescriptor.LENT;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.LOANS;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.MAX_LOANS;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.RECLAIMED;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.TAKES_LOANS;

import io.rsockets4j.core.host.Words;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;

/**
 * Parts of a stream that this side copies from the peer's memory itself: the receiver's side. The peer may take its
 * memory back, and change it, at any time; so bytes count only if they are still lent when they have been copied.
 * Methods belong to the receiving direction.
 */
final class PeerLoans {
    private static final int CHECKED_BYTES = 16 * 1024;

    private final Words control;
    private final IntFunction<Borrowed> memories;
    private long made; // as last seen
    private long ended;
    private long taken; // bytes of all
    private boolean due; // the next byte in the ring stands for the oldest loan
    private Borrowed borrowed; // of that; null until it is looked for
    private int offset;
    private int left;

    /**
     * Tells the peer that it may lend.
     *
     * @param control the ring's words
     * @param memories the peer's memory by its number; null for one that it has not
     */
    PeerLoans(Words control, IntFunction<Borrowed> memories) {
        this.control = control;
        this.memories = memories;
        control.compareAndSet(LENT, 0, TAKES_LOANS); // pairs with SendRing.lend
    }

    /**
     * How far bytes can be read from the ring alone.
     *
     * @param head what has been read
     * @param tail what has come, acquired
     * @return the tail, or the place of the byte that stands for the next loan
     * @throws RingCorruptedException if the peer says what cannot be
     */
    long before(long head, long tail) throws RingCorruptedException {
        long now = control.getAcquire(LOANS); // pairs with OwnLoans.add
        if (now < made || now - ended > MAX_LOANS) {
            throw new RingCorruptedException("loans", now, made, ended + MAX_LOANS);
        }
        made = now;
        due = false;
        if (ended == made || head == tail) {
            return tail;
        }
        long place = control.getOpaque(SlotDescriptor.loanPlace(index())); // ordered by the acquire of the count
        long at = head + ((int) place - (int) head & 0xffffffffL);
        due = at == head;
        return Math.min(at, tail);
    }

    /** Whether the next byte in the ring stands for a loan. */
    boolean isDue() {
        return due;
    }

    /**
     * Copies bytes of the loan that is due.
     *
     * @param dst where to
     * @param position of the first one there
     * @param wanted how many at most
     * @return how many
     * @throws RingCorruptedException if the peer says what cannot be, or has taken its memory back from under the loan
     */
    int take(ByteBuffer dst, int position, int wanted) throws RingCorruptedException {
        int length;
        try {
            length = copy(dst, position, wanted);
        } catch (RingCorruptedException e) {
            return takenBack(e);
        }
        // after the bytes, and only while they are lent: pairs with OwnLoans.reclaim
        if (!control.compareAndSet(LENT, TAKES_LOANS | taken, TAKES_LOANS | taken + length)) {
            return takenBack(null);
        }
        taken += length;
        offset += length;
        left -= length;
        return length;
    }

    private int copy(ByteBuffer dst, int position, int wanted) throws RingCorruptedException {
        if (borrowed == null) {
            open();
        }
        int length = Math.min(wanted, left);
        try {
            dst.put(position, borrowed.memory(), offset, length);
            // a call of the kernel, after which compiled code tells of a fault; for a few bytes it is too dear
            if (length < CHECKED_BYTES || borrowed.isWhole()) {
                return length;
            }
            throw new RingCorruptedException("memory", null);
        } catch (InternalError e) { // a fault: the file is shorter than it was
            throw new RingCorruptedException("memory", e);
        }
    }

    /** Nothing more comes of the loan if the peer has taken it back; otherwise that is why it does not. */
    private int takenBack(RingCorruptedException why) throws RingCorruptedException {
        long now = control.getAcquire(LENT); // pairs with OwnLoans.reclaim
        if (now != (RECLAIMED | TAKES_LOANS | taken)) {
            throw why == null ? new RingCorruptedException("lent", now, taken, taken) : why;
        }
        left = 0;
        return 0;
    }

    private void open() throws RingCorruptedException {
        long range = control.getOpaque(SlotDescriptor.loanRange(index())); // ordered by the acquire of the count
        int number = (int) (control.getOpaque(SlotDescriptor.loanPlace(index())) >>> Integer.SIZE);
        Borrowed found = memories.apply(number);
        offset = (int) (range >>> Integer.SIZE);
        left = (int) range;
        int capacity = found == null ? -1 : found.memory().capacity();
        if (offset < 0 || left < 0 || offset > capacity - left) {
            throw new RingCorruptedException("loan of " + left + " bytes at", offset, 0, (long) capacity - left);
        }
        borrowed = found;
    }

    /** Whether nothing is left of the loan that is due; then the byte that stands for it is to be passed. */
    boolean isOver() {
        return left == 0;
    }

    /** The byte that stands for the loan that was due has been passed. */
    void passed() {
        ended++;
        due = false;
        borrowed = null;
    }

    /** Bytes that were copied, less the bytes of the ring that stood for them. Any thread, as last seen. */
    long surplus() {
        return taken - ended;
    }

    /** Bytes that were copied. Any thread, as last seen. */
    long bytes() {
        return taken;
    }

    private int index() {
        return (int) ended & MAX_LOANS - 1;
    }
}
