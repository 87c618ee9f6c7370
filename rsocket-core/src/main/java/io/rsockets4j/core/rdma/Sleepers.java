/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Who has gone to sleep until a connection of a {@link CompletionPoller} brings something. Changed under the poller's
 * lock; the completion thread reads it without.
 */
final class Sleepers {
    private final AtomicInteger marked = new AtomicInteger(); // also changed by others', where a mark goes there
    private volatile boolean areNew; // someone went to sleep since settle; written under lock
    private boolean anywhere; // guarded by lock: since settle, someone who waits for more than one connection

    /** A connection's: someone sleeps until it brings something. Guarded by the lock. */
    static final class Mark {
        private final AtomicReference<Sleepers> in = new AtomicReference<>(); // null when nobody sleeps

        /** Whether somebody sleeps, or has just been rung. Any thread. */
        boolean isSet() {
            return in.get() != null;
        }
    }

    /** Someone goes to sleep until a connection brings something. Under the lock. */
    void add(Mark mark) {
        areNew = true;
        Sleepers before = mark.in.getAndSet(this);
        if (before != this) {
            marked.incrementAndGet();
            if (before != null) { // the session has gone to another link
                before.marked.decrementAndGet();
            }
        }
    }

    /** Someone goes to sleep until any connection brings something. Under the lock. */
    void addAnywhere() {
        areNew = true;
        anywhere = true;
    }

    /** Whoever waited for this connection has been rung, or waits no more. Under the lock. */
    void remove(Mark mark) {
        if (mark.in.get() == this && mark.in.compareAndSet(this, null)) {
            marked.decrementAndGet();
        }
    }

    /** Whether someone went to sleep since {@link #settle}. */
    boolean areNew() {
        return areNew;
    }

    /** Whether someone sleeps until one of the connections brings something. */
    boolean remain() {
        return marked.get() > 0;
    }

    /** Whether nobody sleeps. Under the lock. */
    boolean areAllRung() {
        return marked.get() == 0 && !anywhere;
    }

    /** The completion thread takes note of them. Returns whether all have been rung. Under the lock. */
    boolean settle() {
        boolean allRung = areAllRung();
        areNew = false;
        anywhere = false;
        return allRung;
    }
}
