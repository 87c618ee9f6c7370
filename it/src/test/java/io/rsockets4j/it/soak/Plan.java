/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.soak;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * What one conversation holds: so many rounds, in each of which the client sends bytes and the server answers. The
 * client half-closes when it has sent all; the server ends with a trailer that tells what it received and sent.
 *
 * @param seed which bytes
 * @param rounds how many requests
 * @param up bytes of a request
 * @param down bytes of its answer
 */
record Plan(int seed, int rounds, int up, int down) {
    static final int BYTES = 20;
    static final int TRAILER_BYTES = 24;
    private static final int MAGIC = 0x50414b53;

    /**
     * Draws one.
     *
     * @param largest bytes of a large stream
     */
    static Plan draw(SplittableRandom random, int largest) {
        int seed = random.nextInt();
        return switch (random.nextInt(8)) {
            case 0 -> new Plan(seed, 0, 0, 0);
            case 1 -> new Plan(seed, 1, 1 + random.nextInt(largest), 0);
            case 2 -> new Plan(seed, 1, 0, 1 + random.nextInt(largest));
            case 3 -> new Plan(seed, 2, 1 + random.nextInt(largest / 2), 1 + random.nextInt(largest / 2));
            default -> new Plan(seed, 1 + random.nextInt(200), 1 + random.nextInt(2_000), 1 + random.nextInt(5_000));
        };
    }

    void write(ByteBuffer out) {
        out.putInt(MAGIC).putInt(seed).putInt(rounds).putInt(up).putInt(down);
    }

    static Plan read(ByteBuffer in) {
        int magic = in.getInt();
        if (magic != MAGIC) {
            throw new CorruptionException("a conversation begins with " + Integer.toHexString(magic));
        }
        return new Plan(in.getInt(), in.getInt(), in.getInt(), in.getInt());
    }

    long upTotal() {
        return (long) rounds * up;
    }

    long downTotal() {
        return (long) rounds * down;
    }

    /** How much of its part the client may have sent when so much was answered. */
    long mayBeSent(long answered) {
        return down == 0 ? upTotal() : Math.min(rounds, answered / down + 1) * up;
    }

    /** How much the server is to have answered when it has received so much. */
    long toBeAnswered(long received) {
        return up == 0 ? downTotal() : received / up * down;
    }
}
