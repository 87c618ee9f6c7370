/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.soak;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.zip.CRC32;

/**
 * One direction of a conversation. Each position has a byte of its own, and positions that differ by the size of a ring
 * or of a page have different ones. Not thread-safe.
 */
final class Pattern {
    private static final int PERIOD = 65_521; // a prime
    private static final int RUN = 64 * 1024;
    private static final byte[] TABLE = new byte[PERIOD + RUN];

    private final int seed;
    private final CRC32 sum = new CRC32();
    private long position;

    static {
        SplittableRandom random = new SplittableRandom(42);
        for (int i = 0; i < TABLE.length; i++) {
            TABLE[i] = i < PERIOD ? (byte) random.nextInt() : TABLE[i - PERIOD];
        }
    }

    Pattern(int seed) {
        this.seed = seed;
    }

    /** How many bytes have gone by. */
    long position() {
        return position;
    }

    /** The checksum of all bytes that have gone by. */
    long sum() {
        return sum.getValue();
    }

    /** Appends the next bytes, at most so many. */
    void fill(ByteBuffer out, long most) {
        for (long left = Math.min(most, out.remaining()); left > 0;) {
            int run = (int) Math.min(left, RUN);
            out.put(TABLE, offset(), run);
            sum.update(TABLE, offset(), run);
            position += run;
            left -= run;
        }
    }

    /** Takes and checks bytes, at most so many. */
    void check(ByteBuffer in, long most) {
        for (long left = Math.min(most, in.remaining()); left > 0;) {
            int run = (int) Math.min(left, RUN);
            int wrong = in.slice(in.position(), run).mismatch(ByteBuffer.wrap(TABLE, offset(), run));
            if (wrong >= 0) {
                throw new CorruptionException("byte " + (position + wrong) + " is " + in.get(in.position() + wrong)
                        + ", expected " + TABLE[offset() + wrong]);
            }
            sum.update(in.slice(in.position(), run)); // by what arrived, not by what should have
            in.position(in.position() + run);
            position += run;
            left -= run;
        }
    }

    private int offset() {
        return (int) Math.floorMod(seed + position, (long) PERIOD);
    }
}
