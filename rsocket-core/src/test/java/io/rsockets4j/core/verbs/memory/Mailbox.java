/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.memory;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * What an event channel is made of: events in order, and a wake-up that ends one wait. A second thread may wait in
 * front: while it does, an event wakes it alone, and the other one sleeps on. Thread-safe.
 */
final class Mailbox<E> {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<E> events = new ArrayDeque<>(); // guarded by lock
    private boolean woken; // guarded by lock
    private boolean wokenInFront; // guarded by lock
    private boolean isFrontTaken; // guarded by lock: someone waits there

    void add(E event) {
        lock.lock();
        try {
            events.add(event);
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

    void wakeup() {
        lock.lock();
        try {
            woken = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The next event, or null after a wake-up or when the time is over; -1 is no limit. */
    E await(int timeoutMillis) {
        long left = timeoutMillis < 0 ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        lock.lock();
        try {
            while ((events.isEmpty() || isFrontTaken) && !woken && left > 0) {
                left = changed.awaitNanos(left);
            }
            E event = isFrontTaken ? null : events.poll();
            if (event == null) {
                woken = false;
            }
            return event;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } finally {
            lock.unlock();
        }
    }

    void wakeupInFront() {
        lock.lock();
        try {
            wokenInFront = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #await}, in front of who waits there. As in the kernel's wait, an interrupt does not end it. */
    E awaitInFront(int timeoutMillis) {
        long left = timeoutMillis < 0 ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        boolean interrupted = false;
        lock.lock();
        try {
            isFrontTaken = true;
            while (events.isEmpty() && !wokenInFront && left > 0) {
                try {
                    left = changed.awaitNanos(left);
                } catch (InterruptedException e) {
                    interrupted = true; // which is kept
                }
            }
            E event = events.poll();
            if (event == null) {
                wokenInFront = false;
            }
            return event;
        } finally {
            isFrontTaken = false;
            changed.signalAll(); // the other one gets what is left
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
