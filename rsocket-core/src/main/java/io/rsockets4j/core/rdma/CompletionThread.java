/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.log.Log;
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

    CompletionThread(CompletionChannel channel, String deviceName) {
        this.channel = channel;
        Thread thread = new Thread(null, this, "rsockets4j-completions-" + deviceName, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        thread.start();
    }

    /** Looks after one more completion queue. */
    void add(CompletionPoller poller) {
        pollers.add(poller);
        poller.arm();
    }

    List<CompletionPoller> pollers() {
        return pollers;
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
        int timeoutMillis = FOREVER;
        while (true) {
            try {
                CompletionQueue queue = channel.await(timeoutMillis);
                timeoutMillis = attend(queue, timeoutMillis);
            } catch (IOException e) {
                LOG.log(System.Logger.Level.ERROR, "rsockets4j: the completion channel failed: " + e.getMessage(), e);
                return;
            } catch (RuntimeException | Error e) { // without this thread nobody would be woken
                LOG.log(System.Logger.Level.ERROR, "rsockets4j: the completion thread goes on after an error", e);
            }
        }
    }
}
