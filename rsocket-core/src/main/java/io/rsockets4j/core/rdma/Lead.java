/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.bell.Futex;
import io.rsockets4j.core.fabric.VirtualThreads;
import io.rsockets4j.core.fabric.Waiter;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.verbs.CompletionChannel;
import io.rsockets4j.core.verbs.CompletionQueue;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The lead at a device's completion channel: a thread of the program that alone sleeps waits for the next event itself,
 * so that no thread is between the device and it. It serves whatever the event announces. The lead is for who alone has
 * been woken of late; where several are, {@link CompletionThread} waits and wakes them, as who leads would have to
 * hand on the lead with each of its own messages.
 *
 * <p>As a waiter of the leader's link it is rung like any other, which ends the wait.
 */
final class Lead implements Waiter {
    private static final Log LOG = Log.of(Lead.class);
    private static final long NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final CompletionThread other;
    private final CompletionChannel channel; // null where nobody can lead
    private final AtomicReference<Thread> leader = new AtomicReference<>();
    private volatile boolean rung; // since the lead was taken
    private volatile boolean broken; // the channel failed: the completion thread finds out by itself

    /**
     * Creates a lead that nobody has.
     *
     * @param other waits for the same events while nobody leads
     * @param channel where the leader waits, or null
     */
    Lead(CompletionThread other, CompletionChannel channel) {
        this.other = other;
        this.channel = channel;
    }

    /** Whether somebody leads. */
    boolean isTaken() {
        return leader.get() != null;
    }

    /** Somebody sleeps and does not lead: the completion thread has to wait for events, unless somebody leads. */
    void callOther() {
        if (!isTaken()) { // after the note that somebody sleeps: pairs with leave
            other.call();
        }
    }

    /** Takes the lead, to sleep until a connection brings something. Returns false if that is not for this thread. */
    boolean take(CompletionPoller poller, Sleepers.Mark mark) {
        if (channel == null || broken || !poller.isLone(mark) || VirtualThreads.isVirtual()
                || !leader.compareAndSet(null, Thread.currentThread())) {
            return false;
        }
        rung = false;
        other.sendAway();
        return true;
    }

    /**
     * Sleeps until the leader's link is ready or rung, its thread is interrupted, or the deadline; may return for no
     * reason. The leader only, after it has armed its link.
     *
     * @return false if there are others to serve now, so that this thread should sleep elsewhere
     */
    boolean sleep(RdmaLink link, CompletionPoller poller, Sleepers.Mark mark, int op, long deadlineNanos) {
        boolean lost = true; // by an error of the program's thread, such as an overflow of its stack
        try {
            boolean alone = sleepAlone(link, poller, mark, op, deadlineNanos);
            lost = false;
            return alone;
        } finally {
            if (lost) {
                other.forgetArmed();
            }
        }
    }

    private boolean sleepAlone(RdmaLink link, CompletionPoller poller, Sleepers.Mark mark, int op,
            long deadlineNanos) {
        while (poller.isLone(mark)) {
            poller.armForLeader();
            if (rung || link.isKnownReady(op) || Thread.currentThread().isInterrupted()) {
                return true;
            }
            CompletionQueue announced = await(deadlineNanos);
            if (announced == null) {
                return true;
            }
            serve(announced, link, op);
            if (link.isKnownReady(op)) {
                return true;
            }
        }
        return false;
    }

    private CompletionQueue await(long deadlineNanos) {
        long nanos = Futex.LONGEST_NANOS;
        if (deadlineNanos != Long.MAX_VALUE) {
            nanos = Math.max(0, Math.min(nanos, deadlineNanos - System.nanoTime()));
        }
        try {
            return channel.await((int) ((nanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI));
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "nobody waits for completions but their thread any more", e);
            broken = true;
            return null;
        }
    }

    private void serve(CompletionQueue announced, RdmaLink link, int op) {
        List<CompletionPoller> pollers = other.pollers();
        for (int i = 0; i < pollers.size(); i++) { // an iterator would be an allocation
            if (pollers.get(i).queue() == announced) {
                pollers.get(i).announced(link, op);
            }
        }
    }

    /** Gives the lead back. */
    void leave() {
        leader.set(null); // before the look at who needs somebody: pairs with callOther
        List<CompletionPoller> pollers = other.pollers();
        boolean needed = false;
        for (int i = 0; i < pollers.size(); i++) {
            needed |= pollers.get(i).isNeeded();
        }
        if (needed) {
            other.call();
        } else {
            other.goOnLooking();
        }
    }

    @Override
    public void ring(Object source) {
        Thread sleeper = leader.get();
        if (sleeper != null && sleeper != Thread.currentThread() && !rung) {
            rung = true;
            channel.wakeup();
        }
    }
}
