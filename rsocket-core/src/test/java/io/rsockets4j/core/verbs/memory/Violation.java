/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.memory;

/** What no correct user of the verbs does, or what only a hostile peer does. Tests look for them. */
public record Violation(Kind kind, String what) {
    public enum Kind {
        /** A send or a write with immediate found no receive. */
        RECEIVER_NOT_READY,
        /** More completions than a completion queue has entries. */
        COMPLETION_OVERFLOW,
        /** Memory was used that is not registered, or not for that. */
        ACCESS,
        /** A send was longer than the receive that it met. */
        LENGTH,
        /** Two threads were in one queue at once. */
        CONCURRENT_USE,
        /** A destroyed queue pair was used, which would be memory of somebody else by now. */
        USE_AFTER_DESTROY,
        /** Not the owner of a connection manager did what only the owner may. */
        NOT_OWNER
    }
}
