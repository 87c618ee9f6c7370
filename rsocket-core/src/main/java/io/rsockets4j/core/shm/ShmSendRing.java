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

import io.rsockets4j.core.ring.RingCorruptedException;
import io.rsockets4j.core.ring.SendRing;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;

/** A window that is the peer's ring itself, mapped from shared memory. */
final class ShmSendRing extends SendRing {
    private final ByteBuffer control;
    private final int capacity;
    private final BooleanSupplier commitWhole;
    private long head;
    private long grownAt = -1;
    private long urgentAt = -1; // the byte that was last sent as urgent
    private long passed; // what is unread before this count was sent as urgent

    /**
     * Creates the window of a new connection, whose words are zero.
     *
     * @param control the ring's words
     * @param memory the ring
     * @param commitWhole makes sure that all pages of the ring exist; false when memory is short
     */
    ShmSendRing(ByteBuffer control, ByteBuffer memory, BooleanSupplier commitWhole) {
        super(memory, FIRST_BYTES);
        this.control = control;
        this.capacity = memory.capacity();
        this.commitWhole = commitWhole;
    }

    @Override
    protected void publish(long newTail) {
        // release: the bytes before the count; pairs with ShmReceiveRing.refresh
        Words.putRelease(control, TAIL, newTail);
    }

    @Override
    protected void refresh(int wanted) throws RingCorruptedException {
        // acquire: the peer has finished reading before we overwrite; pairs with ShmReceiveRing.release
        long newHead = Words.getAcquire(control, HEAD) & COUNT;
        if (newHead < head || newHead > tail()) {
            throw new RingCorruptedException("head", newHead, head, tail());
        }
        head = newHead;
        if (grownAt < 0) {
            limit(head + FIRST_BYTES);
            if (head + FIRST_BYTES - tail() < wanted) {
                grow();
            }
        } else {
            limit(limitWhenGrown());
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
        grownAt = tail();
        remap(capacity, FIRST_BYTES);
        Words.putOpaque(control, GROWN_AT, grownAt + 1); // made visible by the release store of the next tail
        limit(limitWhenGrown());
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
    boolean markUrgent() throws RingCorruptedException {
        if (credit() == 0) {
            refresh(1);
        }
        if (credit() == 0) {
            return false;
        }
        long next = Math.max(Words.getAcquire(control, HEAD) & COUNT, passed);
        if (urgentAt == next && next < tail()) {
            passed = next + 1;
            Words.putOpaque(control, PASSED, passed); // made visible by the release store of the mark
        }
        urgentAt = tail();
        Words.putRelease(control, URGENT, urgentAt + 1); // pairs with ShmReceiveRing; the byte comes with the next tail
        return true;
    }

    /**
     * Whether it is worth while to send, as far as the peer has said; any thread, which was told by the sending one, or
     * is it. By this side's own counts of what was sent, since the peer can change the shared ones.
     */
    boolean isWritable() {
        long seenHead = Words.getAcquire(control, HEAD);
        if ((seenHead & CLOSED) != 0 || hasAmpleCredit(tail(), seenHead & COUNT, grownAt, capacity)) {
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

    /** Whether the peer has closed its receiving side for good; any thread. */
    boolean isPeerClosed() {
        return (Words.getAcquire(control, HEAD) & CLOSED) != 0; // pairs with ShmReceiveRing.close
    }

    /** Whether the peer has read everything; any thread. */
    boolean isDrained() {
        return (Words.getAcquire(control, HEAD) & COUNT) == tail();
    }

    /** Ends the stream behind the last byte. */
    void finish(boolean reset) {
        long flags = reset ? FIN | RESET : FIN;
        Words.putRelease(control, TAIL, tail() | flags); // pairs with ShmReceiveRing.refresh
    }
}
