/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for conditions, with a limit. */
public final class Eventually {
    private static final long LIMIT_SECONDS = 20;
    private static final long LOOK_EVERY_NANOS = 1_000_000;
    private static final Set<String> BY_FOREIGN =
            Set.of("io.rsockets4j.core.bell.NativeFutex", "io.rsockets4j.core.verbs.ffm.HotCalls");

    private Eventually() { }

    /** Waits until a condition holds; fails with its name if that takes too long. */
    public static void until(String what, Callable<Boolean> condition) throws Exception {
        long started = System.nanoTime();
        while (!condition.call()) {
            if (System.nanoTime() - started > TimeUnit.SECONDS.toNanos(LIMIT_SECONDS)) {
                throw new AssertionError("waited " + LIMIT_SECONDS + " s in vain: " + what);
            }
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
        }
    }

    /** Waits without sleeping for what comes within an instant. */
    public static void soon(String what, Callable<Boolean> condition) throws Exception {
        long started = System.nanoTime();
        while (!condition.call()) {
            if (System.nanoTime() - started > TimeUnit.SECONDS.toNanos(LIMIT_SECONDS)) {
                throw new AssertionError("waited " + LIMIT_SECONDS + " s in vain: " + what);
            }
            Thread.onSpinWait();
        }
    }

    /** Waits until a thread sleeps inside of a method. */
    public static void asleepIn(Thread thread, String method) throws Exception {
        until(thread.getName() + " sleeps in " + method, () -> {
            boolean inside = false;
            for (StackTraceElement frame : thread.getStackTrace()) {
                inside |= frame.getMethodName().equals(method);
            }
            // a thread in epoll_wait or futex counts as runnable, so what it calls last tells
            return inside && (thread.getState() != Thread.State.RUNNABLE || isInTheKernel(thread.getStackTrace()));
        });
    }

    /** Of a sleep by java.lang.foreign, the frame that is native is hidden. */
    private static boolean isInTheKernel(StackTraceElement[] stack) {
        return stack.length > 0 && (stack[0].isNativeMethod() || BY_FOREIGN.contains(stack[0].getClassName()));
    }
}
