/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import io.rsockets4j.agent.Agent;
import io.rsockets4j.core.engine.EngineHolder;
import io.rsockets4j.spi.suite.kit.Capability;
import io.rsockets4j.spi.suite.kit.Machine;
import io.rsockets4j.spi.suite.kit.SharedDirectory;
import io.rsockets4j.spi.suite.kit.Sockets;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What every program gets in a JVM with the agent, over shared memory alone. */
final class AgentSockets implements Sockets {
    private static final String JAR = System.getProperty("jar.under.test");

    private final String directory = EngineHolder.instance().settings().shmDirectory();

    AgentSockets() {
        boolean loaded = List.of("shm").equals(EngineHolder.instance().settings().paths())
                && Agent.class.getProtectionDomain().getCodeSource().getLocation().getPath().equals(JAR);
        if (!loaded) {
            throw new IllegalStateException("this JVM does not run with the agent of " + JAR + " and paths=shm");
        }
    }

    @Override
    public String name() {
        return "agent";
    }

    @Override
    public SelectorProvider provider() {
        return SelectorProvider.provider();
    }

    @Override
    public AsynchronousChannelProvider asyncProvider() {
        return AsynchronousChannelProvider.provider();
    }

    @Override
    public Set<Capability> capabilities() {
        Set<Capability> capabilities = EnumSet.of(Capability.SOCKET, Capability.CHILD_JVM, Capability.URGENT_DATA,
                Capability.HELPERS, Capability.SMALL_BUFFERS, Capability.LOOPBACK, Capability.SECOND_ADDRESS,
                Capability.THOUSAND_CONNECTIONS, Capability.ALLOCATES_NOTHING, Capability.FULL_BACKLOG_BLOCKS);
        capabilities.addAll(Machine.capabilities());
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
        return List.of("-javaagent:" + JAR + "=paths=shm,shm.dir=" + directory);
    }

    @Override
    public Set<Path> files() throws IOException {
        return SharedDirectory.filesIn(Path.of(directory));
    }
}
