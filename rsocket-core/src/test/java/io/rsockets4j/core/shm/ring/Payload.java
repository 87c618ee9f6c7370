/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm.ring;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * A known, endless stream of bytes. Its period is a prime, so that no byte that was lost, doubled or moved by a page or
 * a ring goes unnoticed.
 */
public final class Payload {
    private static final int PERIOD = 65_521;
    private static final byte[] TABLE = new byte[PERIOD];

    static {
        new SplittableRandom(7).nextBytes(TABLE);
    }

    private Payload() { }

    /** Fills what remains of a buffer with the bytes from a position of the stream on. */
    public static ByteBuffer fill(ByteBuffer target, long position) {
        long at = position;
        while (target.hasRemaining()) {
            int offset = (int) (at % PERIOD);
            int length = Math.min(target.remaining(), PERIOD - offset);
            target.put(TABLE, offset, length);
            at += length;
        }
        return target;
    }

    /** A part of the stream, ready to be sent. */
    public static ByteBuffer of(long position, int length) {
        return fill(ByteBuffer.allocate(length), position).flip();
    }

    /** Consumes what remains of a buffer and compares it. */
    public static void check(ByteBuffer received, long position) {
        long at = position;
        while (received.hasRemaining()) {
            int offset = (int) (at % PERIOD);
            int length = Math.min(received.remaining(), PERIOD - offset);
            int mismatch = received.slice().limit(length).mismatch(ByteBuffer.wrap(TABLE, offset, length));
            if (mismatch >= 0) {
                throw new AssertionError("byte " + (at + mismatch) + " of the stream is wrong");
            }
            received.position(received.position() + length);
            at += length;
        }
    }
}
