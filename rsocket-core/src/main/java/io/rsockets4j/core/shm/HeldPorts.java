/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.host.DescriptorBudget;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the local ports of connections that this process has closed and their peers have not. Each holds a
 * descriptor, unlike a closed socket over TCP. So there are only as many as the process can spare, and none lasts
 * longer than TCP holds such a port. Thread-safe.
 */
final class HeldPorts {
    /** What Linux does for an orphan in FIN_WAIT2: the default of net.ipv4.tcp_fin_timeout. */
    private static final long FIN_WAIT_NANOS = TimeUnit.SECONDS.toNanos(60);

    private static final int SHARE = 8; // of the process' descriptors: one in so many
    private static final int FEW = 8; // of these any process can spare
    private static final int MANY = 1024; // as letting go of all takes its time

    private final AtomicInteger count = new AtomicInteger();
    private final long nanos;
    private volatile int max; // -1 as long as nobody needed to know

    /** Holds as many ports as the limit on open files allows. */
    HeldPorts() {
        this(-1, FIN_WAIT_NANOS);
    }

    /** Holds so many ports for so long. */
    HeldPorts(int max, long nanos) {
        this.max = max;
        this.nanos = nanos;
    }

    /** Counts one more; whether that is more than the process can spare. */
    boolean add() {
        int now = count.incrementAndGet();
        int known = max;
        if (known < 0 && now > FEW) {
            known = Math.min(MANY, Math.max(FEW, DescriptorBudget.limit() / SHARE));
            max = known;
        }
        return known >= 0 && now > known;
    }

    /** Counts one less. */
    void remove() {
        count.decrementAndGet();
    }

    /** How long a port is held. */
    long nanos() {
        return nanos;
    }
}
