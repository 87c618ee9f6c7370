/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Counts the accepted connections whose peers have not said HELLO: each holds a queue pair and pinned memory,
 * so that there may be only so many, of one host and of all. Thread-safe.
 */
final class HalfOpen {
    /** How many there may be of one host; those that cannot be told apart count as one. */
    static final int MAX_OF_ONE = 128;

    /** How many there may be of all hosts. */
    static final int MAX = 512;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<InetAddress, Integer> counts = new HashMap<>(); // guarded by lock
    private int all; // guarded by lock

    /** Counts one more of a host, which may be null. Returns false, and counts none, if there are too many. */
    boolean enter(InetAddress peer) {
        lock.lock();
        try {
            if (all == MAX || counts.getOrDefault(peer, 0) == MAX_OF_ONE) {
                return false;
            }
            all++;
            counts.merge(peer, 1, Integer::sum);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Counts one less of a host. */
    void leave(InetAddress peer) {
        lock.lock();
        try {
            all--;
            counts.computeIfPresent(peer, (host, count) -> count == 1 ? null : count - 1);
        } finally {
            lock.unlock();
        }
    }
}
