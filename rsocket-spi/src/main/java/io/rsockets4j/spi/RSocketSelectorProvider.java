/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi;

import io.rsockets4j.core.engine.Engine;
import io.rsockets4j.spi.channel.RServerSocketChannel;
import io.rsockets4j.spi.channel.RSocketChannel;
import io.rsockets4j.spi.jdk.JdkProvider;
import io.rsockets4j.spi.selector.RSelector;
import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.channels.Channel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;

/**
 * The selector provider: TCP socket channels and selectors are ours, everything else is the JDK's, and everything where
 * {@link Engine#isBarred}. Installed by {@code
 * -Djava.nio.channels.spi.SelectorProvider=io.rsockets4j.spi.RSocketSelectorProvider} or by the agent. Thread-safe.
 */
public final class RSocketSelectorProvider extends SelectorProvider {
    private final SelectorProvider jdk;

    /**
     * Creates a provider. The engine starts with the first channel, because its fabrics open channels of the JDK's by
     * the installed provider, which is this one.
     *
     * @throws IllegalArgumentException if a setting or a rule cannot be used; the message says which
     * @throws java.util.ServiceConfigurationError if the JDK's own provider cannot be reached; the message says how to
     */
    public RSocketSelectorProvider() {
        Engine.check(); // throws here, where the JDK shows the message
        jdk = JdkProvider.get();
    }

    @Override
    public SocketChannel openSocketChannel() throws IOException {
        return Engine.isBarred() ? jdk.openSocketChannel() : RSocketChannel.unconnected(this, Engine.instance(), null);
    }

    @Override
    public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
        return isInternet(family) && !Engine.isBarred() ? RSocketChannel.unconnected(this, Engine.instance(), family)
                : jdk.openSocketChannel(family);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() throws IOException {
        return Engine.isBarred() ? jdk.openServerSocketChannel()
                : new RServerSocketChannel(this, Engine.instance(), null);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
        return isInternet(family) && !Engine.isBarred() ? new RServerSocketChannel(this, Engine.instance(), family)
                : jdk.openServerSocketChannel(family);
    }

    @Override
    public AbstractSelector openSelector() throws IOException {
        boolean onlyJdkChannels = Engine.isBarred() && !Engine.isStarted();
        return onlyJdkChannels ? jdk.openSelector()
                : new RSelector(this, Engine.instance().spinPolicy(), Engine.instance().lendBell());
    }

    @Override
    public DatagramChannel openDatagramChannel() throws IOException {
        return jdk.openDatagramChannel();
    }

    @Override
    public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
        return jdk.openDatagramChannel(family);
    }

    @Override
    public Pipe openPipe() throws IOException {
        return jdk.openPipe();
    }

    /** The JDK's channel: whoever handed it to this process speaks TCP, UDP or Unix sockets. */
    @Override
    public Channel inheritedChannel() throws IOException {
        return jdk.inheritedChannel();
    }

    private static boolean isInternet(ProtocolFamily family) {
        Objects.requireNonNull(family, "'family' is null");
        return family == StandardProtocolFamily.INET || family == StandardProtocolFamily.INET6;
    }
}
