/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import io.rsockets4j.core.log.Log;
import java.io.IOException;
import java.nio.channels.ShutdownChannelGroupException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;

/** A crew that keeps none of its executor's threads: one of its own polls, the executor runs every task. */
final class BorrowedThreads implements Crew {
    private static final Log LOG = Log.of(BorrowedThreads.class);

    private final RAsynchronousChannelGroup group;
    private final Poller poller;
    private final TaskQueue ready;
    private final ExecutorService executor;
    private volatile boolean stopped; // written by stop

    BorrowedThreads(RAsynchronousChannelGroup group, Poller poller, TaskQueue ready, ExecutorService executor) {
        this.group = group;
        this.poller = poller;
        this.ready = ready;
        this.executor = executor;
    }

    @Override
    public void start() {
        Thread thread = new Thread(null, this::poll, "rsockets4j-async", 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        thread.start();
    }

    private void poll() {
        try {
            while (!stopped) {
                poller.poll();
                for (Task task = ready.poll(); task != null; task = ready.poll()) {
                    if (task instanceof Operation operation) {
                        operation.suspend();
                    }
                    submit(task);
                }
            }
        } catch (ShutdownChannelGroupException e) { // the program has shut it down: nothing can tell its handlers
            LOG.log(System.Logger.Level.DEBUG, "the executor of a group takes no tasks", e);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.ERROR, "rsockets4j: a group of asynchronous channels has failed", e);
        } finally {
            executor.shutdown();
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
