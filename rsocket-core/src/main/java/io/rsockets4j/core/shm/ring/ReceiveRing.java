/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm.ring;

import static io.rsockets4j.core.shm.ring.SlotDescriptor.CLOSED;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.COUNT;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.FIN;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.FIRST_BYTES;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.GROWN_AT;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.HEAD;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.PASSED;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.RESET;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.TAIL;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.URGENT;

import io.rsockets4j.core.host.Words;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;

/**
 * The receiving half of a stream: a ring in shared memory that the peer stores into.
 *
 * <p>Positions are counts of bytes since the connection began; see {@link SendRing}. The bytes between {@code head}
 * and {@code tail} have arrived and are not read yet.
 *
 * <p>Methods belong to the receiving direction, one thread at a time, under that direction's lock; those that any
 * thread may call say so. None blocks.
 */
public final class ReceiveRing {
    /** Large reads return credit in pieces of this size, so that the peer can refill while we still copy out. */
    private static final int CHUNK_BYTES = 8 * 1024;

    private final Words control;
    private final Words ring;
    private final int capacity;
    private long head;
    private long tail; // as last seen; before an urgent byte that is not to be read
    private long base;
    private int mask = FIRST_BYTES - 1;
    private long remapAt = Long.MAX_VALUE; // from this count on the whole ring is in use, behind its first page
    private boolean grown;
    private volatile boolean urgentInline; // otherwise an urgent byte is dropped
    private PeerLoans loans; // null where the peer may not lend

    /**
     * Creates the ring of a new connection, whose words are zero or already written by the peer.
     *
     * @param control the ring's words
     * @param memory the ring
     */
    public ReceiveRing(Words control, ByteBuffer memory) {
        this.control = control;
        this.ring = new Words(memory);
        this.capacity = memory.capacity();
    }

    // ---- data

    /**
     * Copies what has arrived, and returns its credit.
     *
     * @param dst where to copy to; its position advances by the result
     * @return the bytes copied; 0 when none have arrived
     * @throws RingCorruptedException if the peer claims a tail that is impossible
     */
    public int read(ByteBuffer dst) throws RingCorruptedException {
        int position = dst.position();
        int wanted = dst.limit() - position;
        int done = 0;
        while (done < wanted) {
            if (tail == head) {
                tail = refresh();
                if (tail == head) {
                    if (loans == null || !loans.isDue()) {
                        break;
                    }
                    int lent = take(dst, position + done, wanted - done);
                    if (lent == 0 && loans.isDue()) {
                        break;
                    }
                    done += lent;
                    continue;
                }
            }
            done += copy(dst, position + done, wanted - done);
        }
        if (done > 0) {
            dst.position(position + done);
        }
        return done;
    }

    /** Copies bytes that the peer lends, and passes the byte that stands for them once it has all. */
    private int take(ByteBuffer dst, int position, int wanted) throws RingCorruptedException {
        int length = loans.take(dst, position, wanted);
        if (loans.isOver()) {
            loans.passed();
            skip();
            tail = head;
        }
        return length;
    }

    private int copy(ByteBuffer dst, int position, int wanted) {
        remapIfDue();
        int offset = (int) (head - base) & mask;
        int run = (int) Math.min(Math.min(wanted, CHUNK_BYTES), Math.min(tail, remapAt) - head);
        run = Math.min(run, mask + 1 - offset);
        ring.get(offset, dst, position, run);
        head += run;
        release();
        return run;
    }

    private void remapIfDue() {
        if (head == remapAt) {
            base = head - FIRST_BYTES;
            mask = capacity - 1;
            remapAt = Long.MAX_VALUE;
        }
    }

    /** Drops the next byte, which has arrived, and returns its credit. */
    private void skip() {
        remapIfDue();
        head++;
        release();
    }

    /** Gives everything before the head back to the peer. */
    private void release() {
        // release: our loads come before the peer's next stores; pairs with SendRing.refresh
        control.putRelease(HEAD, head);
    }

    private long refresh() throws RingCorruptedException {
        long newTail = arrived();
        newTail = urgentInline || newTail == head ? newTail : beforeUrgent(newTail);
        return loans == null ? newTail : loans.before(head, newTail);
    }

    /** Drops urgent bytes that are next; one that comes later ends what may be read at once. */
    private long beforeUrgent(long newTail) {
        long urgent = control.getAcquire(URGENT) - 1; // pairs with SendRing.markUrgent
        if (urgent < 0) {
            return newTail;
        }
        long passed = Math.min(control.getOpaque(PASSED), newTail); // ordered by the acquire of the mark
        while (head < passed || head == urgent && urgent < newTail) {
            skip();
        }
        return urgent > head && urgent < newTail ? urgent : newTail;
    }

    private long arrived() throws RingCorruptedException {
        // acquire: the bytes before the count; pairs with SendRing.copy
        long newTail = control.getAcquire(TAIL) & COUNT;
        if (newTail == tail) {
            return newTail;
        }
        if (newTail < tail || newTail - head > capacity) {
            throw new RingCorruptedException("tail", newTail, tail, head + capacity);
        }
        if (!grown) {
            loadGrowth(newTail);
        }
        return newTail;
    }

    private void loadGrowth(long newTail) throws RingCorruptedException {
        long at = control.getOpaque(GROWN_AT) - 1; // ordered by the acquire of the tail
        if (at < 0) {
            if (newTail - head > FIRST_BYTES) {
                throw new RingCorruptedException("tail", newTail, tail, head + FIRST_BYTES);
            }
            return;
        }
        if (at < tail || at - head > FIRST_BYTES) {
            throw new RingCorruptedException("growth", at, tail, head + FIRST_BYTES);
        }
        grown = true;
        remapAt = at;
    }

    /** Tells the peer that no one will read any more. */
    public void close() {
        control.putRelease(HEAD, head | CLOSED); // pairs with SendRing.isPeerClosed
    }

    // ---- state, for any thread

    /**
     * Whether to deliver urgent bytes where they are in the stream, and not to drop them; any thread.
     *
     * @param on false at first
     */
    public void urgentInline(boolean on) {
        urgentInline = on;
    }

    /**
     * Bytes read from the ring since the connection began. Any thread, as last seen; it outlives the mapped count.
     *
     * @return the head
     */
    public long head() {
        return head;
    }

    /**
     * Lets the peer lend parts of the stream from now on. By the receiving direction, or before it.
     *
     * @param memories the peer's memory by its number; null for one that it has not
     */
    public void takeLoans(IntFunction<Borrowed> memories) {
        loans = new PeerLoans(control, memories);
    }

    /**
     * Whether a fault was in memory that the peer lends, as that is not all there any more.
     *
     * @return false also where nothing is lent
     */
    public boolean isLoanCutShort() {
        return loans != null && loans.isCutShort();
    }

    /**
     * Bytes of the stream read so far. Any thread, as {@link #head}.
     *
     * @return with those that were lent
     */
    public long received() {
        return loans == null ? head : head + loans.surplus();
    }

    /**
     * Bytes that the peer has lent, and that were read. Any thread, as {@link #head}.
     *
     * @return zero or more
     */
    public long borrowed() {
        return loans == null ? 0 : loans.bytes();
    }

    /**
     * Whether bytes or the end of the stream wait; any thread. By this side's own count of what was read, since the
     * peer can change the shared one; a count that is old by an instant says yes too often, never too seldom. One load
     * of shared memory, up to three while bytes wait.
     *
     * @return as of now
     */
    public boolean isReadable() {
        long now = control.getAcquire(TAIL);
        long count = (now & COUNT) - head;
        return (now & FIN) != 0 || count != 0 && count != urgentBetween(head, now & COUNT);
    }

    /**
     * Bytes that wait; any thread.
     *
     * @return without urgent ones that will be dropped
     */
    public int available() {
        long now = control.getAcquire(TAIL) & COUNT;
        long read = head;
        return (int) Math.max(0, Math.min(now - read - urgentBetween(read, now), capacity));
    }

    /** How many bytes of those that wait will be dropped; the caller has acquired the tail. */
    private long urgentBetween(long read, long sent) {
        long urgent = control.getAcquire(URGENT) - 1; // pairs with SendRing.markUrgent
        if (urgentInline || urgent < 0) {
            return 0;
        }
        long next = Math.max(read, Math.min(control.getOpaque(PASSED), sent));
        return next - read + (urgent >= next && urgent < sent ? 1 : 0);
    }

    /**
     * Whether a sender that has armed should be woken. After the release of what was read.
     *
     * @return as {@link SendRing#isWritable} says there
     */
    public boolean hasAmpleCredit() {
        long sent = control.getAcquire(TAIL) & COUNT; // acquire: GROWN_AT is no older than this
        return SendRing.hasAmpleCredit(sent, head, control.getOpaque(GROWN_AT) - 1, capacity);
    }

    /**
     * Whether everything that came was read; by this side's own count, since the peer can change the shared one.
     *
     * @return as of now
     */
    public boolean isDrained() {
        return (control.getAcquire(TAIL) & COUNT) == head;
    }

    /**
     * Whether the peer has ended the stream and everything was read.
     *
     * @return once true, always
     */
    public boolean isFinished() {
        long now = control.getAcquire(TAIL);
        return (now & FIN) != 0 && (now & COUNT) == head;
    }

    /**
     * Whether the end is a reset rather than a graceful one.
     *
     * @return as of now
     */
    public boolean isReset() {
        return (control.getAcquire(TAIL) & RESET) != 0;
    }
}
