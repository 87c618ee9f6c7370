/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import io.rsockets4j.spi.RSocketSelectorProvider;
import io.rsockets4j.spi.suite.kit.Capability;
import io.rsockets4j.spi.suite.kit.Machine;
import io.rsockets4j.spi.suite.kit.Sockets;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.spi.SelectorProvider;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Our NIO doors, over shared memory within this virtual machine. */
final class ShmSockets implements Sockets {
    private final SelectorProvider provider = new RSocketSelectorProvider();

    @Override
    public String name() {
        return "shm";
    }

    @Override
    public SelectorProvider provider() {
        return provider;
    }

    @Override
    public Set<Capability> capabilities() {
        return Machine.HAS_IPV6 ? EnumSet.of(Capability.IPV6) : EnumSet.noneOf(Capability.class);
    }

    @Override
    public Socket newSocket() {
        throw new UnsupportedOperationException();
    }

    @Override
    public ServerSocket newServerSocket() {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<String> childOptions() {
        return List.of();
    }
}
