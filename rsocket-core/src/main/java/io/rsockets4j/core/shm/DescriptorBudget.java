/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.fabric.PathException;
import io.rsockets4j.core.reason.Reason;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many descriptors other processes may make this one hold by their sessions: a quarter of what it may have, so that
 * the program keeps the rest. Thread-safe; does not block.
 */
final class DescriptorBudget {
    private static final int SHARE = 4;
    private static final int MOST = 16_384;

    private final AtomicInteger held = new AtomicInteger();
    private volatile int limit; // 0 until first asked for

    /**
     * Takes some.
     *
     * @throws PathException if there are not so many left
     */
    void take(int count) throws PathException {
        if (held.addAndGet(count) > limit()) {
            held.addAndGet(-count);
            throw new PathException(Reason.TOO_MANY, "other processes hold " + held.get() + " descriptors of "
                    + limit() + " that they may; raise ulimit -n");
        }
    }

    void giveBack(int count) {
        held.addAndGet(-count);
    }

    int limit() {
        int known = limit;
        if (known == 0) {
            known = Math.min(MOST, Descriptors.limit() / SHARE);
            limit = known;
        }
        return known;
    }
}
