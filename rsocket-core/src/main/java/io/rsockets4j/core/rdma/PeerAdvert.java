/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.verbs.MemoryRegion;

/**
 * The buffer of the peer's read that waits, into which this side may write instead of into the ring: one at a time, and
 * once. The count of the byte that it is for tells whether it is of use: bytes that went by the ring meanwhile make it
 * stale. Guarded by the lock of the {@link SendQueue}, but for {@link #isHeld}.
 */
final class PeerAdvert {
    private volatile boolean held; // written under the lock
    private long sequence; // count of the byte that the buffer is for
    private long address;
    private int length;
    private int key;

    // what goes there, once taken: bytes of the stream
    private long begin;
    private long end;
    private long to;
    private int toKey;
    private MemoryRegion source; // where from, or null for the staging buffer

    /**
     * The peer offers a buffer. Nothing of it is believed: where nothing is, the peer's device refuses.
     *
     * @param newSequence count of the byte that it is for; the peer has read those before
     * @param newAddress where the peer says it begins
     * @param newLength how many bytes it takes
     * @param newKey by which right
     * @throws ProtocolException if that cannot be
     */
    void hold(long newSequence, long newAddress, int newLength, int newKey) throws ProtocolException {
        if (newLength <= 0 || newAddress <= 0 || newAddress > Long.MAX_VALUE - newLength) {
            throw new ProtocolException("ADVERT of " + newLength + " bytes at " + Long.toHexString(newAddress));
        }
        if (held && newSequence <= sequence || newSequence < end) {
            throw new ProtocolException("ADVERT for byte " + newSequence + " after one for byte "
                    + Math.max(sequence, begin));
        }
        sequence = newSequence;
        address = newAddress;
        length = newLength;
        key = newKey;
        held = true;
    }

    /** Whether there may be a buffer of use. Any thread, as a hint. */
    boolean isHeld() {
        return held;
    }

    /** How many bytes from a position on may go there; 0 for none. */
    int room(long position) {
        return held && sequence == position ? length : 0;
    }

    /**
     * Decides that the next bytes go there, as many as fit.
     *
     * @param position count of the first of them
     * @param wanted how many there are, at least one
     * @param from the memory that has them, or null for the staging buffer
     * @return how many go there
     */
    int take(long position, int wanted, MemoryRegion from) {
        int taken = Math.min(wanted, room(position));
        if (taken > 0) {
            begin = position;
            end = position + taken;
            to = address;
            toKey = key;
            source = from;
        }
        held = false; // taken, or stale
        return taken;
    }

    /** Uses it no more, unless it was taken. */
    void drop() {
        held = false;
    }

    /** The link has gone, and with it the right to write anywhere. */
    void forget() {
        held = false;
        sequence = 0;
        begin = 0;
        end = 0;
        source = null;
    }

    /** How many bytes from a position on go to the buffer that was taken. */
    int remaining(long position) {
        return (int) Math.max(0, end - position);
    }

    /** Where the byte of a position goes. */
    long address(long position) {
        return to + (position - begin);
    }

    int key() {
        return toKey;
    }

    /** Whether the bytes come from memory of their own, not from the staging buffer. */
    boolean hasSource() {
        return source != null;
    }

    /** Where the byte of a position comes from, in that memory. */
    long sourceAddress(long position) {
        return source.address() + (position - begin);
    }

    int sourceKey() {
        return source.localKey();
    }
}
