/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.CompletionHandler;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/** Checks of arguments, in the JDK's words. */
final class Checks {
    /** What only the other channels have; the last one is the JDK's own business, for its adaptors. */
    private static final Set<String> MISSING = Set.of("SO_LINGER", "IP_TOS", "SO_OOBINLINE");

    private Checks() { }

    static void requireHandler(CompletionHandler<?, ?> handler) {
        Objects.requireNonNull(handler, "'handler' is null");
    }

    static void checkWritable(ByteBuffer dst) {
        if (dst.isReadOnly()) {
            throw new IllegalArgumentException("Read-only buffer");
        }
    }

    /** Refuses what only the other channels support; they check the rest. */
    static void checkAsynchronous(SocketOption<?> name) {
        if (MISSING.contains(name.name())) {
            throw new UnsupportedOperationException("'" + name + "' not supported");
        }
    }

    static void checkValue(Object value) {
        if (value == null) {
            throw new IllegalArgumentException("Invalid option value");
        }
    }

    /** What the JDK's asynchronous channels have of the options of its others. */
    static Set<SocketOption<?>> asynchronous(Set<SocketOption<?>> all) {
        Set<SocketOption<?>> options = new HashSet<>(all);
        options.removeIf(option -> MISSING.contains(option.name()));
        return Set.copyOf(options);
    }
}
