/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import java.net.SocketException;
import java.nio.ByteBuffer;

/**
 * What the two ends of a stream over shared memory say, if both have offered it in their first eight bytes: frames of
 * 32 bytes, in network order.
 *
 * <pre>
 *   0  type      2  slot      4  length      8  first      16  second      24  third
 *
 *   1  DATA         length bytes of the stream follow
 *   2  WRITTEN      length bytes of the stream are in the oldest buffer that was offered
 *   3  ADVERT       a buffer in the region of a slot: phase, sequence, offset in the region
 *   4  ADVERT_ALL   the same, which stays offered until it is full
 *   5  REGION       a slot is for another region: its size, owner (16 bytes) and number; or with length 0 for none
 * </pre>
 */
final class StreamFrame {
    static final int BYTES = 32;
    /** Most receives that the peer is told of. */
    static final int MAX_RECEIVES = 64;
    /** Most regions that are in use at a time by one connection. */
    static final int SLOTS = 32;
    /** Shorter receives are not worth a frame. */
    static final int MIN_DIRECT_BYTES = 4096;

    enum Type { DATA, WRITTEN, ADVERT, ADVERT_ALL, REGION }

    private static final Type[] TYPES = Type.values();

    private StreamFrame() { }

    static void put(ByteBuffer to, Type type, int slot, int length, long first, long second, long third) {
        to.putShort((short) (type.ordinal() + 1)).putShort((short) slot).putInt(length)
                .putLong(first).putLong(second).putLong(third);
    }

    static Type type(ByteBuffer frame) throws SocketException {
        int number = frame.getShort(0);
        check(number > 0 && number <= TYPES.length);
        return TYPES[number - 1];
    }

    static int slot(ByteBuffer frame) throws SocketException {
        int slot = frame.getShort(2);
        check(slot >= 0 && slot < SLOTS);
        return slot;
    }

    static int length(ByteBuffer frame) throws SocketException {
        int length = frame.getInt(4);
        check(length >= 0);
        return length;
    }

    static long first(ByteBuffer frame) {
        return frame.getLong(8);
    }

    static long second(ByteBuffer frame) {
        return frame.getLong(16);
    }

    static long third(ByteBuffer frame) {
        return frame.getLong(24);
    }

    /** Nothing that the peer says is trusted. */
    static void check(boolean possible) throws SocketException {
        if (!possible) {
            throw new SocketException("Connection reset: the peer sends a frame that cannot be");
        }
    }
}
