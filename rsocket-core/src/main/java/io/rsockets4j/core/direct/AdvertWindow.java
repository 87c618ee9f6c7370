/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.direct;

/**
 * How many buffers it pays to tell the peer of, by what became of those before. An advert is a message and a
 * registration, and a peer that sends small pieces uses none. Once some were in vain twice, the receiver tells of none
 * until as many bytes have come by the ring as the oldest of them takes, a MiB at most, and some more for each message.
 * For the receiving direction.
 */
public final class AdvertWindow {
    /** By the ring, for each advert in vain. */
    static final int BYTES_EACH = 16 << 10;
    private static final int MOST_BYTES = 1 << 20;

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
     * @param room bytes that the oldest one takes
     */
    public void missed(long position, int adverts, int room) {
        misses++;
        next = misses < 2 ? 0 : position + Math.min(room, MOST_BYTES) + (long) adverts * BYTES_EACH;
    }
}
