/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.thread;

import java.util.concurrent.locks.LockSupport;

/**
 * How a daemon thread goes on while the JVM ends. The JVM waits 0.3 s for a thread that sleeps in native code; for one
 * that is parked it does not. So from {@link #exit} on the thread parks and looks, rather than sleeps until it is
 * woken: hooks of the program's may still need it, and may take their time.
 */
public final class ExitPace {
    private static final long MAX_NANOS = 50_000_000;

    private volatile boolean exiting; // set by the shutdown hook
    private long nanos = 500_000; // by the thread that pauses; grows

    /** Makes the pace of a thread, in a JVM that does not end yet. */
    public ExitPace() { }

    /** The JVM ends. Whoever calls this wakes the thread afterwards. Any thread; does not block. */
    public void exit() {
        exiting = true; // volatile, before the wake-up
    }

    /**
     * Whether the JVM ends.
     *
     * @return true from {@link #exit} on
     */
    public boolean isExiting() {
        return exiting;
    }

    /**
     * Waits for a moment if the JVM ends, else not at all. The thread whose pace it is.
     *
     * @return whether the JVM ends: then the thread looks for work without a wait of its own
     */
    public boolean pause() {
        if (!exiting) {
            return false;
        }
        LockSupport.parkNanos(nanos);
        nanos = Math.min(2 * nanos, MAX_NANOS);
        return true;
    }
}
