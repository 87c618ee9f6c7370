/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm.ring;

import java.net.SocketException;

/** The peer published what cannot be, as a counter that ran backwards or past the ring. The connection is lost. */
public final class RingCorruptedException extends SocketException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param counter which counter
     * @param value what the peer published
     * @param min the least value that would be right
     * @param max the greatest value that would be right
     */
    public RingCorruptedException(String counter, long value, long min, long max) {
        super("Connection reset: the peer's " + counter + "=" + value + " is outside " + min + " to " + max);
    }
}
