/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi;

import io.rsockets4j.core.engine.Engine;
import io.rsockets4j.core.engine.EngineHolder;
import io.rsockets4j.spi.channel.ChannelDoor;
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
        return Engine.isBarred() ? jdk.openSocketChannel() : Ours.channel(this, null);
    }

    @Override
    public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
        return isInternet(family) && !Engine.isBarred() ? Ours.channel(this, family)
                : jdk.openSocketChannel(family);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() throws IOException {
        return Engine.isBarred() ? jdk.openServerSocketChannel() : Ours.server(this, null);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
        return isInternet(family) && !Engine.isBarred() ? Ours.server(this, family)
                : jdk.openServerSocketChannel(family);
    }

    @Override
    public AbstractSelector openSelector() throws IOException {
        boolean onlyUnixSockets = Engine.isBarred() && !Engine.isStarted();
        return onlyUnixSockets ? jdk.openSelector() : Ours.selector(this);
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

    /** Loaded with the first channel or selector: the provider alone is needed for Unix-domain sockets as well. */
    private static final class Ours {
        static {
            ChannelDoor.open(); // before the engine starts, which loads the classes that this changes
        }

        private Ours() { }

        static SocketChannel channel(SelectorProvider provider, ProtocolFamily family) {
            return RSocketChannel.unconnected(provider, EngineHolder.instance(), family);
        }

        static ServerSocketChannel server(SelectorProvider provider, ProtocolFamily family) throws IOException {
            return new RServerSocketChannel(provider, EngineHolder.instance(), family);
        }

        static AbstractSelector selector(SelectorProvider provider) throws IOException {
            return new RSelector(provider, EngineHolder.instance().spinPolicy(), EngineHolder.instance().lendBell());
        }
    }
}
