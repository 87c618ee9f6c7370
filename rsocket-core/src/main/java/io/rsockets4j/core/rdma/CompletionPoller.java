/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.thread.OwnThreads;
import io.rsockets4j.core.verbs.CompletionQueue;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Fetches the completions of one completion queue and hands them to their links, one thread at a time. Any thread
 * that waits for something may poll; while nobody does, the queue is armed and {@link CompletionThread} waits for it.
 */
final class CompletionPoller {
    private static final Log LOG = Log.of(CompletionPoller.class);
    private static final int MAX_BATCHES = 64;

    /** What {@link #attend} returns when the next completion is announced. */
    static final int ARMED = -1;

    /** The longest wait for the next look where someone sleeps, who is not served once the others stop to poll. */
    static final int MIN_POLL_MILLIS = 2;

    /** And where nobody does, but a send queue stalls. */
    static final int STALL_POLL_MILLIS = 16;

    /** And otherwise. */
    static final int MAX_POLL_MILLIS = 256;

    private final CompletionQueue queue;
    private final LinkTable links;
    private final ReentrantLock lock = new ReentrantLock();

    // guarded by lock
    private boolean draining;
    private final ArrayDeque<ServedLink> deferring = new ArrayDeque<>(); // have receives to post again
    private boolean armed;
    private int room; // for completions of further sessions
    private boolean onlyAnnounced; // nobody looks unless the queue announces something
    private volatile boolean failed; // written under lock
    private volatile boolean sleeperInFront; // written by the thread that sleeps there

    private final Sleepers sleepers = new Sleepers();
    private final Stalls stalls;
    private final AtomicLong polls = new AtomicLong(); // written under lock
    private long polledBefore; // the completion thread's: polls as it last saw them

    /**
     * Creates a poller.
     *
     * @param queue what to poll
     * @param links who may be served
     * @param room how many completions the queue can hold
     * @param wake wakes the completion thread
     */
    CompletionPoller(CompletionQueue queue, LinkTable links, int room, Runnable wake) {
        this.queue = queue;
        this.links = links;
        this.room = room;
        stalls = new Stalls(wake);
    }

    CompletionQueue queue() {
        return queue;
    }

    Stalls stalls() {
        return stalls;
    }

    /** Takes room for the completions of a session. Returns false if there is not enough. */
    boolean reserve(int completions) {
        lock.lock();
        try {
            if (failed || room < completions) {
                return false;
            }
            room -= completions;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Looks once for completions, unless some other thread is just doing so. */
    void poll() {
        if (!lock.isLocked() && lock.tryLock()) {
            try {
                polls.setPlain(polls.getPlain() + 1); // isPolled may see it a little later
                if (!draining && serveBatch() == 0) {
                    postDeferred();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** Does something that needs what has been served to stay as it is. */
    void whileNobodyPolls(Runnable action) {
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }

    /** Before a thread sleeps: makes sure that the next completion wakes the completion thread, and looks once more. */
    void arm() {
        lock.lock();
        try {
            sleepers.addAnywhere();
            armLocked();
            drain();
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #arm()}, for a thread that waits for the connection that has this mark. */
    void arm(Sleepers.Mark mark) {
        lock.lock();
        try {
            sleepers.add(mark);
            if (!armed) { // else what has come since then is announced, and whoever serves that sees the mark
                armLocked();
                drain();
            }
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #arm()}, for the thread in front of the completion thread. */
    void armInFront() {
        lock.lock();
        try {
            armLocked();
            drain();
        } finally {
            lock.unlock();
        }
    }

    /** Whether the calling thread sleeps in front of the completion thread for one of these connections. */
    void sleepsInFront(boolean newSleeps) {
        sleeperInFront = newSleeps; // before it arms: pairs with attend, under the lock
    }

    /**
     * The queue has announced completions to the thread in front, which polls. Where the completion thread waits for an
     * event, the next one is asked for here: to have it look now and then instead would take waking it.
     */
    void serveInFront() {
        lock.lock();
        try {
            polls.setPlain(polls.getPlain() + 1);
            armed = false;
            drain();
            if (onlyAnnounced || !sleepers.areAllRung()) {
                armLocked();
                drain();
            }
        } finally {
            lock.unlock();
        }
    }

    /** An error hit the thread that waits: what the queue has announced may be lost, so it must be armed again. */
    void forgetArmed() {
        lock.lock();
        armed = false;
        lock.unlock();
    }

    /** Whoever waited for a connection has been rung. By a connection that is being served. */
    void rung(Sleepers.Mark mark) {
        sleepers.remove(mark);
    }

    /** Serves everything that has completed so far. */
    void serveAll() {
        lock.lock();
        try {
            drain();
        } finally {
            lock.unlock();
        }
    }

    /**
     * The completion thread looks after this queue. While a thread polls, this does not take the lock: to wait for it
     * would cost that thread a system call to wake this one. Sleepers that an event has woken are about to poll, and
     * would only cause the next one.
     *
     * @param event whether the queue has announced completions
     * @return {@link #ARMED}; or, as some thread polls or is about to, how long to wait for the next look, in
     *     milliseconds
     */
    int attend(boolean event) {
        boolean polled = isPolled();
        boolean stalling = stalls.areUnattended();
        if (polled && !event && !stalling && !sleepers.areNew()) {
            return longestWait();
        }
        lock.lock();
        try {
            armed &= !event;
            drain();
            if (sleeperInFront) {
                armLocked(); // the event was meant for that thread, and has not woken it
                drain();
            }
            onlyAnnounced = armed || failed || stalling || !isPolledByOthers(polled, event);
            if (onlyAnnounced) {
                stalls.attended();
                armLocked();
                drain();
            }
            return onlyAnnounced ? ARMED : longestWait();
        } finally {
            lock.unlock();
        }
    }

    /** Whether a poll now and then is enough, as others poll or are about to. */
    private boolean isPolledByOthers(boolean polled, boolean event) {
        return polled && !sleepers.areNew() || sleepers.settle() && event;
    }

    /** Whether some thread has polled since this was asked last. The completion thread. */
    private boolean isPolled() {
        long before = polledBefore;
        polledBefore = polls.getOpaque();
        return polledBefore != before;
    }

    private int longestWait() {
        if (sleepers.remain()) {
            return MIN_POLL_MILLIS;
        }
        return stalls.mayPollSeldom() ? MAX_POLL_MILLIS : STALL_POLL_MILLIS;
    }

    /** Nobody waits for a connection any more. Most often nobody did: then no lock is taken from who polls. */
    void forget(Sleepers.Mark mark) {
        if (!mark.isSet()) {
            return;
        }
        lock.lock();
        try {
            sleepers.remove(mark);
        } finally {
            lock.unlock();
        }
    }

    /** Ends a session's part: none of its completions is served after this returns. */
    void forget(long tag) {
        lock.lock();
        try {
            drain();
            links.remove(tag);
        } finally {
            lock.unlock();
        }
    }

    /** Gives back the room for the completions of a session whose queue pair has gone. */
    void giveBack(int completions) {
        lock.lock();
        try {
            drain(); // its flushed work requests are there still
            room += completions;
        } finally {
            lock.unlock();
        }
    }

    private void armLocked() {
        if (!armed && !failed) {
            try {
                queue.requestNotification();
                armed = true;
            } catch (IOException e) {
                fail(e);
            }
        }
    }

    private void drain() {
        if (draining) {
            return; // someone who is being rung looks for more: the loop below will
        }
        for (int i = 0; i < MAX_BATCHES && serveBatch() > 0; i++) {
            continue; // a bound, for fairness: whoever waits looks again
        }
        postDeferred();
    }

    /** Takes one batch of completions and hands them on. Returns how many. */
    private int serveBatch() {
        if (failed) {
            return 0;
        }
        draining = true;
        try {
            int count = queue.poll();
            for (int i = 0; i < count; i++) {
                serve(i);
            }
            return count;
        } catch (IOException e) {
            fail(e);
            return 0;
        } finally {
            draining = false;
        }
    }

    /**
     * A link has receives to post again. Doing so only when there is nothing else to serve keeps it out of the
     * way of a program that waits for what has come. By a link that is being served.
     */
    void defer(ServedLink link) {
        deferring.add(link);
    }

    private void postDeferred() {
        for (ServedLink next = deferring.poll(); next != null; next = deferring.poll()) {
            next.postDeferred();
        }
    }

    private void serve(int index) {
        long id = queue.workRequestId(index);
        ServedLink link = links.get(WorkRequestIds.tag(id));
        if (link != null) {
            link.completed(queue, index, id);
        }
    }

    /** Nobody looks after this queue any more: its sessions fail. */
    void breakDown(IOException cause) {
        lock.lock();
        try {
            if (!failed) {
                fail(cause);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The device has gone, or the queue has overflowed, which would be a mistake here. */
    private void fail(IOException cause) {
        failed = true;
        links.forEach(link -> link.queueFailed(queue, cause));
        OwnThreads.report(LOG, "rsockets4j: a completion queue failed: " + cause.getMessage()
                + "; its connections are reset", cause);
    }
}
