/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.figures;

/**
 * How long {@link RoundTrips} asks again and again for a message. Who has waited for longer blocks: others have their
 * turns, and want the processors. Looks at the clock seldom, as it is slow under emulation and rstream does not ask it.
 */
final class Patience {
    static final long NANOS = 50_000_000;

    private static final int LOOKS_PER_CLOCK = 256;

    private int looks;
    private long startNanos;

    /** The wait for a message begins. */
    void begin() {
        looks = 0;
    }

    /** Nothing has come: whether to block now. */
    boolean isOver() {
        if (++looks % LOOKS_PER_CLOCK != 0) {
            return false;
        }
        long now = System.nanoTime();
        if (looks == LOOKS_PER_CLOCK) {
            startNanos = now;
        }
        return now - startNanos > NANOS;
    }
}
