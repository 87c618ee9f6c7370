/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite.kit;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Watching other threads. Nothing here assumes how long a step takes; every wait ends at a deadline with an error that
 * shows the stacks.
 */
public final class Threads {
    private static final long LIMIT_SECONDS = 20;
    private static final long SAMPLE_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int SAMPLES_TO_BE_SURE = 4;
    private static final String OWN_CODE = "io.rsockets4j.spi.suite.";

    private Threads() {
    }

    /**
     * Waits until a thread is inside a method of the code under test and stays there, parked or in the kernel.
     *
     * @param thread the thread to watch
     * @param method the simple name of the method, for instance {@code read}
     */
    public static void awaitBlocked(Thread thread, String method) {
        long start = System.nanoTime();
        for (int samples = 0; samples < SAMPLES_TO_BE_SURE; LockSupport.parkNanos(SAMPLE_NS)) {
            if (!thread.isAlive()) {
                throw new AssertionError(thread.getName() + " ended before it blocked in " + method);
            }
            samples = isBlockedIn(thread, method) ? samples + 1 : 0;
            if (isOver(start)) {
                throw new AssertionError("does not block in " + method + ": " + stackOf(thread));
            }
        }
    }

    /**
     * Waits until a condition holds.
     *
     * @param what what is waited for, for the error's message, as it is then
     * @param condition the condition, asked every millisecond
     * @throws Exception what the condition throws
     */
    public static void await(Object what, Callable<Boolean> condition) throws Exception {
        long start = System.nanoTime();
        while (!condition.call()) {
            if (isOver(start)) {
                throw new AssertionError("waited " + LIMIT_SECONDS + " s in vain for " + what);
            }
            LockSupport.parkNanos(SAMPLE_NS);
        }
    }

    private static boolean isOver(long startNs) {
        return System.nanoTime() - startNs > TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    }

    static String stackOf(Thread thread) {
        StringBuilder text = new StringBuilder(512).append(System.lineSeparator());
        text.append(thread.getName()).append(' ').append(thread.getState()).append(System.lineSeparator());
        for (StackTraceElement frame : thread.getStackTrace()) {
            text.append("    at ").append(frame).append(System.lineSeparator());
        }
        return text.toString();
    }

    /** Waits for the end of a thread; an interrupt of the caller does not cut that short, and is kept. */
    static boolean join(Thread thread, long nanos) {
        long deadline = System.nanoTime() + nanos;
        boolean interrupted = false;
        while (thread.isAlive() && System.nanoTime() - deadline < 0) {
            try {
                TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, deadline - System.nanoTime()));
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }

    private static boolean isBlockedIn(Thread thread, String method) {
        Thread.State state = thread.getState();
        StackTraceElement[] stack = thread.getStackTrace();
        if (stack.length == 0) {
            return false;
        }
        boolean still = state == Thread.State.RUNNABLE ? isInTheKernel(stack[0]) : state != Thread.State.NEW;
        return still && isInside(stack, method);
    }

    /** Of a sleep by futex or epoll_wait on JDK 22 and later, the frame that is native is hidden. */
    private static boolean isInTheKernel(StackTraceElement top) {
        return top.isNativeMethod() || top.getClassName().equals("io.rsockets4j.core.bell.NativeFutex")
                || top.getClassName().equals("io.rsockets4j.core.verbs.ffm.HotCalls")
                        && top.getMethodName().equals("epollWait");
    }

    private static boolean isInside(StackTraceElement[] stack, String method) {
        for (StackTraceElement frame : stack) {
            if (frame.getMethodName().equals(method) && !frame.getClassName().startsWith(OWN_CODE)) {
                return true;
            }
        }
        return false;
    }
}
