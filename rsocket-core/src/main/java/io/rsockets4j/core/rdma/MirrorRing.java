/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.verbs.VerbsException;
import java.nio.ByteBuffer;

/**
 * The sending half of a stream: a registered mirror of the peer's ring, same size, same offsets. What the peer has read
 * may be overwritten here. The sending direction writes; whoever polls for completions sets the limit.
 */
final class MirrorRing {
    /** Large writes are posted in pieces, so that copying, the network and the peer's copying overlap. */
    private static final int MIN_CHUNK_BYTES = 32 << 10;

    /** One write can say that it has so many. */
    private static final int MAX_CHUNK_BYTES = Integer.highestOneBit(DataImmediate.MAX_LENGTH);

    private final ByteBuffer mirror;
    private final SendQueue sends;
    private final int size;
    private final int chunkBytes;
    private final int ampleBytes;
    private long tail;
    private volatile long limit; // written by whoever polls

    /**
     * Creates the sending half.
     *
     * @param mirror its memory, not smaller than the peer's ring
     * @param peerRingBytes the size of that ring, a power of two
     * @param sends posts what is written
     */
    MirrorRing(ByteBuffer mirror, int peerRingBytes, SendQueue sends) {
        this.mirror = mirror;
        this.sends = sends;
        size = peerRingBytes;
        chunkBytes = chunkBytes(peerRingBytes);
        ampleBytes = peerRingBytes / 4;
        limit = peerRingBytes;
    }

    static int chunkBytes(int ringBytes) {
        int piece = Math.max(MIN_CHUNK_BYTES, ringBytes / 32);
        return Math.min(ringBytes / 2, Math.min(piece, MAX_CHUNK_BYTES));
    }

    /** Copies as many bytes as there is credit for into the mirror and has them posted. Returns their number. */
    int write(ByteBuffer src) throws VerbsException {
        int position = src.position();
        int from = position;
        int end = (int) Math.min(src.limit(), position + (limit - tail)); // acquire: pairs with readByPeer
        while (from < end) {
            int offset = (int) tail & size - 1;
            int run = Math.min(Math.min(end - from, chunkBytes), size - offset);
            mirror.put(offset, src, from, run);
            from += run;
            tail += run;
            src.position(from);
            sends.accepted(tail);
        }
        return from - position;
    }

    /** Whether there is credit enough to be worth a wake-up. */
    boolean isWritable() {
        return limit - sends.tail() >= ampleBytes;
    }

    /** Bytes that may be sent before the peer grants more. Any thread, for reports. */
    long credit() {
        return Math.max(0, limit - sends.tail());
    }

    /**
     * The peer has read up to a count.
     *
     * @throws ProtocolException if that cannot be
     */
    void readByPeer(long count) throws ProtocolException {
        long known = limit - size;
        if (count < known || count > sends.tail()) {
            throw new ProtocolException("STATE says " + count + " bytes were read after " + known + ", of "
                    + sends.tail());
        }
        limit = count + size; // release: pairs with write, which overwrites what was read
    }

    /** Whether the peer left bytes unread for sure: more than it may read without saying so. */
    boolean isLeftUnread() {
        return sends.tail() - (limit - size) > ArrivalRing.quietBytes(size);
    }
}
