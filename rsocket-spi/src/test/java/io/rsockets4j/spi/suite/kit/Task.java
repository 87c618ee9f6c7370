/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite.kit;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * A helper thread with a result. Its failure is not lost: {@link #join} throws it, {@link #failure} returns it, and
 * when neither was called {@link Resources} reports it at the end of the case. Methods may be called from any thread.
 *
 * @param <T> the type of the result
 */
public final class Task<T> {
    private static final long JOIN_SECONDS = 25;

    private final Thread thread;
    private final Callable<T> body;
    private volatile T result;
    private volatile Throwable failure;
    private volatile boolean interruptedAtEnd;
    private volatile boolean examined;

    private Task(String name, boolean virtual, Callable<T> body) {
        this.body = body;
        String fullName = "suite-" + name;
        thread = virtual ? VirtualThreads.unstarted(fullName, this::run) : new Thread(this::run, fullName);
        thread.setDaemon(true);
    }

    static <T> Task<T> start(String name, boolean virtual, Callable<T> body) {
        Task<T> task = new Task<>(name, virtual, body);
        task.thread.start();
        return task;
    }

    private void run() {
        try {
            result = body.call();
        } catch (Throwable e) {
            failure = e;
        } finally {
            interruptedAtEnd = Thread.currentThread().isInterrupted();
        }
    }

    /**
     * Waits for the end of the body.
     *
     * @return what the body returned
     * @throws Exception what the body threw
     */
    public T join() throws Exception {
        examined = true;
        awaitEnd();
        if (failure instanceof Exception) {
            throw (Exception) failure;
        }
        if (failure != null) {
            throw (Error) failure;
        }
        return result;
    }

    /**
     * Waits for the end of a body that is expected to throw.
     *
     * @return what it threw
     */
    public Throwable failure() {
        examined = true;
        awaitEnd();
        if (failure == null) {
            throw new AssertionError(thread.getName() + " returned " + result + " instead of throwing");
        }
        return failure;
    }

    /**
     * Waits until the thread is inside a method of the code under test and gets no further.
     *
     * @param method the simple name of the method, for instance {@code read}
     */
    public void awaitBlockedIn(String method) {
        Threads.awaitBlocked(thread, method);
    }

    /** Interrupts the thread. */
    public void interrupt() {
        thread.interrupt();
    }

    /** @return whether the thread's interrupt status was set when the body ended */
    public boolean wasInterruptedAtEnd() {
        awaitEnd();
        return interruptedAtEnd;
    }

    /** @return whether the thread has not ended yet */
    public boolean isRunning() {
        return thread.isAlive();
    }

    Thread thread() {
        return thread;
    }

    /** @return what the body threw and nobody asked for, or null */
    Throwable unexaminedFailure() {
        return examined ? null : failure;
    }

    private void awaitEnd() {
        if (!Threads.join(thread, TimeUnit.SECONDS.toNanos(JOIN_SECONDS))) {
            throw new AssertionError("still runs after " + JOIN_SECONDS + " s: " + Threads.stackOf(thread));
        }
    }
}
