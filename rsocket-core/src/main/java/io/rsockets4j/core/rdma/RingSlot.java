/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import java.nio.ByteBuffer;

/**
 * The registered memory of one connection: the ring that the peer writes into, and the mirror of the peer's ring that
 * writes are taken from. Belongs to one connection at a time; see {@link SessionMemory}.
 */
final class RingSlot {
    private static final byte[] ZEROS = new byte[4096];

    private final ByteBuffer ring;
    private final RemoteRing forPeer;
    private final ByteBuffer mirror;
    private final long mirrorAddress;
    private final int localKey;

    /**
     * Takes a part of a slab.
     *
     * @param ring memory that the peer may write to
     * @param forPeer what the peer is told of it
     * @param mirror memory of this side alone, of the same size
     * @param mirrorAddress where that begins
     * @param localKey of its registration
     */
    RingSlot(ByteBuffer ring, RemoteRing forPeer, ByteBuffer mirror, long mirrorAddress, int localKey) {
        this.ring = ring;
        this.forPeer = forPeer;
        this.mirror = mirror;
        this.mirrorAddress = mirrorAddress;
        this.localKey = localKey;
    }

    ByteBuffer ring() {
        return ring;
    }

    /** Overwrites the first bytes of the ring with zeros. */
    void clear(int bytes) {
        for (int at = 0; at < bytes; at += ZEROS.length) {
            ring.put(at, ZEROS, 0, Math.min(ZEROS.length, bytes - at));
        }
    }

    RemoteRing forPeer() {
        return forPeer;
    }

    ByteBuffer mirror() {
        return mirror;
    }

    long mirrorAddress() {
        return mirrorAddress;
    }

    int localKey() {
        return localKey;
    }
}
