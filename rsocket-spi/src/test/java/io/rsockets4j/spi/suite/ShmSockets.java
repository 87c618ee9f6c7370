/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import io.rsockets4j.core.engine.Engine;
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

/** Our channels over shared memory alone: nothing falls back to TCP, so a case that passes did not pass by TCP. */
final class ShmSockets implements Sockets {
    private static final String PATHS = "rsockets4j.paths";
    private static final String PROVIDER = "java.nio.channels.spi.SelectorProvider";

    private final SelectorProvider provider;

    /** Sets the paths for the whole virtual machine, which therefore should run nothing else. */
    ShmSockets() {
        System.setProperty(PATHS, "shm");
        provider = new RSocketSelectorProvider();
        List<String> paths = Engine.instance().settings().paths();
        if (!paths.equals(List.of("shm"))) {
            throw new IllegalStateException("the engine of this virtual machine already runs with paths=" + paths);
        }
    }

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
        Set<Capability> capabilities = EnumSet.of(Capability.CHILD_JVM);
        if (Machine.HAS_IPV6) {
            capabilities.add(Capability.IPV6);
        }
        return capabilities;
    }

    @Override
    public Socket newSocket() {
        throw new UnsupportedOperationException("only the agent makes them");
    }

    @Override
    public ServerSocket newServerSocket() {
        throw new UnsupportedOperationException("only the agent makes them");
    }

    @Override
    public List<String> childOptions() {
        return List.of("-D" + PATHS + "=shm", "-D" + PROVIDER + "=" + RSocketSelectorProvider.class.getName(),
                "--add-exports", "java.base/sun.nio.ch=ALL-UNNAMED");
    }
}
