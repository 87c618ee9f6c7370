/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import java.nio.ByteBuffer;

/**
 * The registered memory of one connection: the ring that the peer writes into, and the staging buffer that the device
 * takes its writes to the peer's ring from. Belongs to one connection at a time; see {@link SessionMemory}.
 */
final class RingSlot {
    private static final byte[] ZEROS = new byte[4096];

    private final int offset;
    private final ByteBuffer ring;
    private final ByteBuffer staging;
    private volatile RemoteRing forPeer; // as the next two, written where nothing is posted
    private volatile long stagingAddress;
    private volatile int localKey;

    /**
     * Takes a part of a slab.
     *
     * @param offset of the ring in the slab, and of the staging buffer
     * @param ring memory that the peer may write to
     * @param staging memory of this side alone, of the same size
     */
    RingSlot(int offset, ByteBuffer ring, ByteBuffer staging) {
        this.offset = offset;
        this.ring = ring;
        this.staging = staging;
    }

    /**
     * The slab is registered, at first or with another link.
     *
     * @param newForPeer what the peer is told of the ring
     * @param newStagingAddress where the staging buffer begins
     * @param newLocalKey of its registration
     */
    void register(RemoteRing newForPeer, long newStagingAddress, int newLocalKey) {
        forPeer = newForPeer;
        stagingAddress = newStagingAddress;
        localKey = newLocalKey;
    }

    int offset() {
        return offset;
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

    ByteBuffer staging() {
        return staging;
    }

    long stagingAddress() {
        return stagingAddress;
    }

    int localKey() {
        return localKey;
    }
}
