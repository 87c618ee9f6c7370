/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.reason;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.AccessDeniedException;

/** Says why a path cannot be taken, in words and by a {@link Reason}. */
public final class PathException extends IOException {
    private static final long serialVersionUID = 1L;

    /** The reason; an enum constant, so it is as serializable as the exception. */
    private final Reason reason;

    /**
     * Creates an exception.
     *
     * @param reason which kind of trouble
     * @param message what happened, with names and values
     */
    public PathException(Reason reason, String message) {
        this(reason, message, null);
    }

    /**
     * Creates an exception with its cause.
     *
     * @param reason which kind of trouble
     * @param message what happened, with names and values
     * @param cause what was caught, or null
     */
    public PathException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /**
     * The kind of trouble.
     *
     * @return never null
     */
    public Reason reason() {
        return reason;
    }

    /**
     * The reason behind any exception of a fabric: the one it carries, or its cause does, or what its type and the
     * system's message tell.
     *
     * @param failure from opening a fabric, listening or connecting
     * @return {@link Reason#FAILED} for what is unknown
     */
    public static Reason reasonOf(IOException failure) {
        for (Throwable e = failure; e != null; e = e.getCause()) {
            if (e instanceof PathException known) {
                return known.reason;
            }
        }
        String message = String.valueOf(failure.getMessage());
        if (failure instanceof AccessDeniedException || message.contains("Permission denied")) {
            return Reason.PERMISSION;
        }
        if (message.contains("No space left on device")) {
            return Reason.NO_MEMORY;
        }
        if (message.contains("Too many open files")) {
            return Reason.NO_DESCRIPTORS;
        }
        return failure instanceof SocketTimeoutException ? Reason.TIMEOUT : Reason.FAILED;
    }
}
