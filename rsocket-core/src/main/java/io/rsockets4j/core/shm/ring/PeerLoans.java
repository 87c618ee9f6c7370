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
        if (control.getAcquire(LENT) == 0) { // first, as a fault in a load does not end the JVM
            control.compareAndSet(LENT, 0, TAKES_LOANS); // pairs with SendRing.lend
        }
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
     * @param wanted how many at most, one or more
     * @return how many; 0 where the peer has taken the rest back, or this process cannot map the memory now
     * @throws RingCorruptedException if the peer says what cannot be, or has cut its memory short under the loan
     * @throws InternalError at a fault; then {@link #isCutShort} tells whether it was in the peer's memory
     */
    int take(ByteBuffer dst, int position, int wanted) throws RingCorruptedException {
        if (borrowed == null && !open()) {
            return 0;
        }
        int length = Math.min(wanted, left);
        dst.put(position, borrowed.memory(), offset, length);
        if (borrowed.isCut()) { // a call of the kernel, after which most JVMs tell of a fault before it
            throw new RingCorruptedException("memory of " + borrowed.memory().capacity() + " bytes: length",
                    borrowed.file().length(), borrowed.memory().capacity(), borrowed.memory().capacity());
        }
        // After the bytes, and only while they are lent: pairs with OwnLoans.reclaim. The load first, as a fault in it
        // does not end the JVM, while one in an exchange may.
        long now = control.getAcquire(LENT);
        if (now == (TAKES_LOANS | taken)
                && control.compareAndSet(LENT, TAKES_LOANS | taken, TAKES_LOANS | taken + length)) {
            taken += length;
            offset += length;
            left -= length;
            return length;
        }
        now = control.getAcquire(LENT);
        if (now != (RECLAIMED | TAKES_LOANS | taken)) {
            throw new RingCorruptedException("lent", now, taken, taken);
        }
        left = 0;
        return 0;
    }

    /** Finds the memory of the loan that is due; false if nothing of it can be copied now, or nothing ever. */
    private boolean open() throws RingCorruptedException {
        long range = control.getOpaque(SlotDescriptor.loanRange(index())); // ordered by the acquire of the count
        int number = (int) (control.getOpaque(SlotDescriptor.loanPlace(index())) >>> Integer.SIZE);
        offset = (int) (range >>> Integer.SIZE);
        left = (int) range;
        if (offset < 0 || left <= 0) {
            throw new RingCorruptedException("loan of " + left + " bytes at", offset, 0, Integer.MAX_VALUE);
        }
        Borrowed found = memories.apply(number);
        if (found == null) { // its process has taken it back, or ends: it can send nothing behind this loan
            left = 0;
        } else if (found != Borrowed.LATER) {
            if (offset > found.memory().capacity() - left) {
                throw new RingCorruptedException("loan of " + left + " bytes at", offset, 0,
                        (long) found.memory().capacity() - left);
            }
            borrowed = found;
            return true;
        }
        return false;
    }

    /** Whether the memory of the loan that is due is not all there any more, as far as its name tells. */
    boolean isCutShort() {
        return borrowed != null && !borrowed.isWhole();
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
