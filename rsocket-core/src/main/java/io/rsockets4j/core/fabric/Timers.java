/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Tasks that a fabric's thread runs later. Any thread adds; that thread asks how long it may sleep, and runs them. */
public final class Timers {
    private record Timer(long atNanos, Runnable task) implements Comparable<Timer> {
        @Override
        public int compareTo(Timer other) {
            return Long.compare(atNanos - other.atNanos, 0);
        }
    }

    private final PriorityBlockingQueue<Timer> timers = new PriorityBlockingQueue<>();

    /** Creates an empty list. */
    public Timers() { }

    /**
     * Adds a task. The caller wakes the thread.
     *
     * @param delayNanos when, in nanoseconds from now
     * @param task what to run
     */
    public void add(long delayNanos, Runnable task) {
        timers.add(new Timer(System.nanoTime() + delayNanos, task));
    }

    /**
     * How long the thread may sleep.
     *
     * @param withoutTimers what to return when there is nothing to run
     * @return milliseconds, at least 1
     */
    public int millisToNext(int withoutTimers) {
        Timer next = timers.peek();
        if (next == null) {
            return withoutTimers;
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(next.atNanos() - System.nanoTime()) + 1;
        return (int) Math.min(Integer.MAX_VALUE, Math.max(1, millis));
    }

    /** Runs what is due. By the thread alone. */
    public void run() {
        long now = System.nanoTime();
        for (Timer next = timers.peek(); next != null && next.atNanos() - now <= 0; next = timers.peek()) {
            timers.poll().task().run();
        }
    }
}
