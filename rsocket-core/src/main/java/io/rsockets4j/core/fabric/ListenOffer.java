/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import java.nio.channels.ServerSocketChannel;

/**
 * A listener on one fabric. A thread that spins for connects may take them itself, so that peers need not wake
 * anybody: {@link #attend}, then {@link #serve} again and again, then {@link #leave}.
 */
public interface ListenOffer extends AutoCloseable {
    /** The calling thread begins to look for connects. */
    void attend();

    /** Takes connects that have been requested; cheap when there are none. */
    void serve();

    /** The calling thread looks no more; connects requested meanwhile are taken. */
    void leave();

    /** The calling thread is about to sleep; connects requested so far are taken, and later ones wake it. */
    default void arm() {
        serve();
    }

    /**
     * Says whom peers ring after a connect, in place of this process' service thread.
     *
     * @param bell number of a bell that this fabric lent, or 0
     */
    default void ringBell(int bell) { }

    /**
     * Says whether the backlog is full, so that connects are to wait. Must not block.
     *
     * @param full false at first
     */
    default void full(boolean full) { }

    /**
     * Watches the listener's TCP side.
     *
     * @param tcp bound, non-blocking
     * @param onClient called by a thread of the fabric; must not block
     * @return expecting nobody yet; null where this fabric cannot
     */
    default TcpWatch watch(ServerSocketChannel tcp, Runnable onClient) {
        return null;
    }

    /**
     * Looks whether a peer has taken back memory that it shares: see {@link RungLinks#mend}.
     *
     * @return false where nobody can
     */
    default boolean mend() {
        return false;
    }

    /** Withdraws the listener. Idempotent. */
    @Override
    void close();
}
