/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import java.io.IOException;
import java.net.SocketOption;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NetworkChannel;
import java.util.HashSet;
import java.util.Set;

/** The socket options of an asynchronous channel: those of the channel behind it, but for a few. Thread-safe. */
final class AsynchronousOptions {
    /** What only the other channels have; the last one is the JDK's own business, for its adaptors. */
    private static final Set<String> MISSING = Set.of("SO_LINGER", "IP_TOS", "SO_OOBINLINE");

    private final NetworkChannel channel;

    /**
     * Creates the options of a channel.
     *
     * @param channel has them, and checks what is not checked here
     */
    AsynchronousOptions(NetworkChannel channel) {
        this.channel = channel;
    }

    <T> void set(SocketOption<T> name, T value) throws IOException {
        requireSupported(name);
        ensureOpen();
        if (value == null) {
            throw new IllegalArgumentException("Invalid option value");
        }
        channel.setOption(name, value);
    }

    <T> T get(SocketOption<T> name) throws IOException {
        requireSupported(name);
        ensureOpen();
        return channel.getOption(name);
    }

    Set<SocketOption<?>> supported() {
        Set<SocketOption<?>> options = new HashSet<>(channel.supportedOptions());
        options.removeIf(option -> MISSING.contains(option.name()));
        return Set.copyOf(options);
    }

    private static void requireSupported(SocketOption<?> name) {
        if (MISSING.contains(name.name())) {
            throw new UnsupportedOperationException("'" + name + "' not supported");
        }
    }

    private void ensureOpen() throws ClosedChannelException {
        if (!channel.isOpen()) {
            throw new ClosedChannelException();
        }
    }
}
