/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.bell;

/** Takes the futex away, as a host does that forbids it, or gives it back. Only while nobody sleeps. */
public final class FutexSwitch {
    private static Futex kept;

    private FutexSwitch() { }

    /** Has this process sleep by futex from now on, or fails. */
    public static synchronized void on() {
        if (kept != null) {
            Futex.failure = null;
            Futex.loaded = kept;
            kept = null;
        }
        String failure = Futex.load();
        if (failure != null) {
            throw new AssertionError("no futex: " + failure);
        }
    }

    /** Has this process sleep without a futex from now on. */
    public static synchronized void off() {
        if (Futex.loaded != null) {
            kept = Futex.loaded; // cannot be loaded twice
        }
        Futex.failure = "taken away by a test";
        Futex.loaded = null;
    }
}
