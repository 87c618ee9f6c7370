/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

/**
 * Someone who sleeps until a {@link Link} or a {@link Listener} becomes ready.
 *
 * <p>Rings are hints: they may be late or spurious, so a waiter looks at its own condition. Whoever arms must look once
 * more before sleeping (store the arm, full fence, load the condition); the ringing side does the mirror image.
 */
public interface Waiter {
    /**
     * Something that this waiter was armed for may be ready. Called by the engine's doorbell thread, a closing
     * thread, or one that accepts; must return quickly, must not block and must not throw.
     *
     * @param source the {@link Link} or {@link Listener} concerned
     */
    void ring(Object source);

    /**
     * The bell that peers ring for this waiter.
     *
     * @return its number, or 0: they ring the service thread of this process, which calls {@link #ring}
     */
    default int bell() {
        return 0;
    }
}
