/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Finds the session of a completion by the tag in its work request's id. A tag is used again only after 65,536 other
 * sessions with the same index, so that what is left of a destroyed queue pair finds nobody.
 */
final class SessionTable {
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Integer> free = new ArrayDeque<>(); // guarded by lock
    private volatile RdmaSession[] sessions = new RdmaSession[0]; // elements are written under lock
    private int[] generations = new int[0]; // guarded by lock
    private int size; // guarded by lock

    /** Takes a tag for a new session. */
    long reserve() {
        lock.lock();
        try {
            Integer index = free.poll();
            if (index == null) {
                index = size++;
                if (index == sessions.length) {
                    int length = Math.max(16, 2 * index);
                    generations = Arrays.copyOf(generations, length);
                    sessions = Arrays.copyOf(sessions, length);
                }
            }
            return WorkRequestIds.tag(index, ++generations[index]);
        } finally {
            lock.unlock();
        }
    }

    /** Makes a session known by its tag, before anything is posted for it. */
    void add(RdmaSession session) {
        lock.lock();
        try {
            sessions[WorkRequestIds.index(session.tag())] = session;
        } finally {
            lock.unlock();
        }
    }

    /** Forgets a tag. The caller holds the lock of the poller that serves it. */
    void remove(long tag) {
        lock.lock();
        try {
            int index = WorkRequestIds.index(tag);
            sessions[index] = null;
            free.addLast(index); // the longest unused first
        } finally {
            lock.unlock();
        }
    }

    /** The session with a tag, or null when it has gone. */
    RdmaSession get(long tag) {
        RdmaSession[] all = sessions;
        int index = WorkRequestIds.index(tag);
        RdmaSession session = index < all.length ? all[index] : null;
        return session != null && session.tag() == tag ? session : null;
    }

    /** Calls for each session. */
    void forEach(Consumer<RdmaSession> action) {
        for (RdmaSession session : sessions) {
            if (session != null) {
                action.accept(session);
            }
        }
    }
}
