/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.memory;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/** What an event channel is made of: events in order, and for each place to wait a wake-up. Thread-safe. */
final class Mailbox<E> {
    /** Where one thread at a time waits. */
    static final class Place {
        private boolean woken; // guarded by the mailbox's lock
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<E> events = new ArrayDeque<>(); // guarded by lock
    private long added; // guarded by lock

    void add(E event) {
        lock.lock();
        try {
            events.add(event);
            added++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** How many events wait that are like this. */
    long count(Predicate<E> like) {
        lock.lock();
        try {
            return events.stream().filter(like).count();
        } finally {
            lock.unlock();
        }
    }

    /** Removes the events that are like this, and returns them. */
    List<E> take(Predicate<E> like) {
        lock.lock();
        try {
            List<E> taken = events.stream().filter(like).toList();
            events.removeAll(taken);
            return taken;
        } finally {
            lock.unlock();
        }
    }

    void wakeup(Place place) {
        lock.lock();
        try {
            place.woken = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * The next event, or null after a wake-up, when somebody else took it or the time is over; -1 is no limit. As with
     * devices, an interrupt does not end it.
     */
    E await(Place place, int timeoutMillis) {
        long left = timeoutMillis < 0 ? Long.MAX_VALUE / 2 : TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        boolean interrupted = false;
        lock.lock();
        try {
            long end = System.nanoTime() + left;
            long before = added;
            while (events.isEmpty() && added == before && !place.woken && left > 0) {
                try {
                    left = changed.awaitNanos(left);
                } catch (InterruptedException e) {
                    interrupted = true;
                    left = end - System.nanoTime();
                }
            }
            E event = events.poll();
            if (event == null) {
                place.woken = false;
            }
            return event;
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
