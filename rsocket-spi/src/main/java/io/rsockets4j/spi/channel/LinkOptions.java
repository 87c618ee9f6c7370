/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import io.rsockets4j.spi.jdk.ConnectedBuffers;
import io.rsockets4j.spi.jdk.JdkProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The socket options of an accepted link, which has no TCP socket of its own to keep them: values that were set, else
 * what TCP would have inherited from the listener, else what a fresh TCP socket answers. Thread-safe.
 */
final class LinkOptions {
    private final Map<SocketOption<?>, Object> values = new ConcurrentHashMap<>();
    private final Map<SocketOption<?>, Object> inherited;

    /**
     * Begins with nothing set.
     *
     * @param inherited the listener's values at the time of the accept; never changed
     */
    LinkOptions(Map<SocketOption<?>, Object> inherited) {
        this.inherited = inherited;
    }

    static Set<SocketOption<?>> supported() {
        try {
            return Defaults.channel().supportedOptions();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Refuses options that no TCP socket has. */
    static void check(SocketOption<?> name) {
        Objects.requireNonNull(name);
        if (!supported().contains(name)) {
            throw new UnsupportedOperationException("'" + name + "' not supported");
        }
    }

    /** Refuses what no TCP socket takes, in whatever state it is. */
    static void check(SocketOption<?> name, Object value) {
        check(name);
        if (!name.type().isInstance(value)) {
            throw new IllegalArgumentException("Invalid value '" + value + "'");
        }
    }

    <T> T get(SocketOption<T> name) throws IOException {
        Object value = values.getOrDefault(name, inherited.get(name));
        if (value == null) {
            value = ConnectedBuffers.isSize(name) ? (Object) ConnectedBuffers.get(name, true)
                    : Defaults.channel().getOption(name);
        }
        return name.type().cast(value);
    }

    /** Keeps what a TCP socket would keep: the kernel rounds some values, and refuses others. */
    <T> void set(SocketOption<T> name, T value) throws IOException {
        if (name == StandardSocketOptions.TCP_NODELAY) { // set by every other server, on each accept
            values.put(name, value);
            return;
        }
        try (SocketChannel scratch = JdkProvider.get().openSocketChannel()) {
            scratch.setOption(name, value);
            values.put(name, scratch.getOption(name));
        }
    }

    /** One TCP socket of the process that nobody changes. */
    private static final class Defaults {
        private static final ReentrantLock LOCK = new ReentrantLock();
        private static volatile SocketChannel channel; // written under LOCK

        private Defaults() { }

        static SocketChannel channel() throws IOException {
            SocketChannel made = channel;
            return made != null ? made : open();
        }

        private static SocketChannel open() throws IOException {
            LOCK.lock();
            try {
                if (channel == null) {
                    channel = JdkProvider.get().openSocketChannel();
                }
                return channel;
            } finally {
                LOCK.unlock();
            }
        }
    }
}
