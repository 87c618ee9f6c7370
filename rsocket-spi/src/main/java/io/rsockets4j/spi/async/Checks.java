/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import java.nio.ByteBuffer;
import java.nio.channels.CompletionHandler;
import java.util.Objects;

/** Checks of arguments, in the JDK's words. */
final class Checks {
    private Checks() { }

    static void requireHandler(CompletionHandler<?, ?> handler) {
        Objects.requireNonNull(handler, "'handler' is null");
    }

    static void checkWritable(ByteBuffer dst) {
        if (dst.isReadOnly()) {
            throw new IllegalArgumentException("Read-only buffer");
        }
    }
}
