/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import io.rsockets4j.spi.suite.kit.Capability;
import io.rsockets4j.spi.suite.kit.Machine;
import io.rsockets4j.spi.suite.kit.Sockets;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.nio.channels.spi.SelectorProvider;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import sun.nio.ch.DefaultAsynchronousChannelProvider;
import sun.nio.ch.DefaultSelectorProvider;

/** The JDK's own sockets: the oracle. */
final class TcpSockets implements Sockets {
    private static final AsynchronousChannelProvider ASYNC = DefaultAsynchronousChannelProvider.create();

    @Override
    public String name() {
        return "tcp";
    }

    @Override
    public SelectorProvider provider() {
        return DefaultSelectorProvider.get();
    }

    @Override
    public AsynchronousChannelProvider asyncProvider() {
        return ASYNC;
    }

    @Override
    public Set<Capability> capabilities() {
        Set<Capability> capabilities = EnumSet.complementOf(
                EnumSet.of(Capability.IPV6, Capability.VIRTUAL_THREADS, Capability.TODAYS_HELPERS));
        capabilities.addAll(Machine.capabilities());
        if (Runtime.version().feature() < 21) {
            capabilities.remove(Capability.HELPERS); // the JDK's streams shared a lock
        }
        return capabilities;
    }

    @Override
    public Socket newSocket() {
        return new Socket();
    }

    @Override
    public ServerSocket newServerSocket() throws IOException {
        return new ServerSocket();
    }

    @Override
    public List<String> childOptions() {
        return List.of();
    }
}
