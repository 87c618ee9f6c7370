/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi;

import io.rsockets4j.core.settings.Settings;
import io.rsockets4j.spi.async.DefaultGroup;
import io.rsockets4j.spi.async.RAsynchronousChannelGroup;
import io.rsockets4j.spi.async.RAsynchronousServerSocketChannel;
import io.rsockets4j.spi.async.RAsynchronousSocketChannel;
import java.io.IOException;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.IllegalChannelGroupException;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;

/**
 * The provider of asynchronous socket channels. Installed by {@code
 * -Djava.nio.channels.spi.AsynchronousChannelProvider=io.rsockets4j.spi.RSocketAsynchronousChannelProvider} or by the
 * agent. Thread-safe.
 */
public final class RSocketAsynchronousChannelProvider extends AsynchronousChannelProvider {
    private final SelectorProvider channels;
    private final DefaultGroup defaultGroup;

    /**
     * Creates a provider.
     *
     * @throws IllegalArgumentException if a setting is unknown or cannot be parsed; the message says which
     * @throws java.util.ServiceConfigurationError if the JDK's own provider cannot be reached; the message says how to
     */
    public RSocketAsynchronousChannelProvider() {
        Settings.from(System.getProperties()); // throws here, where the JDK shows the message
        channels = new RSocketSelectorProvider();
        defaultGroup = new DefaultGroup(this, channels);
    }

    @Override
    public AsynchronousChannelGroup openAsynchronousChannelGroup(int threads, ThreadFactory factory)
            throws IOException {
        return RAsynchronousChannelGroup.fixed(this, channels, threads, factory);
    }

    @Override
    public AsynchronousChannelGroup openAsynchronousChannelGroup(ExecutorService executor, int initialSize)
            throws IOException {
        Objects.requireNonNull(executor, "'executor' is null");
        return RAsynchronousChannelGroup.on(this, channels, executor, initialSize);
    }

    @Override
    public AsynchronousServerSocketChannel openAsynchronousServerSocketChannel(AsynchronousChannelGroup group)
            throws IOException {
        return new RAsynchronousServerSocketChannel(ours(group));
    }

    @Override
    public AsynchronousSocketChannel openAsynchronousSocketChannel(AsynchronousChannelGroup group) throws IOException {
        return RAsynchronousSocketChannel.unconnected(ours(group));
    }

    private RAsynchronousChannelGroup ours(AsynchronousChannelGroup group) throws IOException {
        if (group == null) {
            return defaultGroup.get();
        }
        if (group instanceof RAsynchronousChannelGroup ours) {
            return ours;
        }
        throw new IllegalChannelGroupException();
    }
}
