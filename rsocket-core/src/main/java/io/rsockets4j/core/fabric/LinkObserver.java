/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

/**
 * Hears when a {@link Link} is held up: where a thread or a selector begins to wait, or is about to call the kernel,
 * and never while bytes flow. Any thread; methods neither block nor throw.
 */
public interface LinkObserver {
    /** Wants to know of nothing. */
    LinkObserver NONE = new LinkObserver() {
        @Override
        public Runnable onStall() {
            return null;
        }

        @Override
        public Runnable onWake() {
            return null;
        }
    };

    /**
     * This side is out of credit, and someone begins to wait for it.
     *
     * @return what to run when nobody waits any more, or null
     */
    Runnable onStall();

    /**
     * This side wakes a peer who waits for bytes or for credit.
     *
     * @return what to run afterwards if the peer had to be woken, or null
     */
    Runnable onWake();
}
