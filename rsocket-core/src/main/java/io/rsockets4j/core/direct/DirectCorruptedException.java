/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.direct;

import java.io.IOException;

/** The peer sent an impossible advert or piece of data. The connection is lost. */
public final class DirectCorruptedException extends IOException {
    private static final long serialVersionUID = 1L;

    DirectCorruptedException(String what, long value, long min, long max) {
        super("the peer's " + what + "=" + value + " is outside " + min + " to " + max);
    }

    static void check(String what, long value, long min, long max) throws DirectCorruptedException {
        if (value < min || value > max) {
            throw new DirectCorruptedException(what, value, min, max);
        }
    }
}
