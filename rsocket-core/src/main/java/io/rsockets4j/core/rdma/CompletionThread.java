/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.thread.OwnThreads;
import io.rsockets4j.core.verbs.CompletionChannel;
import io.rsockets4j.core.verbs.CompletionQueue;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The daemon thread that serves a device's completions when no other thread polls: it posts receives, grants credit and
 * wakes whoever waits. While other threads poll it only looks now and then whether they still do. While one of the
 * program leads ({@link Lead}), it stays away from the channel, or the next event would wake two threads; and
 * afterwards, until it finds nothing polled between two looks, or is called.
 */
final class CompletionThread implements Runnable {
    private static final Log LOG = Log.of(CompletionThread.class);
    private static final int FOREVER = -1;

    private final CompletionChannel channel;
    private final List<CompletionPoller> pollers = new CopyOnWriteArrayList<>();
    private final Lead lead;
    private final Thread thread;
    private volatile boolean away; // from the channel; written by this thread
    private volatile boolean idle; // away until called or told of the lead's end; written by this thread
    private volatile boolean called; // back to the channel
    private volatile IOException ended; // why; written by this thread

    CompletionThread(CompletionChannel channel, String deviceName) throws IOException {
        this.channel = channel;
        lead = new Lead(this, channel.twin());
        thread = OwnThreads.daemon("rsockets4j-completions-" + deviceName, this);
        thread.start();
    }

    Lead lead() {
        return lead;
    }

    /** Someone leads: the next event is not for this thread. */
    void sendAway() {
        if (!away) { // volatile, after the store of the leader: pairs with stayAway
            channel.wakeup();
        }
    }

    /** Someone sleeps, and nobody leads: the next event is for this thread. */
    void call() {
        if (away) { // volatile, after the look at the leader: pairs with stayAway
            called = true;
            LockSupport.unpark(thread);
        }
    }

    /** Nobody leads any more, and nobody sleeps: this thread has to see whether somebody polls. */
    void goOnLooking() {
        if (idle) { // volatile, after the store of the leader: pairs with rest
            LockSupport.unpark(thread);
        }
    }

    /**
     * Looks after one more completion queue.
     *
     * @throws IOException if this thread has ended
     */
    void add(CompletionPoller poller) throws IOException {
        pollers.add(poller); // before the look: this thread fails all pollers after it has said that it ends
        if (ended != null) {
            pollers.remove(poller);
            throw new IOException("nobody looks after completions any more: " + ended.getMessage(), ended);
        }
        poller.arm();
    }

    /** An announcement may have been lost by an error. */
    void forgetArmed() {
        for (CompletionPoller poller : pollers) {
            poller.forgetArmed();
        }
    }

    /** Whether no completion is looked after any more. */
    boolean hasEnded() {
        return ended != null;
    }

    List<CompletionPoller> pollers() {
        return pollers;
    }

    /** Whether to stay away from the channel. */
    private boolean stayAway(int timeoutMillis) {
        boolean lately = away && timeoutMillis != FOREVER;
        away = true; // before the looks: pairs with call and sendAway
        if (called) {
            called = false;
            away = false;
        } else {
            away = lately || lead.isTaken();
        }
        return away;
    }

    private void rest(int timeoutMillis) {
        if (timeoutMillis != FOREVER) {
            LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(timeoutMillis));
            return;
        }
        idle = true; // before the look: pairs with goOnLooking
        if (lead.isTaken()) {
            LockSupport.park(this);
        }
        idle = false;
    }

    /** Returns how long to wait. The longer others have polled, the likelier they go on. */
    private int attend(CompletionQueue announced, int lastWaitMillis) {
        int wait = Math.max(CompletionPoller.MIN_LOOK_MILLIS, 2 * lastWaitMillis);
        boolean allArmed = true;
        for (CompletionPoller poller : pollers) {
            int longest = poller.attend(poller.queue() == announced);
            if (longest != CompletionPoller.ARMED) {
                allArmed = false;
                wait = Math.min(wait, longest);
            }
        }
        return allArmed ? FOREVER : wait;
    }

    @Override
    public void run() {
        IOException cause = new IOException("the completion thread has ended");
        try {
            serve();
        } catch (IOException e) {
            cause = e;
            OwnThreads.report(LOG, "rsockets4j: the completion channel failed: " + e.getMessage(), e);
        } finally { // nobody must wait for this thread
            ended = cause;
            for (CompletionPoller poller : pollers) {
                poller.breakDown(cause);
            }
        }
    }

    private void serve() throws IOException {
        int timeoutMillis = FOREVER;
        while (true) {
            CompletionQueue queue = null;
            try {
                Thread.interrupted(); // whoever did that: with an interrupt pending no wait would wait
                if (stayAway(timeoutMillis)) {
                    rest(timeoutMillis);
                } else {
                    queue = channel.await(timeoutMillis);
                }
                timeoutMillis = attend(queue, timeoutMillis);
                if (queue != null) {
                    lead.ring(this); // if that was the leader's event, the queue may be armed no more
                }
            } catch (IOException e) {
                throw e;
            } catch (Throwable e) { // without this thread nobody would be woken
                OwnThreads.goOnAfter(LOG, "rsockets4j: the completion thread goes on after an error", e);
                timeoutMillis = CompletionPoller.MIN_LOOK_MILLIS;
                forgetArmed();
            }
        }
    }
}
