/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.stream;

import io.rsockets4j.spi.jdk.ConnectedBuffers;
import io.rsockets4j.spi.jdk.JdkProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The socket options of an accepted link, which has no TCP socket of its own to keep them: values that were set, else
 * what TCP would have inherited from the listener, else what a fresh TCP socket answers. Thread-safe.
 */
public final class AcceptedOptions {
    private static final int MAX_LINGER_SECONDS = 65_535;

    private final Map<SocketOption<?>, Object> values = new ConcurrentHashMap<>();
    private final Map<SocketOption<?>, Object> inherited;

    /**
     * Begins with nothing set.
     *
     * @param inherited the listener's values at the time of the accept; never changed
     */
    public AcceptedOptions(Map<SocketOption<?>, Object> inherited) {
        this.inherited = inherited;
    }

    /**
     * The options of any TCP socket channel. The first call opens one.
     *
     * @return as {@link SocketChannel#supportedOptions}
     */
    public static Set<SocketOption<?>> supported() {
        try {
            return Defaults.channel().supportedOptions();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Answers an option.
     *
     * @param <T> its type
     * @param name a supported one
     * @return its value
     * @throws IOException if no socket can be had
     */
    public <T> T get(SocketOption<T> name) throws IOException {
        Object value = values.getOrDefault(name, inherited.get(name));
        if (value == null) {
            value = ConnectedBuffers.isSize(name) ? (Object) ConnectedBuffers.get(name, true)
                    : Defaults.channel().getOption(name);
        }
        return name.type().cast(value);
    }

    /**
     * Keeps what a TCP socket would keep: the kernel rounds some values, and refuses others. Those that servers set on
     * each accept are kept as they are, without a call.
     *
     * @param <T> its type
     * @param name a supported one
     * @param value of that type
     * @throws IOException if the kernel refuses it
     */
    public <T> void set(SocketOption<T> name, T value) throws IOException {
        if (name == StandardSocketOptions.TCP_NODELAY || name == StandardSocketOptions.SO_KEEPALIVE) {
            values.put(name, value);
        } else if (name == StandardSocketOptions.SO_LINGER) {
            int seconds = (Integer) value;
            values.put(name, seconds < 0 ? -1 : Math.min(seconds, MAX_LINGER_SECONDS));
        } else {
            try (SocketChannel scratch = JdkProvider.get().openSocketChannel()) {
                scratch.setOption(name, value);
                values.put(name, scratch.getOption(name));
            }
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
