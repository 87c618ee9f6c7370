/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.direct;

/**
 * How many buffers it pays to tell the peer of, by what became of those before. An advert is a message, and a peer that
 * sends small pieces uses none. Once some were in vain twice, the receiver tells of none until enough bytes have come
 * by the ring that the adverts hardly count beside them. For the receiving direction.
 */
public final class AdvertWindow {
    /** By the ring, for each advert in vain. */
    static final int BYTES_EACH = 16 << 10;

    private int misses; // in a row
    private long next; // position in the stream from which on to try again

    /**
     * How many buffers the peer may know of now.
     *
     * @param position of the next byte that is read
     * @return 0 or {@link OwnAdverts#MAX}
     */
    public int size(long position) {
        return position < next ? 0 : OwnAdverts.MAX;
    }

    /** Bytes have come straight. */
    public void used() {
        misses = 0;
        next = 0;
    }

    /**
     * Bytes have come by the ring, while the peer knew of buffers.
     *
     * @param position of the first of them
     * @param adverts how many buffers those are
     */
    public void missed(long position, int adverts) {
        misses++;
        next = misses < 2 ? 0 : position + (long) adverts * BYTES_EACH;
    }
}
