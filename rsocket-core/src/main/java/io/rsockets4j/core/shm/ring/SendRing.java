/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm.ring;

import static io.rsockets4j.core.shm.ring.SlotDescriptor.CLOSED;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.COUNT;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.FIN;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.FIRST_BYTES;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.GROWN_AT;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.HEAD;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.LENT;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.PASSED;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.RESET;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.TAIL;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.TAKES_LOANS;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.URGENT;

import io.rsockets4j.core.host.Words;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;

/**
 * The sending half of a stream: a window that is the peer's ring itself, mapped from shared memory.
 *
 * <p>Positions are counts of bytes since the connection began. The byte with count {@code c} lives at offset {@code (c
 * - base) & mask}. The space between {@code tail} and {@code limit} is credit: the peer has granted it. A write fills
 * the window before it publishes the tail, and stops at the limit.
 *
 * <p>Methods belong to the sending direction, one thread at a time, under that direction's lock; those that any thread
 * may call say so. None blocks, but for the pages that a growing ring makes.
 */
public final class SendRing {
    /** Large writes are published in pieces of this size, so that the peer copies out while we still copy in. */
    private static final int CHUNK_BYTES = 8 * 1024;
    /** The byte that stands for a loan. */
    private static final ByteBuffer IN_PLACE = ByteBuffer.allocate(1).asReadOnlyBuffer();

    private final Words control;
    private final Words window;
    private final int capacity;
    private final BooleanSupplier commitWhole;
    private long tail;
    private long limit = FIRST_BYTES;
    private long base;
    private int mask = FIRST_BYTES - 1;
    private long head; // as last seen
    private long grownAt = -1;
    private long urgentAt = -1; // the byte that was last sent as urgent
    private long passed; // what is unread before this count was sent as urgent
    private OwnLoans loans; // null until the first

    /**
     * Creates the window of a new connection, whose words are zero.
     *
     * @param control the ring's words
     * @param memory the ring
     * @param commitWhole makes sure that all pages of the ring exist; false when memory is short
     */
    public SendRing(Words control, ByteBuffer memory, BooleanSupplier commitWhole) {
        this.control = control;
        this.window = new Words(memory);
        this.capacity = memory.capacity();
        this.commitWhole = commitWhole;
    }

    // ---- data

    /**
     * Copies bytes into the window and publishes them, as far as there is credit.
     *
     * @param src where to copy from; its position advances by the result
     * @return the bytes sent; 0 when there is no credit
     * @throws RingCorruptedException if the peer claims a credit that is impossible
     */
    public int write(ByteBuffer src) throws RingCorruptedException {
        if (loans != null && loans.isUnderWay()) {
            return loans.end(src);
        }
        int position = src.position();
        int wanted = src.limit() - position;
        long credit = limit - tail;
        if (credit < wanted) {
            refresh(wanted);
            credit = limit - tail;
        }
        int length = (int) Math.min(wanted, credit);
        if (length > 0) {
            copy(src, position, length);
            src.position(position + length);
        }
        return length;
    }

    /**
     * Lends the next bytes of the stream: the peer copies them from this process' memory. Until a {@link #write} of the
     * same buffer has moved them, or {@link #reclaim}, none is to change, and no others can be written.
     *
     * @param src what remains in it
     * @param memory the number of the memory that it lies in
     * @param offset where in that
     * @return whether it is lent, perhaps since an earlier call; false also where the peer takes no loans
     * @throws RingCorruptedException if the peer claims a credit that is impossible
     */
    public boolean lend(ByteBuffer src, int memory, int offset) throws RingCorruptedException {
        if (loans == null) {
            if ((control.getAcquire(LENT) & TAKES_LOANS) == 0) { // pairs with PeerLoans
                return false;
            }
            loans = new OwnLoans(control);
        }
        if (loans.has(src)) {
            return true;
        }
        if (!loans.hasRoom()) {
            return false;
        }
        if (limit == tail) {
            refresh(1);
        }
        if (limit == tail) {
            return false;
        }
        loans.add(src, memory, offset, (int) tail);
        copy(IN_PLACE, 0, 1);
        return true;
    }

    /** Takes back all that is lent; the positions of the buffers move by what the peer has. Idempotent. */
    public void reclaim() {
        if (loans != null) {
            loans.reclaim();
        }
    }

    private void copy(ByteBuffer src, int position, int length) {
        int from = position;
        int left = length;
        while (left > 0) {
            int offset = (int) (tail - base) & mask;
            int run = Math.min(Math.min(left, CHUNK_BYTES), mask + 1 - offset);
            window.put(offset, src, from, run);
            tail += run;
            control.putRelease(TAIL, tail); // the bytes before the count; pairs with ReceiveRing.arrived
            from += run;
            left -= run;
        }
    }

    /** Takes the peer's latest credit, and the whole ring where the first page is not enough. */
    private void refresh(int wanted) throws RingCorruptedException {
        // acquire: the peer has finished reading before we overwrite; pairs with ReceiveRing.release
        long newHead = control.getAcquire(HEAD) & COUNT;
        if (newHead < head || newHead > tail) {
            throw new RingCorruptedException("head", newHead, head, tail);
        }
        head = newHead;
        if (grownAt < 0) {
            limit = head + FIRST_BYTES;
            if (limit - tail < wanted) {
                grow();
            }
        } else {
            limit = limitWhenGrown();
        }
    }

    /**
     * Takes the whole ring into use behind its first page. Until the peer has read what lies in the first page it
     * must not be written again.
     */
    private void grow() {
        if (!commitWhole.getAsBoolean()) {
            return;
        }
        grownAt = tail;
        base = tail - FIRST_BYTES; // the next byte goes behind the first page
        mask = capacity - 1;
        control.putOpaque(GROWN_AT, grownAt + 1); // made visible by the release store of the next tail
        limit = limitWhenGrown();
    }

    private long limitWhenGrown() {
        return head >= grownAt ? head + capacity : grownAt + capacity - FIRST_BYTES;
    }

    /**
     * Says that the next byte is urgent. As over TCP there is one mark: a byte that was urgent before, and was not read
     * yet, is an ordinary one from now on, unless it is the next to be read.
     *
     * @return false when there is no credit for the byte
     * @throws RingCorruptedException if the peer claims a credit that is impossible
     */
    public boolean markUrgent() throws RingCorruptedException {
        if (limit == tail) {
            refresh(1);
        }
        if (limit == tail) {
            return false;
        }
        long next = Math.max(control.getAcquire(HEAD) & COUNT, passed);
        if (urgentAt == next && next < tail) {
            passed = next + 1;
            control.putOpaque(PASSED, passed); // made visible by the release store of the mark
        }
        urgentAt = tail;
        control.putRelease(URGENT, urgentAt + 1); // pairs with ReceiveRing; the byte comes with the next tail
        return true;
    }

    /**
     * Ends the stream behind the last byte.
     *
     * @param reset whether the peer is to see a reset rather than the end
     */
    public void finish(boolean reset) {
        long flags = reset ? FIN | RESET : FIN;
        control.putRelease(TAIL, tail | flags); // pairs with ReceiveRing.arrived
    }

    // ---- state, for any thread

    /**
     * How many bytes may be under way in the ring.
     *
     * @return a power of two
     */
    public int capacity() {
        return capacity;
    }

    /**
     * Bytes sent by the ring since the connection began. Any thread, as last seen; it outlives the mapped count.
     *
     * @return the tail
     */
    public long tail() {
        return tail;
    }

    /**
     * Bytes of the stream so far. Any thread, as {@link #tail}.
     *
     * @return with those that were lent
     */
    public long sent() {
        return loans == null ? tail : tail + loans.surplus();
    }

    /**
     * Bytes that were lent so far. Any thread, as {@link #tail}.
     *
     * @return zero or more
     */
    public long lent() {
        return loans == null ? 0 : loans.bytes();
    }

    /**
     * Bytes that may be sent before the peer is asked again. Any thread, for reports: as last seen.
     *
     * @return zero or more
     */
    public long credit() {
        return Math.max(0, limit - tail);
    }

    /**
     * Whether it is worth while to send, as far as the peer has said; any thread, which was told by the sending one, or
     * is it. By this side's own counts of what was sent, since the peer can change the shared ones. It loads HEAD, and
     * LENT as well while a loan is under way. Where only the first page is in use, and is full, it makes the others,
     * which may take a system call.
     *
     * @return also once the peer has closed
     */
    public boolean isWritable() {
        long seenHead = control.getAcquire(HEAD);
        if (loans != null && loans.isUnderWay()) {
            return (seenHead & CLOSED) != 0 || loans.isTaken();
        }
        if ((seenHead & CLOSED) != 0 || hasAmpleCredit(tail, seenHead & COUNT, grownAt, capacity)) {
            return true;
        }
        return grownAt < 0 && commitWhole.getAsBoolean();
    }

    /**
     * Whether a quarter of the ring is free, so that a sender that has used up its credit is not woken for every few
     * bytes. Both sides ask this: were the receiver's answer another than the sender's, a sender could sleep on with
     * credit.
     *
     * @param tail what has been sent
     * @param head what has been read
     * @param grownAt from which count on the whole ring is in use, negative if not yet
     */
    static boolean hasAmpleCredit(long tail, long head, long grownAt, int capacity) {
        long inFlight = tail - head;
        long usable = FIRST_BYTES;
        if (grownAt >= 0) {
            usable = head >= grownAt ? capacity : grownAt + capacity - FIRST_BYTES - head;
        }
        return inFlight <= usable - usable / 4;
    }

    /**
     * Whether the peer has closed its receiving side for good; any thread.
     *
     * @return once true, always
     */
    public boolean isPeerClosed() {
        return (control.getAcquire(HEAD) & CLOSED) != 0; // pairs with ReceiveRing.close
    }

    /**
     * Whether the peer has read everything; any thread.
     *
     * @return as of now
     */
    public boolean isDrained() {
        return (control.getAcquire(HEAD) & COUNT) == tail;
    }
}
