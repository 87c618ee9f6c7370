/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.stream;

import java.util.concurrent.TimeUnit;

/** Deadlines as {@link System#nanoTime} values; {@link Long#MAX_VALUE} is never. Nothing here blocks. */
public final class Deadline {
    /** No deadline. */
    public static final long NEVER = Long.MAX_VALUE;

    private Deadline() { }

    /**
     * The deadline of a socket timeout.
     *
     * @param timeoutMillis milliseconds from now; 0 is never
     * @return a {@link System#nanoTime} value
     */
    public static long after(int timeoutMillis) {
        return timeoutMillis == 0 ? NEVER : System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    }

    /**
     * Whether a deadline is over.
     *
     * @param deadlineNanos from {@link #after}
     * @return false for {@link #NEVER}
     */
    public static boolean isPast(long deadlineNanos) {
        return deadlineNanos != NEVER && deadlineNanos - System.nanoTime() <= 0;
    }

    /**
     * What is left, as a socket timeout.
     *
     * @param deadlineNanos from {@link #after}
     * @return milliseconds, at least 1, also after the deadline, since 0 means never
     */
    public static int remainingMillis(long deadlineNanos) {
        if (deadlineNanos == NEVER) {
            return 0;
        }
        long roundedUp = deadlineNanos - System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1) - 1;
        return (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(roundedUp));
    }
}
