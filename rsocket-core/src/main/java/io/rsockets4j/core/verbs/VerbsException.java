/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs;

import java.io.IOException;

/** A verb failed. The message names the verb, the error's name and its number. */
public class VerbsException extends IOException {
    private static final long serialVersionUID = 1L;
    private static final int ENOMEM = 12;
    private static final int EADDRINUSE = 98;

    private final int errno;

    /**
     * Creates the exception.
     *
     * @param verb the function that failed, such as {@code ibv_reg_mr}
     * @param errno the error number of the operating system, or 0 when there is none
     * @param text what that number means
     */
    public VerbsException(String verb, int errno, String text) {
        super(verb + ": " + text + (errno == 0 ? "" : " (errno " + errno + ")"));
        this.errno = errno;
    }

    /**
     * The error number.
     *
     * @return as in errno.h, or 0
     */
    public int errno() {
        return errno;
    }

    /**
     * Whether there is no memory, or this process may pin no more of it.
     *
     * @return true for ENOMEM
     */
    public boolean isOutOfMemory() {
        return errno == ENOMEM;
    }

    /**
     * Whether somebody has the port.
     *
     * @return true for EADDRINUSE
     */
    public boolean isAddressInUse() {
        return errno == EADDRINUSE;
    }
}
