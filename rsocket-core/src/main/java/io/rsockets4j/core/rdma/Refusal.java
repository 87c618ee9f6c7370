/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import java.util.concurrent.TimeUnit;

/**
 * That a program's buffer could not be registered. For a moment the next ones of that link and direction are not tried:
 * a system call in vain for each would cost more than a copy. Then they are, as memory may be free again. For one
 * thread at a time.
 */
final class Refusal {
    /** How long that moment is. */
    static final long NANOS = TimeUnit.SECONDS.toNanos(1);

    private boolean refused;
    private long beganNanos;

    /** The device or the kernel has refused a buffer, or no more may be pinned. */
    void begin() {
        refused = true;
        beganNanos = System.nanoTime();
    }

    /** Whether no buffer is to be tried now. Does not look at the clock where none was refused. */
    boolean lasts() {
        refused = refused && System.nanoTime() - beganNanos < NANOS;
        return refused;
    }
}
