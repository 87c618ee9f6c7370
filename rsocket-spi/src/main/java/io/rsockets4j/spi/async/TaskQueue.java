/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import java.util.concurrent.locks.ReentrantLock;

/** What waits for a thread of a group, oldest first. Thread-safe; allocates nothing. */
final class TaskQueue {
    private final ReentrantLock lock = new ReentrantLock();
    private Task first; // guarded by lock
    private Task last; // guarded by lock
    private volatile boolean empty = true; // written under lock

    /** Appends a task, unless it waits here already. */
    void add(Task task) {
        lock.lock();
        try {
            if (!task.queued) {
                task.queued = true;
                append(task);
            }
        } finally {
            lock.unlock();
        }
    }

    private void append(Task task) {
        if (last == null) {
            first = task;
        } else {
            last.next = task;
        }
        last = task;
        empty = false;
    }

    /** Takes the oldest task; null when there is none. */
    Task poll() {
        if (empty) {
            return null;
        }
        lock.lock();
        try {
            Task task = first;
            if (task != null) {
                first = task.next;
                task.next = null;
                task.queued = false;
                if (first == null) {
                    last = null;
                    empty = true;
                }
            }
            return task;
        } finally {
            lock.unlock();
        }
    }

    boolean isEmpty() {
        return empty;
    }
}
