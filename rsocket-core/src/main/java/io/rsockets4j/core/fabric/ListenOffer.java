/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

/**
 * A listener on one fabric. A thread that spins for connects may attend to them itself, so that peers need not ring
 * and no other thread need wake: {@link #attend}, then {@link #serve} again and again, then {@link #leave}.
 */
public interface ListenOffer extends AutoCloseable {
    /** The calling thread begins to look for connects. */
    void attend();

    /** Takes connects that have been requested; cheap when there are none. */
    void serve();

    /** The calling thread looks no more; connects requested meanwhile are taken. */
    void leave();

    /** Withdraws the listener. Idempotent. */
    @Override
    void close();
}
