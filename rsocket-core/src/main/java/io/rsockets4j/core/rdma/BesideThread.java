/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.thread.OwnThreads;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A daemon thread that does for {@link RdmaBesideTcp} what a program does not wait for: one thing at a time, in order.
 * Starts with a task, and ends when there was none for a second. Thread-safe.
 */
final class BesideThread implements Runnable {
    static final int MAX_QUESTIONS = 16; // a peer has up to handshake.millis to answer
    private static final Log LOG = Log.of(BesideThread.class);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition more = lock.newCondition();
    private final Queue<Runnable> tasks = new ArrayDeque<>(); // guarded by lock
    private boolean running; // guarded by lock; the thread is there

    /** Runs a task soon. Any thread; never waits. */
    void execute(Runnable task) {
        add(task, Integer.MAX_VALUE);
    }

    /** Runs a question soon, unless too many wait. Any thread; never waits. Returns false if it is not asked. */
    boolean ask(Runnable question) {
        return add(question, MAX_QUESTIONS);
    }

    private boolean add(Runnable task, int max) {
        lock.lock();
        try {
            if (tasks.size() >= max) {
                return false;
            }
            tasks.add(task);
            if (running) {
                more.signal();
                return true;
            }
            return start();
        } finally {
            lock.unlock();
        }
    }

    private boolean start() {
        try {
            OwnThreads.daemon("rsockets4j-rdma-beside", this).start();
            running = true;
        } catch (Throwable e) { // out of threads: the program goes on by TCP
            tasks.clear();
            LOG.log(System.Logger.Level.DEBUG, "no thread for path rdma", e);
        }
        return running;
    }

    @Override
    public void run() {
        try {
            for (Runnable task = next(); task != null; task = next()) {
                run(task);
            }
        } catch (Throwable e) { // the next task starts a thread again
            OwnThreads.report(LOG, "rsockets4j: path rdma's thread has ended by an error", e);
            lock.lock();
            running = false;
            lock.unlock();
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) { // the others are run all the same
            OwnThreads.report(LOG, "rsockets4j: path rdma could not be prepared", e);
        }
    }

    /** Null if none comes in time: the thread ends. */
    private Runnable next() {
        lock.lock();
        try {
            await();
            Runnable task = tasks.poll();
            running = task != null;
            return task;
        } finally {
            lock.unlock();
        }
    }

    private void await() {
        try {
            long left = PATIENCE_NANOS;
            while (tasks.isEmpty() && left > 0) {
                left = more.awaitNanos(left);
            }
        } catch (InterruptedException e) { // whoever did that: what is queued is done all the same
            LOG.log(System.Logger.Level.DEBUG, "path rdma's thread was interrupted", e);
        }
    }
}
