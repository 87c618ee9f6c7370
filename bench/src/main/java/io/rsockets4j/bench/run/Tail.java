/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.run;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** Keeps the last lines of an output. For any threads. */
final class Tail {

    private static final int MOST_LINES = 2_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<String> lines = new ArrayDeque<>(); // guarded by lock

    void add(String line) {
        lock.lock();
        try {
            if (lines.size() == MOST_LINES) {
                lines.removeFirst();
            }
            lines.addLast(line);
        } finally {
            lock.unlock();
        }
    }

    List<String> lines() {
        lock.lock();
        try {
            return List.copyOf(lines);
        } finally {
            lock.unlock();
        }
    }
}
