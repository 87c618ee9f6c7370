/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.stream;

import java.io.IOException;
import java.net.SocketException;

/** Failures of links as those of sockets. */
public final class SocketExceptions {
    private SocketExceptions() { }

    /**
     * The same failure, as sockets tell it.
     *
     * @param cause from a link
     * @return {@code cause} if it is a SocketException
     */
    public static SocketException of(IOException cause) {
        if (cause instanceof SocketException same) {
            return same;
        }
        SocketException result = new SocketException(cause.getMessage());
        if (cause.getClass() != IOException.class) { // tells more than its message
            result.initCause(cause);
        }
        return result;
    }
}
