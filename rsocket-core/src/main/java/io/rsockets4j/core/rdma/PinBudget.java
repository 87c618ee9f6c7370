/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.fabric.PathException;
import io.rsockets4j.core.reason.Reason;
import java.util.concurrent.atomic.AtomicLong;

/** How much memory this process pins for RDMA, and may pin. Thread-safe. */
final class PinBudget {
    private final long max;
    private final AtomicLong pinned = new AtomicLong();

    /**
     * Creates one of which nothing is used.
     *
     * @param max in bytes, 0 for no limit besides the system's
     */
    PinBudget(long max) {
        this.max = max;
    }

    /** Counts bytes that are about to be pinned. Returns false, and counts none, if they are too many. */
    boolean take(long bytes) {
        long now = pinned.addAndGet(bytes);
        if (max != 0 && now > max) {
            pinned.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    /** Those bytes are not pinned any more. */
    void giveBack(long bytes) {
        pinned.addAndGet(-bytes);
    }

    /** In bytes. */
    long pinned() {
        return pinned.get();
    }

    /** Why nothing more can be pinned. */
    PathException usedUp() {
        return new PathException(Reason.NO_MEMORY, "rsockets4j.rdma.max.bytes=" + max + " is used up");
    }
}
