/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs;

import java.io.IOException;

/** Verbs cannot be used on this machine or in this virtual machine. The message has the cause and the fix. */
public class VerbsUnavailableException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message cause and fix, for a user
     */
    public VerbsUnavailableException(String message) {
        super(message);
    }

    /**
     * Creates the exception.
     *
     * @param message cause and fix, for a user
     * @param cause what was thrown below
     */
    public VerbsUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
