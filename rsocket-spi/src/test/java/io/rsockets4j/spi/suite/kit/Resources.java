/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite.kit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * Everything that a case opens or starts. At the end all of it is closed, newest first; then every thread must end, and
 * none may have failed unseen.
 */
public final class Resources {
    private static final long END_SECONDS = 10;

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final List<Task<?>> tasks = new ArrayList<>();

    /**
     * Remembers something to close.
     *
     * @param <T> its type
     * @param resource what to close at the end
     * @return the same
     */
    public synchronized <T extends AutoCloseable> T add(T resource) {
        open.push(resource);
        return resource;
    }

    /**
     * Starts a helper thread.
     *
     * @param <T> the type of its result
     * @param name the end of the thread's name
     * @param virtual whether it is to be a virtual thread
     * @param body what it does
     * @return the task
     */
    public synchronized <T> Task<T> start(String name, boolean virtual, Callable<T> body) {
        Task<T> task = Task.start(name, virtual, body);
        tasks.add(task);
        return task;
    }

    /** Closes and joins everything. */
    public void close() {
        List<Throwable> problems = new ArrayList<>();
        for (AutoCloseable resource : takeOpen()) {
            close(resource, problems);
        }
        for (Task<?> task : takeTasks()) {
            end(task, problems);
        }
        if (!problems.isEmpty()) {
            AssertionError error = new AssertionError("left behind: " + problems.get(0), problems.get(0));
            problems.subList(1, problems.size()).forEach(error::addSuppressed);
            throw error;
        }
    }

    private synchronized List<AutoCloseable> takeOpen() {
        List<AutoCloseable> taken = new ArrayList<>(open);
        open.clear();
        return taken;
    }

    private synchronized List<Task<?>> takeTasks() {
        List<Task<?>> taken = new ArrayList<>(tasks);
        tasks.clear();
        return taken;
    }

    private static void close(AutoCloseable resource, List<Throwable> problems) {
        try {
            resource.close();
        } catch (Exception e) {
            problems.add(e);
        }
    }

    private static void end(Task<?> task, List<Throwable> problems) {
        Thread thread = task.thread();
        if (!Threads.join(thread, TimeUnit.SECONDS.toNanos(END_SECONDS))) {
            problems.add(new AssertionError("does not end though everything is closed: " + Threads.stackOf(thread)));
            thread.interrupt();
        } else if (task.unexaminedFailure() != null) {
            problems.add(task.unexaminedFailure());
        }
    }
}
