/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.thread.OwnThreads;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * The one thread of the process that keeps slow handlers from holding up the others of their group. It looks at busy
 * groups once in a while, and sleeps when there are none.
 */
final class Watchdog implements Runnable {
    private static final Log LOG = Log.of(Watchdog.class);
    private static final long TICK_NANOS = 1_000_000;
    private static final int QUIET_TICKS = 50;
    private static final Watchdog INSTANCE = new Watchdog();

    private final List<Watch> watches = new CopyOnWriteArrayList<>();
    private final Thread thread;

    private Watchdog() {
        thread = OwnThreads.daemon("rsockets4j-watchdog", this);
        thread.start();
    }

    @Override
    public void run() {
        while (true) {
            try {
                Thread.interrupted(); // whoever did that: with an interrupt pending no wait would wait
                turn();
            } catch (Throwable e) { // without this thread a slow handler would hold up all others
                OwnThreads.goOnAfter(LOG, "rsockets4j: the watchdog goes on after an error", e);
            }
        }
    }

    private void turn() {
        if (watches.isEmpty()) {
            LockSupport.park(this);
        } else {
            LockSupport.parkNanos(this, TICK_NANOS);
            for (Watch watch : watches) {
                watch.check();
            }
        }
    }

    /** The threads of one group, as the watchdog sees them. Thread-safe; nothing blocks. */
    interface Watched {
        /** How often a thread has found something new to do. */
        int turns();

        /** Whether some thread waits for what comes. */
        boolean isPolled();

        /** Whether tasks wait for a thread. */
        boolean hasTasks();

        /** Whether the group has terminated. */
        boolean isStopped();

        /**
         * Has one more thread look for work.
         *
         * @param stuck whether nobody polls, so that one is needed at any rate
         */
        void callOneMore(boolean stuck);
    }

    /** What is known of one crew. The fields without {@code volatile} belong to the watchdog's thread. */
    static final class Watch {
        private final Watched workers;
        private final AtomicBoolean active = new AtomicBoolean();
        private int turns;
        private int quietTicks;
        private boolean hadTasks;

        Watch(Watched workers) {
            this.workers = workers;
        }

        /** A worker is about to run tasks, and polls no more. */
        void activate() {
            if (!active.get() && active.compareAndSet(false, true)) {
                INSTANCE.watches.add(this);
                LockSupport.unpark(INSTANCE.thread);
            }
        }

        private void check() {
            int now = workers.turns();
            boolean still = now == turns;
            boolean polled = workers.isPolled();
            boolean tasks = workers.hasTasks();
            boolean stuck = still && !polled;
            if (stuck || tasks && hadTasks) {
                workers.callOneMore(stuck);
            }
            quietTicks = still && polled ? quietTicks + 1 : 0;
            turns = now;
            hadTasks = tasks;
            if (quietTicks > QUIET_TICKS || workers.isStopped()) {
                deactivate();
            }
        }

        private void deactivate() {
            quietTicks = 0;
            hadTasks = false;
            INSTANCE.watches.remove(this);
            active.set(false); // volatile store before the look: pairs with activate, after the worker polled
            if (!workers.isPolled() && !workers.isStopped()) {
                activate();
            }
        }
    }
}
