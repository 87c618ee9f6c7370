/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.thread.OwnThreads;
import java.io.IOException;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.ShutdownChannelGroupException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A crew that keeps threads of its executor. One of them leads: it polls, and itself runs what it finds, since waking
 * another thread takes longer than most handlers do. The others are idle. If a handler takes its time, the {@link
 * Watchdog} has an idle thread take over, or a new one where the crew may grow.
 */
final class Workers implements Crew, Watchdog.Watched {
    private static final Log LOG = Log.of(Workers.class);
    /** So many tasks are run before the poller is looked at again. */
    private static final int TASKS_IN_A_ROW = 32;
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    private final AsynchronousChannelGroup group;
    private final Poller poller;
    private final TaskQueue tasks;
    private final ExecutorService executor;
    private final int wanted;
    private final boolean mayGrow;
    private final AtomicBoolean led = new AtomicBoolean(); // whether some worker leads
    private final AtomicInteger working = new AtomicInteger(); // all workers
    private final AtomicInteger idle = new AtomicInteger(); // workers that wait for a call
    private final AtomicBoolean hired = new AtomicBoolean(); // a worker whose thread has not begun yet
    private final Semaphore calls = new Semaphore(0); // each makes one idle worker look for work
    private final Watchdog.Watch watch;
    private volatile boolean stopped; // written by stop
    private volatile int turns; // how often a worker has found something new to do; lost updates do no harm

    Workers(AsynchronousChannelGroup group, Poller poller, TaskQueue tasks, ExecutorService executor, int wanted,
            boolean mayGrow) {
        this.group = group;
        this.poller = poller;
        this.tasks = tasks;
        this.executor = executor;
        this.wanted = wanted;
        this.mayGrow = mayGrow;
        watch = wanted > 1 || mayGrow ? new Watchdog.Watch(this) : null;
    }

    @Override
    public void start() {
        for (int i = 0; i < wanted; i++) {
            hire();
        }
    }

    /** Whether the executor takes one more. */
    private boolean hire() {
        working.incrementAndGet();
        try {
            executor.execute(() -> GroupThread.run(group, this::work));
            return true;
        } catch (RejectedExecutionException e) { // the program has shut it down
            dismiss();
            LOG.log(System.Logger.Level.DEBUG, "the executor of a group takes no tasks", e);
            return false;
        } catch (Throwable e) { // no thread can be had now; the watchdog may ask again
            dismiss();
            throw e;
        }
    }

    private void dismiss() {
        working.decrementAndGet();
        hired.set(false);
    }

    @Override
    public void submit(Task task) {
        if (stopped) {
            throw new ShutdownChannelGroupException();
        }
        tasks.add(task);
        poller.wakeup();
    }

    @Override
    public void stop() {
        stopped = true; // volatile store before the calls: pairs with the look in work
        calls.release(working.get());
        executor.shutdown();
    }

    private void work() {
        boolean ended = false;
        hired.set(false);
        try {
            while (!mayLeave()) {
                Thread.interrupted(); // a handler's business; the selector would not wait
                turns = turns + 1;
                if (!lead()) {
                    idle();
                }
            }
            ended = true;
        } finally {
            working.decrementAndGet();
            // a handler has thrown: its exception ends the thread, another takes its place if it still can
            if (!ended && (stopped || !hire())) {
                runTheLast();
            }
        }
    }

    /** Runs what a thread would leave behind that nobody replaces. What is thrown here is reported as what ends one. */
    private void runTheLast() {
        for (Task task = tasks.poll(); task != null; task = tasks.poll()) {
            try {
                task.run();
            } catch (Throwable e) {
                Thread thread = Thread.currentThread();
                thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
            }
        }
    }

    private boolean mayLeave() {
        return stopped && tasks.isEmpty() || working.get() > wanted && led.get() && tasks.isEmpty();
    }

    /** Runs tasks, or waits for some as the leader; false when another one leads and nothing is to be done. */
    private boolean lead() {
        Task task = tasks.poll();
        if (task == null) {
            if (!led.compareAndSet(false, true)) {
                return false;
            }
            try {
                poll();
            } finally {
                led.set(false);
            }
            task = tasks.poll();
        }
        if (task != null && watch != null) {
            watch.activate();
        }
        for (int i = 1; task != null; i++) {
            turns = turns + 1;
            task.run();
            task = i < TASKS_IN_A_ROW ? tasks.poll() : null;
        }
        return true;
    }

    private void poll() {
        if (stopped) {
            return;
        }
        try {
            poller.poll();
        } catch (IOException e) {
            OwnThreads.goOnAfter(LOG, "rsockets4j: a group of asynchronous channels has failed", e);
        }
    }

    private void idle() {
        idle.incrementAndGet();
        try {
            if (led.get() && !stopped) {
                calls.acquireUninterruptibly();
            }
        } finally {
            idle.decrementAndGet();
        }
    }

    // ---- for the watchdog

    @Override
    public boolean isPolled() {
        return poller.isPolling();
    }

    @Override
    public boolean hasTasks() {
        return !tasks.isEmpty();
    }

    @Override
    public int turns() {
        return turns;
    }

    @Override
    public boolean isStopped() {
        return stopped;
    }

    @Override
    public void callOneMore(boolean stuck) {
        if (idle.get() > 0) {
            if (calls.availablePermits() == 0) {
                calls.release();
            }
        } else if (mayGrow && (stuck || working.get() < PROCESSORS) && hired.compareAndSet(false, true)) {
            hire();
        }
    }
}
