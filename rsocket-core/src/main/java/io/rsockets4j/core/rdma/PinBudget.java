/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much memory this process pins for RDMA, and may pin. Rings that grow leave a half to connections to come, which
 * need little each; buffers that programs lend leave a half of that to the rings, and those that stay registered a half
 * of that again to the others. Thread-safe.
 */
final class PinBudget {
    /** What memory is pinned for. */
    enum Use {
        /** A session, or connections as they begin. */
        CONNECTIONS,
        /** Larger rings of connections that are there already. */
        GROWTH,
        /** A buffer of the program's, for one operation. */
        LENT,
        /** The same, for longer. */
        KEPT
    }

    private final long max;
    private final long maxWithGrowth;
    private final long maxWithLent;
    private final long maxWithKept;
    private final AtomicLong pinned = new AtomicLong();

    /**
     * Creates one of which nothing is used.
     *
     * @param max in bytes, 0 for no limit besides the system's
     * @param systemMax how much the system lets this process pin, Long.MAX_VALUE for all
     */
    PinBudget(long max, long systemMax) {
        this.max = max == 0 ? Long.MAX_VALUE : max;
        long least = Math.min(this.max, systemMax);
        maxWithGrowth = least == Long.MAX_VALUE ? least : least / 2;
        maxWithLent = least == Long.MAX_VALUE ? least : least / 4;
        maxWithKept = least == Long.MAX_VALUE ? least : least / 8;
    }

    /** Counts bytes that are about to be pinned. Returns false, and counts none, if they are too many. */
    boolean take(long bytes, Use use) {
        long most = most(use);
        while (true) {
            long now = pinned.get();
            if (bytes > most - now) {
                return false;
            }
            if (pinned.compareAndSet(now, now + bytes)) {
                return true;
            }
        }
    }

    private long most(Use use) {
        return switch (use) {
            case CONNECTIONS -> max;
            case GROWTH -> maxWithGrowth;
            case LENT -> maxWithLent;
            case KEPT -> maxWithKept;
        };
    }

    /** Those bytes are not pinned any more. */
    void giveBack(long bytes) {
        pinned.addAndGet(-bytes);
    }

    /** Why nothing more can be pinned for a use. */
    PathException usedUp(Use use) {
        return new PathException(Reason.NO_MEMORY, use == Use.CONNECTIONS
                ? "rsockets4j.rdma.max.bytes=" + max + " is used up"
                : (use == Use.GROWTH ? "half" : "a quarter") + " of what may be pinned (RLIMIT_MEMLOCK,"
                        + " rsockets4j.rdma.max.bytes) is used up, and the rest is for further connections"
                        + (use == Use.GROWTH ? "" : " and their rings"));
    }
}
