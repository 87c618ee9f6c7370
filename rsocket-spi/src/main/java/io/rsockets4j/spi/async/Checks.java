/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.CompletionHandler;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
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

    /** Refuses addresses that nothing can be bound to, in whatever state it is. */
    static void checkLocal(SocketAddress local) {
        if (local != null && !(local instanceof InetSocketAddress)) {
            throw new UnsupportedAddressTypeException();
        }
        if (local instanceof InetSocketAddress inet && inet.isUnresolved()) {
            throw new UnresolvedAddressException();
        }
    }
}
