/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.bell.Bell;
import io.rsockets4j.core.bell.BellPage;
import io.rsockets4j.core.bell.Futex;
import io.rsockets4j.core.fabric.RungLinks;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.thread.OwnThreads;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Wakes the virtual threads of a process, which must not hold their carrier in the kernel: a daemon thread sleeps on a
 * bell for all of them, as the JDK's own poller does in epoll. Peers ring it straight, by one system call. The thread
 * starts with the first virtual thread that parks in a process that has a futex. Thread-safe.
 */
final class VirtualWaker {
    private static final Log LOG = Log.of(VirtualWaker.class);
    private static final long EXIT_POLL_NANOS = 1_000_000;

    private final BellPage page;
    private final List<RungLinks> watched = new CopyOnWriteArrayList<>(); // those whose virtual threads have parked
    private final ReentrantLock lock = new ReentrantLock();
    private volatile Bell bell; // lent under the lock, with the thread's start
    private volatile boolean exiting; // set by the shutdown hook

    /**
     * Creates a waker without a thread.
     *
     * @param page of this process
     */
    VirtualWaker(BellPage page) {
        this.page = page;
    }

    /**
     * Looks at links from now on, until they are over, for the virtual threads that park there. Any thread, once there
     * is a futex.
     *
     * @return the number of the bell that their peer is to ring, or 0: nobody looks, and it rings the service thread
     */
    int watch(RungLinks links) {
        lock.lock();
        try {
            if (bell == null && !start()) {
                return 0;
            }
            if (!watched.contains(links)) {
                watched.add(links);
            }
            return bell.number();
        } finally {
            lock.unlock();
        }
    }

    /** Starts the thread; false where there can be none now. Under the lock. */
    private boolean start() {
        Bell taken = Bell.take(page);
        try {
            OwnThreads.daemon("rsockets4j-virtual", () -> run(taken)).start();
        } catch (Throwable e) { // out of threads, most likely: nobody is to rely on this bell
            taken.release();
            LOG.log(System.Logger.Level.DEBUG, "no thread to wake virtual threads", e);
            return false;
        }
        bell = taken;
        return true;
    }

    private void run(Bell own) {
        while (true) {
            try {
                sleep(own);
                collect();
            } catch (Throwable e) { // nobody else would wake them
                OwnThreads.goOnAfter(LOG, "rsockets4j: an error in the thread that wakes virtual threads", e);
            }
        }
    }

    private void sleep(Bell own) {
        own.prepare(false); // pairs with the look in PeerBells.ring
        try {
            if (exiting) {
                LockSupport.parkNanos(EXIT_POLL_NANOS);
            } else if (!isRung()) {
                own.sleep(Futex.get(), Long.MAX_VALUE);
            }
        } finally {
            own.awake();
        }
    }

    private boolean isRung() {
        for (RungLinks links : watched) {
            if (links.isRung()) {
                return true;
            }
        }
        return false;
    }

    private void collect() {
        for (RungLinks links : watched) {
            if (links.isOver()) {
                watched.remove(links); // they were woken one by one
            } else {
                links.collect();
            }
        }
    }

    /** The JVM ends: from now on the thread is not in the kernel for long, where the JVM would wait for it. */
    void exit() {
        exiting = true; // volatile, before the ring
        Bell own = bell;
        if (own != null) {
            own.ring();
        }
    }
}
