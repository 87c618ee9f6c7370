/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.fabric.Waiter;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.thread.OwnThreads;
import io.rsockets4j.core.verbs.CompletionChannel;
import io.rsockets4j.core.verbs.CompletionQueue;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The place in front of a device's {@link CompletionThread}, for one program's thread at a time. While it sleeps here,
 * events wake it and not that thread, so no third thread is between a message and who waits for it. Who finds the place
 * taken sleeps as if there were none. What is rung here is the thread that sleeps.
 */
final class CompletionFront implements Waiter {
    private static final Log LOG = Log.of(CompletionFront.class);

    private final CompletionChannel channel;
    private final CompletionThread behind;
    private final ReentrantLock place = new ReentrantLock(); // held by whoever is here
    private volatile Thread sleeper; // written by whoever holds the place
    private volatile boolean broken;

    /**
     * Creates the place, which is free.
     *
     * @param channel that has one
     * @param behind whom events wake while nobody is here
     */
    CompletionFront(CompletionChannel channel, CompletionThread behind) {
        this.channel = channel;
        this.behind = behind;
    }

    /** Takes the place if it is free. Who does has to {@link #leave}. */
    boolean enter(CompletionPoller poller) {
        if (broken || !place.tryLock()) {
            return false;
        }
        sleeper = Thread.currentThread();
        poller.sleepsInFront(true);
        return true;
    }

    void leave(CompletionPoller poller) {
        poller.sleepsInFront(false);
        sleeper = null;
        place.unlock();
    }

    /**
     * Sleeps until an event comes, which it serves, or until rung; may return for no reason.
     *
     * @param deadlineNanos a {@link System#nanoTime} value, or {@link Long#MAX_VALUE} for none
     * @return false after the deadline, and where this place is of no more use
     */
    boolean sleep(long deadlineNanos) {
        int millis = -1;
        if (deadlineNanos != Long.MAX_VALUE) {
            long left = deadlineNanos - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            millis = (int) Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMillis(left - 1) + 1);
        }
        boolean served = false;
        try {
            CompletionQueue announced = channel.awaitInFront(millis);
            if (announced != null) {
                serve(announced);
            }
            served = true;
        } catch (IOException e) {
            broken = true;
            behind.fail(e);
        } catch (Throwable e) { // it hits the program's thread, but others would wait for ever
            OwnThreads.report(LOG, "rsockets4j: a thread that waits for completions goes on after an error", e);
        } finally {
            if (!served) {
                behind.forgetArmed();
            }
        }
        return served;
    }

    private void serve(CompletionQueue announced) {
        for (CompletionPoller poller : behind.pollers()) {
            if (poller.queue() == announced) {
                poller.serveInFront();
            }
        }
    }

    @Override
    public void wake(Object source) {
        Thread thread = sleeper;
        if (thread != null && thread != Thread.currentThread()) {
            channel.wakeupInFront();
        }
    }
}
