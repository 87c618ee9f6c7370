/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.ring;

import java.nio.ByteBuffer;

/**
 * The receiving half of a stream: the ring that the peer writes into.
 *
 * <p>Positions are counts of bytes since the connection began; see {@link SendRing}. What lies between {@code head}
 * and {@code tail} has arrived and was not read yet.
 *
 * <p>All methods belong to the receiving direction: one thread at a time, under that direction's lock.
 */
public abstract class ReceiveRing {
    /** Large reads return credit in pieces of this size, so that the peer can refill while we still copy out. */
    private static final int CHUNK_BYTES = 8 * 1024;

    private final ByteBuffer ring;
    private long head;
    private long tail;
    private long base;
    private int mask;
    private long remapAt = Long.MAX_VALUE;
    private int remapBytes;
    private int remapOffset;

    /**
     * Creates the ring of a new connection.
     *
     * @param ring its memory
     * @param initialBytes how much of it is in use at first, a power of two
     */
    protected ReceiveRing(ByteBuffer ring, int initialBytes) {
        this.ring = ring;
        this.mask = initialBytes - 1;
    }

    /**
     * Copies what has arrived, and returns its credit.
     *
     * @param dst where to copy to; its position advances by the result
     * @return the bytes copied; 0 when none have arrived
     * @throws RingCorruptedException if the peer claims a tail that is impossible
     */
    public final int read(ByteBuffer dst) throws RingCorruptedException {
        int position = dst.position();
        int wanted = dst.limit() - position;
        int done = 0;
        while (done < wanted) {
            if (tail == head) {
                tail = refresh();
                if (tail == head) {
                    break;
                }
            }
            done += copy(dst, position + done, wanted - done);
        }
        if (done > 0) {
            dst.position(position + done);
        }
        return done;
    }

    private int copy(ByteBuffer dst, int position, int wanted) {
        remapIfDue();
        int offset = (int) (head - base) & mask;
        int run = (int) Math.min(Math.min(wanted, CHUNK_BYTES), Math.min(tail, remapAt) - head);
        run = Math.min(run, mask + 1 - offset);
        dst.put(position, ring, offset, run);
        head += run;
        release(head);
        return run;
    }

    private void remapIfDue() {
        if (head == remapAt) {
            base = head - remapOffset;
            mask = remapBytes - 1;
            remapAt = Long.MAX_VALUE;
        }
    }

    /** Drops the next byte, which has arrived, and returns its credit. */
    protected final void skip() {
        remapIfDue();
        head++;
        release(head);
    }

    /**
     * Bytes read since the connection began.
     *
     * @return the head
     */
    public final long head() {
        return head;
    }

    /**
     * The tail as last seen.
     *
     * @return never less than the head
     */
    protected final long knownTail() {
        return tail;
    }

    /**
     * The peer will place bytes in a larger part of the ring from a later count on.
     *
     * @param at the first such count, at or after the head
     * @param newBytes the part's size, a power of two
     * @param offset where the byte with that count is
     */
    protected final void remap(long at, int newBytes, int offset) {
        remapAt = at;
        remapBytes = newBytes;
        remapOffset = offset;
    }

    /**
     * Asks for the peer's latest tail.
     *
     * @return never less than the last one
     * @throws RingCorruptedException if the peer claims a count that is impossible
     */
    protected abstract long refresh() throws RingCorruptedException;

    /**
     * Gives everything before {@code newHead} back to the peer, after everything that was loaded from the ring.
     *
     * @param newHead the new head
     */
    protected abstract void release(long newHead);
}
