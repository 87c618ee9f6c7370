/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite.kit;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * A known, endless stream of bytes: the byte at each position is given, so a byte that is lost, doubled, moved or
 * changed is found and its position reported. The period is a prime, so that no shift by the size of a ring or a page
 * goes unnoticed. Immutable.
 */
public final class Payload {
    private static final int PERIOD = 65_521;

    private final byte[] table = new byte[PERIOD];

    /** @param seed tells streams apart, for instance those of the two directions */
    public Payload(long seed) {
        new SplittableRandom(seed).nextBytes(table);
    }

    /**
     * Fills what remains of a buffer.
     *
     * @param target filled from its position to its limit
     * @param position the position in the stream of the first byte
     */
    public void fill(ByteBuffer target, long position) {
        long at = position;
        while (target.hasRemaining()) {
            int offset = (int) (at % PERIOD);
            int length = Math.min(target.remaining(), PERIOD - offset);
            target.put(table, offset, length);
            at += length;
        }
    }

    /**
     * Makes a part of the stream.
     *
     * @param position the position in the stream of the first byte
     * @param length how many bytes
     * @return a heap buffer ready to be written
     */
    public ByteBuffer slice(long position, int length) {
        ByteBuffer slice = ByteBuffer.allocate(length);
        fill(slice, position);
        return slice.flip();
    }

    /**
     * Consumes what remains of a buffer, and compares it.
     *
     * @param received read from its position to its limit
     * @param position the position in the stream of the first byte
     */
    public void check(ByteBuffer received, long position) {
        long at = position;
        while (received.hasRemaining()) {
            int offset = (int) (at % PERIOD);
            int length = Math.min(received.remaining(), PERIOD - offset);
            ByteBuffer part = received.slice().limit(length);
            int mismatch = part.mismatch(ByteBuffer.wrap(table, offset, length));
            if (mismatch >= 0) {
                throw new AssertionError("at byte " + (at + mismatch) + " of the stream " + part.get(mismatch)
                        + " was received and " + table[offset + mismatch] + " was sent");
            }
            received.position(received.position() + length);
            at += length;
        }
    }
}
