/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

/**
 * Someone who sleeps until a {@link Link} or an {@link AcceptQueue} becomes ready, or an {@link Outcome} is there.
 *
 * <p>To be woken is a hint, which may be late or spurious: a waiter looks at its own condition. Whoever arms must look
 * once more before sleeping (store the arm, full fence, load the condition); the waking side does the mirror image.
 */
public interface Waiter {
    /**
     * Something that this waiter was armed for may be ready. Called by the engine's service thread, a closing
     * thread, or one that accepts; must return quickly, must not block and must not throw.
     *
     * @param source the {@link Link}, {@link AcceptQueue} or {@link Outcome} concerned
     */
    void wake(Object source);

    /**
     * The bell that peers ring for this waiter.
     *
     * @return its number, or 0: they ring the service thread of this process, which calls {@link #wake}
     */
    default int bell() {
        return 0;
    }

    /**
     * Whoever rings that bell leaves a note first. One that collects the notes itself does so here from now on.
     *
     * @param peer where the notes lie
     */
    default void expectNotes(RungLinks peer) { }
}
