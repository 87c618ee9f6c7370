/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

/**
 * The links for which a peer process has left a note in shared memory: whoever looks first wakes their waiters.
 * Thread-safe.
 */
public interface RungLinks {
    /**
     * Whether there are notes.
     *
     * @return true when {@link #collect} would find some
     */
    boolean isRung();

    /** Takes the notes, and wakes the waiters of each link that is named. */
    void collect();

    /**
     * Whether the peer has gone, so that no more notes come.
     *
     * @return once true, always
     */
    boolean isOver();

    /**
     * Looks whether the peer has taken back memory that it shares. If so, it is made anew, the peer's connections are
     * reset, and no access is a fault any more.
     *
     * @return whether that was, or is, so
     */
    boolean mend();
}
