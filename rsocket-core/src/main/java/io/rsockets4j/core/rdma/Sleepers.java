/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

/**
 * Who has gone to sleep until a connection of a {@link CompletionPoller} brings something, and whom all of late was
 * for. Changed under the poller's lock; read without by the completion thread, and by who wants to lead.
 */
final class Sleepers {
    private static final int LONE_AFTER = 4;

    private volatile int marked; // written under lock
    private volatile boolean areNew; // someone went to sleep since settle; written under lock
    private volatile boolean anywhere; // the same, for more than one connection; written under lock
    private volatile Mark lone; // whose connection alone brings something of late; written under lock
    private Mark last; // guarded by lock: whose connection was the last to bring something
    private int inARow; // guarded by lock: so many times before

    /** A connection's: someone sleeps until it brings something. Guarded by the lock. */
    static final class Mark {
        private boolean set;
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

    /** A connection has brought something, and who waited for it has been rung. Under the lock. */
    void rung(Mark mark) {
        remove(mark);
        inARow = mark == last ? inARow + 1 : 0;
        last = mark;
        if (inARow < LONE_AFTER) {
            lone = null;
        } else if (lone == null) {
            lone = mark;
        }
    }

    /** Nobody waits for this connection any more. Under the lock. */
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

    /** Whether someone has to be woken, or may have to. */
    boolean areThere() {
        return marked > 0 || anywhere;
    }

    /** Whether of late all was for this connection, and nobody sleeps. */
    boolean isLone(Mark mark) {
        return lone == mark && marked == 0;
    }

    /** The completion thread takes note of them. Returns whether all have been rung. Under the lock. */
    boolean settle() {
        boolean allRung = marked == 0 && !anywhere;
        areNew = false;
        anywhere = false;
        return allRung;
    }
}
