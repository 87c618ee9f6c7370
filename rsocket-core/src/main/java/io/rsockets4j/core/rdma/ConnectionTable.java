/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Finds the connection of a completion by the tag in its work request's id. A tag is used again only after 65,536 other
 * connections with the same index, so that what is left of a destroyed queue pair finds nobody.
 */
final class ConnectionTable {
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Integer> free = new ArrayDeque<>(); // guarded by lock
    private volatile RdmaConnection[] connections = new RdmaConnection[0]; // elements are written under lock
    private int[] generations = new int[0]; // guarded by lock
    private int size; // guarded by lock

    /** Takes a tag for a new connection. */
    long reserve() {
        lock.lock();
        try {
            Integer index = free.poll();
            if (index == null) {
                index = size++;
                if (index == connections.length) {
                    int length = Math.max(16, 2 * index);
                    generations = Arrays.copyOf(generations, length);
                    connections = Arrays.copyOf(connections, length);
                }
            }
            return WorkRequestIds.tag(index, ++generations[index]);
        } finally {
            lock.unlock();
        }
    }

    /** Makes a connection known by its tag, before anything is posted for it. */
    void add(RdmaConnection connection) {
        lock.lock();
        try {
            connections[WorkRequestIds.index(connection.tag())] = connection;
        } finally {
            lock.unlock();
        }
    }

    /** Forgets a tag. The caller holds the lock of the poller that serves it. */
    void remove(long tag) {
        lock.lock();
        try {
            int index = WorkRequestIds.index(tag);
            connections[index] = null;
            free.addLast(index); // the longest unused first
        } finally {
            lock.unlock();
        }
    }

    /** The connection with a tag, or null when it has gone. */
    RdmaConnection get(long tag) {
        RdmaConnection[] all = connections;
        int index = WorkRequestIds.index(tag);
        RdmaConnection connection = index < all.length ? all[index] : null;
        return connection != null && connection.tag() == tag ? connection : null;
    }

    /** Calls for each connection. */
    void forEach(Consumer<RdmaConnection> action) {
        for (RdmaConnection connection : connections) {
            if (connection != null) {
                action.accept(connection);
            }
        }
    }
}
