/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.direct;

import java.net.SocketException;

/** The peer sent an impossible advert, count or piece of data. The connection is lost. */
public final class DirectCorruptedException extends SocketException {
    private static final long serialVersionUID = 1L;

    DirectCorruptedException(String what, long value, long min, long max) {
        super("Connection reset: the peer's " + what + "=" + value + " is outside " + min + " to " + max);
    }
}
