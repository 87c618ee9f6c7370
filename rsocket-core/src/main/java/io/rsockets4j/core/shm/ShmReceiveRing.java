/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static io.rsockets4j.core.shm.SlotDescriptor.CLOSED;
import static io.rsockets4j.core.shm.SlotDescriptor.COUNT;
import static io.rsockets4j.core.shm.SlotDescriptor.FIN;
import static io.rsockets4j.core.shm.SlotDescriptor.FIRST_BYTES;
import static io.rsockets4j.core.shm.SlotDescriptor.GROWN_AT;
import static io.rsockets4j.core.shm.SlotDescriptor.HEAD;
import static io.rsockets4j.core.shm.SlotDescriptor.PASSED;
import static io.rsockets4j.core.shm.SlotDescriptor.RESET;
import static io.rsockets4j.core.shm.SlotDescriptor.TAIL;
import static io.rsockets4j.core.shm.SlotDescriptor.URGENT;

import io.rsockets4j.core.ring.ReceiveRing;
import io.rsockets4j.core.ring.RingCorruptedException;
import java.nio.ByteBuffer;

/** A ring in shared memory that the peer stores into. */
final class ShmReceiveRing extends ReceiveRing {
    private final ByteBuffer control;
    private final int capacity;
    private boolean grown;
    private volatile boolean urgentInline; // otherwise an urgent byte is dropped

    /**
     * Creates the ring of a new connection, whose words are zero or already written by the peer.
     *
     * @param control the ring's words
     * @param memory the ring
     */
    ShmReceiveRing(ByteBuffer control, ByteBuffer memory) {
        super(memory, FIRST_BYTES);
        this.control = control;
        this.capacity = memory.capacity();
    }

    /** Whether to deliver urgent bytes where they are in the stream, and not to drop them; any thread. */
    void urgentInline(boolean on) {
        urgentInline = on;
    }

    @Override
    protected long refresh() throws RingCorruptedException {
        long tail = arrived();
        return urgentInline || tail == head() ? tail : beforeUrgent(tail);
    }

    /** Drops urgent bytes that are next; one that comes later ends what may be read at once. */
    private long beforeUrgent(long tail) {
        long urgent = Words.getAcquire(control, URGENT) - 1; // pairs with ShmSendRing.markUrgent
        if (urgent < 0) {
            return tail;
        }
        long passed = Math.min(Words.getOpaque(control, PASSED), tail); // ordered by the acquire of the mark
        while (head() < passed || head() == urgent && urgent < tail) {
            skip();
        }
        return urgent > head() && urgent < tail ? urgent : tail;
    }

    private long arrived() throws RingCorruptedException {
        // acquire: the bytes before the count; pairs with ShmSendRing.publish
        long tail = Words.getAcquire(control, TAIL) & COUNT;
        long known = knownTail();
        if (tail == known) {
            return tail;
        }
        if (tail < known || tail - head() > capacity) {
            throw new RingCorruptedException("tail", tail, known, head() + capacity);
        }
        if (!grown) {
            lookForGrowth(tail);
        }
        return tail;
    }

    private void lookForGrowth(long tail) throws RingCorruptedException {
        long at = Words.getOpaque(control, GROWN_AT) - 1; // ordered by the acquire of the tail
        if (at < 0) {
            if (tail - head() > FIRST_BYTES) {
                throw new RingCorruptedException("tail", tail, knownTail(), head() + FIRST_BYTES);
            }
            return;
        }
        if (at < knownTail() || at - head() > FIRST_BYTES) {
            throw new RingCorruptedException("growth", at, knownTail(), head() + FIRST_BYTES);
        }
        grown = true;
        remap(at, capacity, FIRST_BYTES);
    }

    @Override
    protected void release(long newHead) {
        // release: our loads come before the peer's next stores; pairs with ShmSendRing.refresh
        Words.putRelease(control, HEAD, newHead);
    }

    /**
     * Whether bytes or the end of the stream wait; any thread. By this side's own count of what was read, since the
     * peer can change the shared one; a count that is old by an instant says yes too often, never too seldom.
     */
    boolean isReadable() {
        long tail = Words.getAcquire(control, TAIL);
        long count = (tail & COUNT) - head();
        return (tail & FIN) != 0 || count != 0 && count != urgentBetween(head(), tail & COUNT);
    }

    /** Bytes that wait; any thread. */
    int available() {
        long tail = Words.getAcquire(control, TAIL) & COUNT;
        long head = head();
        return (int) Math.max(0, Math.min(tail - head - urgentBetween(head, tail), capacity));
    }

    /** How many bytes of those that wait will be dropped; the caller has acquired the tail. */
    private long urgentBetween(long head, long tail) {
        long urgent = Words.getAcquire(control, URGENT) - 1; // pairs with ShmSendRing.markUrgent
        if (urgentInline || urgent < 0) {
            return 0;
        }
        long next = Math.max(head, Math.min(Words.getOpaque(control, PASSED), tail));
        return next - head + (urgent >= next && urgent < tail ? 1 : 0);
    }

    /** Whether a sender that has armed should be woken. After the release of what was read. */
    boolean hasAmpleCredit() {
        long tail = Words.getAcquire(control, TAIL) & COUNT; // acquire: GROWN_AT is no older than this
        return ShmSendRing.hasAmpleCredit(tail, head(), Words.getOpaque(control, GROWN_AT) - 1, capacity);
    }

    /** Whether everything that came was read; by this side's own count, since the peer can change the shared one. */
    boolean isDrained() {
        return (Words.getAcquire(control, TAIL) & COUNT) == head();
    }

    /** Whether the peer has ended the stream and everything was read. */
    boolean isFinished() {
        long tail = Words.getAcquire(control, TAIL);
        return (tail & FIN) != 0 && (tail & COUNT) == head();
    }

    /** Whether the end is a reset rather than a graceful one. */
    boolean isReset() {
        return (Words.getAcquire(control, TAIL) & RESET) != 0;
    }

    /** Tells the peer that no one will read any more. */
    void close() {
        Words.putRelease(control, HEAD, head() | CLOSED); // pairs with ShmSendRing.isPeerClosed
    }
}
