/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rules;

/** Rules that cannot be used. The message begins with the source, the line and the column, and says what to write. */
public final class RuleMistakeException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    RuleMistakeException(Position position, String what) {
        super("rsockets4j: " + position + ": " + what);
    }

    RuleMistakeException(String source, String what, Throwable cause) {
        super("rsockets4j: " + source + ": " + what, cause);
    }
}
