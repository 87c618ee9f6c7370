/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import io.rsockets4j.spi.jdk.JdkProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The socket options of an accepted link, which has no TCP socket of its own to keep them: values that were set, and
 * for the others what the listener answers, whose options TCP inherits, or a fresh TCP socket. Thread-safe.
 */
final class LinkOptions {
    private static final int MAX_LINGER_SECONDS = 65_535;
    private static final int MAX_TRAFFIC_CLASS = 255;

    private final Map<SocketOption<?>, Object> values = new ConcurrentHashMap<>();
    private final NetworkChannel listener;

    LinkOptions(NetworkChannel listener) {
        this.listener = listener;
    }

    static Set<SocketOption<?>> supported() {
        try {
            return Defaults.channel().supportedOptions();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    <T> T get(SocketOption<T> name) throws IOException {
        check(name);
        Object value = values.get(name);
        return value == null ? inherited(name) : name.type().cast(value);
    }

    private <T> T inherited(SocketOption<T> name) throws IOException {
        if (listener.supportedOptions().contains(name)) {
            try {
                return listener.getOption(name);
            } catch (ClosedChannelException e) {
                return Defaults.channel().getOption(name);
            }
        }
        return Defaults.channel().getOption(name);
    }

    <T> void set(SocketOption<T> name, T value) throws IOException {
        check(name);
        if (value == null) {
            throw new IllegalArgumentException("Invalid option value");
        }
        values.put(name, value instanceof Integer number ? checked(name, number) : value);
    }

    private static Integer checked(SocketOption<?> name, int value) {
        if (name == StandardSocketOptions.SO_LINGER) {
            return value < 0 ? -1 : Math.min(value, MAX_LINGER_SECONDS);
        }
        boolean buffer = name == StandardSocketOptions.SO_RCVBUF || name == StandardSocketOptions.SO_SNDBUF;
        if (buffer && value < 0) {
            throw new IllegalArgumentException("Invalid send/receive buffer size");
        }
        if (name == StandardSocketOptions.IP_TOS && (value < 0 || value > MAX_TRAFFIC_CLASS)) {
            throw new IllegalArgumentException("Invalid IP_TOS value");
        }
        return value;
    }

    private static void check(SocketOption<?> name) {
        if (!supported().contains(name)) {
            throw new UnsupportedOperationException("'" + name + "' not supported");
        }
    }

    /** One TCP socket of the process that nobody changes. */
    private static final class Defaults {
        private static volatile SocketChannel channel; // written under the class' monitor

        private Defaults() { }

        static SocketChannel channel() throws IOException {
            SocketChannel made = channel;
            return made != null ? made : open();
        }

        private static synchronized SocketChannel open() throws IOException {
            if (channel == null) {
                channel = JdkProvider.get().openSocketChannel();
            }
            return channel;
        }
    }
}
