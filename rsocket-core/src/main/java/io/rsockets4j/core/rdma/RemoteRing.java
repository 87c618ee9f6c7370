/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import java.nio.ByteBuffer;

/**
 * A ring that the other side may write into: 16 bytes of a message.
 *
 * @param address where it begins, in the process of its owner
 * @param bytes its size, a power of two
 * @param key its remote key
 */
record RemoteRing(long address, int bytes, int key) {
    /** No ring, where there will be no connection. */
    static final RemoteRing NONE = new RemoteRing(0, 0, 0);

    private static final int SIZE_AT = 8;
    private static final int KEY_AT = 12;
    private static final int MIN_BYTES = 1 << 12;
    private static final int MAX_BYTES = 1 << 28;

    void encode(ByteBuffer out, int at) {
        out.putLong(at, address);
        out.putInt(at + SIZE_AT, bytes);
        out.putInt(at + KEY_AT, key);
    }

    /** Reads what may or may not be one. */
    static RemoteRing decode(ByteBuffer in, int at) {
        return new RemoteRing(in.getLong(at), in.getInt(at + SIZE_AT), in.getInt(at + KEY_AT));
    }

    /**
     * Checks that this can be a ring.
     *
     * @param what the message that it is in
     * @throws ProtocolException if it cannot
     */
    void check(String what) throws ProtocolException {
        if (bytes < MIN_BYTES || bytes > MAX_BYTES || Integer.bitCount(bytes) != 1) {
            throw new ProtocolException(what + " with ringBytes=" + bytes);
        }
        if (address == 0 || Long.compareUnsigned(address + bytes, address) < 0) {
            throw new ProtocolException(what + " with ringAddress=" + Long.toHexString(address));
        }
    }
}
