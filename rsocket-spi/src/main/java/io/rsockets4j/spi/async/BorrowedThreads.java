/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.thread.OwnThreads;
import java.io.IOException;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.ShutdownChannelGroupException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;

/** A crew that keeps none of its executor's threads: one of its own polls, the executor runs every task. */
final class BorrowedThreads implements Crew {
    private static final Log LOG = Log.of(BorrowedThreads.class);

    private final AsynchronousChannelGroup group;
    private final Poller poller;
    private final TaskQueue ready;
    private final ExecutorService executor;
    private volatile boolean stopped; // written by stop

    BorrowedThreads(AsynchronousChannelGroup group, Poller poller, TaskQueue ready, ExecutorService executor) {
        this.group = group;
        this.poller = poller;
        this.ready = ready;
        this.executor = executor;
    }

    @Override
    public void start() {
        OwnThreads.daemon("rsockets4j-async", this::poll).start();
    }

    private void poll() {
        try {
            while (!stopped) {
                turn();
            }
        } catch (ShutdownChannelGroupException e) { // the program has shut it down: nothing can tell its handlers
            LOG.log(System.Logger.Level.DEBUG, "the executor of a group takes no tasks", e);
        } catch (IOException e) {
            OwnThreads.report(LOG, "rsockets4j: a group of asynchronous channels has failed", e);
            closeAll();
        } finally {
            executor.shutdown();
        }
    }

    /** Whoever waits for an operation of the group hears of its end. */
    private void closeAll() {
        try {
            group.shutdownNow();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "a group that has failed could not be shut down", e);
        }
    }

    private void turn() throws IOException {
        try {
            Thread.interrupted(); // whoever did that: the selector would not wait
            poller.poll();
            for (Task task = ready.poll(); task != null; task = ready.poll()) {
                handOver(task);
            }
        } catch (IOException | ShutdownChannelGroupException e) {
            throw e;
        } catch (Throwable e) { // without this thread no handler would ever be invoked
            OwnThreads.goOnAfter(LOG, "rsockets4j: a group of asynchronous channels goes on after an error", e);
        }
    }

    private void handOver(Task task) {
        task.suspend();
        try {
            submit(task);
        } catch (OutOfMemoryError e) { // the executor has no thread now
            ready.add(task);
            throw e;
        }
    }

    @Override
    public void submit(Task task) {
        try {
            executor.execute(() -> GroupThread.run(group, task));
        } catch (RejectedExecutionException e) {
            throw new ShutdownChannelGroupException();
        }
    }

    @Override
    public void stop() {
        stopped = true;
    }
}
