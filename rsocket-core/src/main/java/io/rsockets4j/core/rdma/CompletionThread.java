/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.thread.ExitPace;
import io.rsockets4j.core.thread.OwnThreads;
import io.rsockets4j.core.verbs.CompletionChannel;
import io.rsockets4j.core.verbs.CompletionQueue;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The daemon thread that serves a device's completions when no other thread polls: it posts receives, grants credit and
 * wakes whoever waits. While other threads poll it only looks now and then whether they still do.
 */
final class CompletionThread implements Runnable {
    private static final Log LOG = Log.of(CompletionThread.class);
    private static final int FOREVER = -1;

    private final CompletionChannel channel;
    private final List<CompletionPoller> pollers = new CopyOnWriteArrayList<>();
    private final ExitPace pace = new ExitPace();
    private volatile IOException failure; // of the channel, as the thread in front has seen it
    private volatile IOException ended; // why; written by this thread

    CompletionThread(CompletionChannel channel, String deviceName) {
        this.channel = channel;
        OwnThreads.daemon("rsockets4j-completions-" + deviceName, this).start();
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

    /** Whether no completion is looked after any more. */
    boolean hasEnded() {
        return ended != null;
    }

    List<CompletionPoller> pollers() {
        return pollers;
    }

    /** The channel has failed, which this thread may not see by itself. Called by the thread in front of it. */
    void fail(IOException cause) {
        failure = cause; // before the wake-up, after which it is looked at
        channel.wakeup();
    }

    /** An error hit the thread in front: what queues have announced may be lost. Called by that thread. */
    void forgetArmed() {
        for (CompletionPoller poller : pollers) {
            poller.forgetArmed();
        }
        channel.wakeup();
    }

    /** The JVM ends: this thread serves on, but does not sleep in native code any more. Any thread. */
    void exit() {
        pace.exit();
        channel.wakeup();
    }

    /** Returns how long to wait. The longer others have polled, the likelier they go on. */
    private int attend(CompletionQueue announced, int lastWaitMillis) {
        int wait = Math.max(CompletionPoller.MIN_POLL_MILLIS, 2 * lastWaitMillis);
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
                queue = channel.await(pace.pause() ? 0 : timeoutMillis);
                if (failure != null) {
                    throw failure;
                }
                timeoutMillis = attend(queue, timeoutMillis);
            } catch (IOException e) {
                throw e;
            } catch (Throwable e) { // without this thread nobody would be woken
                OwnThreads.goOnAfter(LOG, "rsockets4j: the completion thread goes on after an error", e);
                timeoutMillis = CompletionPoller.MIN_POLL_MILLIS;
                for (CompletionPoller poller : pollers) {
                    poller.forgetArmed();
                }
            }
        }
    }
}
