/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs;

import java.io.IOException;

/** A way to reach the verbs. Found by {@link java.util.ServiceLoader}. Thread-safe. */
public interface VerbsBinding {
    /**
     * The binding's name in settings and messages.
     *
     * @return for example {@code ffm}
     */
    String name();

    /**
     * Which binding is taken when several can be used and none was asked for.
     *
     * @return the greatest wins; negative ones are taken only when asked for by name
     */
    int preference();

    /**
     * Loads what the binding needs. Idempotent.
     *
     * @throws VerbsUnavailableException if it cannot be used here; the message says why and what to do
     */
    void load() throws VerbsUnavailableException;

    /**
     * Opens a connection manager with an event channel of its own.
     *
     * @return to be closed by the caller
     * @throws IOException if the kernel refuses, with the reason
     */
    ConnectionManager openConnectionManager() throws IOException;
}
