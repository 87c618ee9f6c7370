/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import io.rsockets4j.core.thread.OwnThreads;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The one thread of the process that looks after the timeouts of asynchronous operations; started at first use. */
final class Timeouts {
    private static final ScheduledThreadPoolExecutor TIMER = create();

    private Timeouts() { }

    private static ScheduledThreadPoolExecutor create() {
        ScheduledThreadPoolExecutor timer =
                new ScheduledThreadPoolExecutor(1, body -> OwnThreads.daemon("rsockets4j-timeouts", body));
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }

    /**
     * Runs something once.
     *
     * @param look must not block
     * @param nanos from now
     * @return to cancel it
     */
    static ScheduledFuture<?> schedule(Runnable look, long nanos) {
        return TIMER.schedule(look, nanos, TimeUnit.NANOSECONDS);
    }
}
