/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.direct;

/**
 * How many buffers it pays to tell the peer of, by what became of those before. An advert is a message, and a peer that
 * sends small pieces, or is ahead, uses none. Then the receiver tells of one buffer only, each time that as many bytes
 * have come by the ring as the last one takes, or a MiB. The first that is used opens the window again. For the
 * receiving direction.
 */
public final class AdvertWindow {
    private static final int MOST_BYTES = 1 << 20; // that pass before the next try

    private int misses; // in a row
    private long next; // position in the stream from which on to try again

    /**
     * How many buffers the peer may know of now.
     *
     * @param position of the next byte that is read
     * @return from 0 to {@link OwnAdverts#MAX}
     */
    public int size(long position) {
        if (position < next) {
            return 0;
        }
        return misses < 2 ? OwnAdverts.MAX : 1;
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
     * @param room bytes that the oldest one takes
     */
    public void missed(long position, int room) {
        misses++;
        next = misses < 2 ? 0 : position + Math.min(room, MOST_BYTES);
    }
}
