/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.thread;

import io.rsockets4j.core.log.Log;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes this project's threads. They serve the whole process, so they take nothing from the program's thread that
 * happens to need them first: neither its group, which the program may interrupt, nor its class loader or inherited
 * values. Thread-safe.
 */
public final class OwnThreads {
    private static final Log LOG = Log.of(OwnThreads.class);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private OwnThreads() { }

    /**
     * Makes a daemon thread.
     *
     * @param name begins with {@code rsockets4j-}
     * @param body what it throws is logged, and ends the thread without a word to the program's handlers
     * @return not started yet
     */
    public static Thread daemon(String name, Runnable body) {
        Thread thread = new Thread(group(), new Body(name, body), name, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        return thread;
    }

    /**
     * Runs something when the process ends.
     *
     * @param name of the thread, begins with {@code rsockets4j-}
     * @param body may take a moment; what it throws is logged
     * @throws IllegalStateException if the process ends already
     */
    public static void atExit(String name, Runnable body) {
        Runtime.getRuntime().addShutdownHook(daemon(name, body));
    }

    /** What a thread runs; no lambda, whose machinery takes a young process longer than the thread's start. */
    private record Body(String name, Runnable body) implements Runnable {
        @Override
        public void run() {
            try {
                body.run();
            } catch (Throwable e) {
                report(LOG, "rsockets4j: the thread " + name + " has ended by an error", e);
            }
        }
    }

    /**
     * Where this project's threads belong: to the root of all groups, which no program's code takes for its own.
     *
     * @return the system's group
     */
    public static ThreadGroup group() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        return group;
    }

    /**
     * After an error in the loop of a thread that has to go on: logs it, waits a moment so that an error which comes
     * again and again takes no core, and forgets an interrupt. Throws nothing.
     *
     * @param log of the thread's class
     * @param message what happened
     * @param cause what was thrown
     */
    public static void goOnAfter(Log log, String message, Throwable cause) {
        report(log, message, cause);
        Thread.interrupted(); // with one pending it would not wait
        LockSupport.parkNanos(PAUSE_NANOS);
    }

    /**
     * Logs an error, where that is possible: memory may be short, or the program's logging may fail itself.
     *
     * @param log of the class that tells
     * @param message what happened
     * @param cause what was thrown
     * @return false if it could not be logged
     */
    public static boolean report(Log log, String message, Throwable cause) {
        try {
            log.log(System.Logger.Level.ERROR, message, cause);
            return true;
        } catch (Throwable e) { // there is nowhere left to say so
            return false;
        }
    }
}
