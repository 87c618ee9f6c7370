/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

/**
 * Who has gone to sleep until a connection of a {@link CompletionPoller} brings something. Changed under the poller's
 * lock; the completion thread reads it without.
 */
final class Sleepers {
    private volatile int marked; // written under lock
    private volatile boolean areNew; // someone went to sleep since settle; written under lock
    private boolean anywhere; // guarded by lock: since settle, someone who waits for more than one connection

    /** A connection's: someone sleeps until it brings something. Guarded by the lock. */
    static final class Mark {
        private volatile boolean set; // written under the lock

        /** Whether somebody sleeps, or has just been rung. Any thread. */
        boolean isSet() {
            return set;
        }
    }

    /** Someone goes to sleep until a connection brings something. Under the lock. */
    void add(Mark mark) {
        areNew = true;
        if (!mark.set) {
            mark.set = true;
            marked++;
        }
    }

    /** Someone goes to sleep until any connection brings something. Under the lock. */
    void addAnywhere() {
        areNew = true;
        anywhere = true;
    }

    /** Whoever waited for this connection has been rung, or waits no more. Under the lock. */
    void remove(Mark mark) {
        if (mark.set) {
            mark.set = false;
            marked--;
        }
    }

    /** Whether someone went to sleep since {@link #settle}. */
    boolean areNew() {
        return areNew;
    }

    /** Whether someone sleeps until one of the connections brings something. */
    boolean remain() {
        return marked > 0;
    }

    /** Whether nobody sleeps. Under the lock. */
    boolean areAllRung() {
        return marked == 0 && !anywhere;
    }

    /** The completion thread takes note of them. Returns whether all have been rung. Under the lock. */
    boolean settle() {
        boolean allRung = areAllRung();
        areNew = false;
        anywhere = false;
        return allRung;
    }
}
