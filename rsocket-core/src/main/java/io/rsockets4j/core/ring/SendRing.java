/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.ring;

import java.nio.ByteBuffer;

/**
 * The sending half of a stream: a window on the peer's ring.
 *
 * <p>Positions are counts of bytes since the connection began. The byte with count {@code c} lives at offset {@code
 * (c - base) & mask}. What lies between {@code tail} and {@code limit} is credit: free space that the peer has granted.
 * The window is written before the tail is published, and never beyond the limit.
 *
 * <p>All methods belong to the sending direction: one thread at a time, under that direction's lock.
 */
public abstract class SendRing {
    /** Large writes are published in pieces of this size, so that the peer copies out while we still copy in. */
    private static final int CHUNK_BYTES = 8 * 1024;

    private final ByteBuffer window;
    private long tail;
    private long limit;
    private long base;
    private int mask;

    /**
     * Creates the window of a new connection.
     *
     * @param window the ring's memory, or its local mirror; its capacity is the ring's
     * @param initialBytes how much of it is in use at first, a power of two
     */
    protected SendRing(ByteBuffer window, int initialBytes) {
        this.window = window;
        this.mask = initialBytes - 1;
        this.limit = initialBytes;
    }

    /**
     * Copies bytes into the window and publishes them, as far as there is credit.
     *
     * @param src where to copy from; its position advances by the result
     * @return the bytes sent; 0 when there is no credit
     * @throws RingCorruptedException if the peer claims a credit that is impossible
     */
    public final int write(ByteBuffer src) throws RingCorruptedException {
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

    private void copy(ByteBuffer src, int position, int length) {
        int from = position;
        int left = length;
        while (left > 0) {
            int offset = (int) (tail - base) & mask;
            int run = Math.min(Math.min(left, CHUNK_BYTES), mask + 1 - offset);
            window.put(offset, src, from, run);
            tail += run;
            publish(tail);
            from += run;
            left -= run;
        }
    }

    /**
     * Bytes sent since the connection began.
     *
     * @return the tail
     */
    public final long tail() {
        return tail;
    }

    /**
     * Bytes that may be sent before the peer is asked again. Any thread, for reports: as last seen.
     *
     * @return zero or more
     */
    public final long credit() {
        return Math.max(0, limit - tail);
    }

    /**
     * Sets the count up to which bytes may be sent.
     *
     * @param newLimit never less than the tail
     */
    protected final void limit(long newLimit) {
        limit = newLimit;
    }

    /**
     * From the tail onwards, bytes live in a larger part of the window.
     *
     * @param newBytes the part's size, a power of two
     * @param offset where the next byte goes in it
     */
    protected final void remap(int newBytes, int offset) {
        base = tail - offset;
        mask = newBytes - 1;
    }

    /**
     * Asks for the peer's latest credit and sets the limit accordingly.
     *
     * @param wanted how many bytes are to be sent
     * @throws RingCorruptedException if the peer claims a count that is impossible
     */
    protected abstract void refresh(int wanted) throws RingCorruptedException;

    /**
     * Makes every byte before {@code newTail} the peer's, after everything that was stored in the window.
     *
     * @param newTail the new tail
     */
    protected abstract void publish(long newTail);
}
