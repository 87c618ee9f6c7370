/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import io.rsockets4j.core.bell.FutexSwitch;
import io.rsockets4j.core.engine.ConnectionInfo;
import io.rsockets4j.core.engine.Engine;
import io.rsockets4j.spi.RSocketAsynchronousChannelProvider;
import io.rsockets4j.spi.RSocketSelectorProvider;
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
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Our channels at both ends or at one. Chooses the paths and a shared directory for the whole virtual machine, which
 * therefore can have only one of these.
 */
final class OurSockets implements Sockets {
    private static final String PATHS = "rsockets4j.paths";
    private static final String DIRECTORY = "rsockets4j.shm.dir";
    private static final String BINDING = "rsockets4j.rdma.binding";
    private static final String MEMORY = "memory";
    private static final String RDMA = "rdma";

    /** Which end is ours. */
    private enum Ends { BOTH, CLIENT, SERVER }

    private final String name;
    private final Ends ends;
    private final SharedDirectory directory = new SharedDirectory();
    private final SelectorProvider ours;
    private final SelectorProvider plain = new TcpSockets().provider();
    private final AsynchronousChannelProvider asyncOurs;
    private final AsynchronousChannelProvider asyncPlain = new TcpSockets().asyncProvider();

    private OurSockets(String name, String paths, Ends ends) {
        this.name = name;
        this.ends = ends;
        System.setProperty(PATHS, paths);
        System.setProperty(DIRECTORY, directory.toString());
        ours = new RSocketSelectorProvider();
        asyncOurs = new RSocketAsynchronousChannelProvider();
        List<String> active = Engine.instance().settings().paths();
        if (!String.join(",", active).equals(paths)) {
            throw new IllegalStateException("the engine of this virtual machine already runs with paths=" + active);
        }
    }

    /** Shared memory alone: nothing falls back, so a case that passes did not pass by TCP. */
    static OurSockets shm() {
        FutexSwitch.on(); // else only sleeps after the first few go by it
        return new OurSockets("shm", "shm", Ends.BOTH);
    }

    /** Shared memory alone, on a host that forbids futexes to this process. */
    static OurSockets shmWithoutFutex() {
        FutexSwitch.off();
        return new OurSockets("shm-without-futex", "shm", Ends.BOTH);
    }

    /** RDMA alone, on a machine that has a device with the addresses that the cases use. */
    static OurSockets rdma() {
        return new OurSockets(RDMA, RDMA, Ends.BOTH);
    }

    /** RDMA alone, over verbs in this process's memory, which other processes cannot reach. */
    static OurSockets rdmaInMemory() {
        System.setProperty(BINDING, MEMORY);
        return new OurSockets("rdma-memory", RDMA, Ends.BOTH);
    }

    /** RDMA while it works, else TCP. */
    static OurSockets rdmaOrTcp() {
        return new OurSockets("rdma,tcp", "rdma,tcp", Ends.BOTH);
    }

    /** What users get who configure nothing. */
    static OurSockets byDefault() {
        return new OurSockets("shm,tcp", "shm,tcp", Ends.BOTH);
    }

    /** Our clients, plain servers: every connection falls back to TCP. */
    static OurSockets toPlainServers() {
        return new OurSockets("our-client", "shm,tcp", Ends.CLIENT);
    }

    /** Plain clients, our servers: every connection is accepted from TCP. */
    static OurSockets fromPlainClients() {
        return new OurSockets("our-server", "shm,tcp", Ends.SERVER);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public SelectorProvider provider() {
        return ours;
    }

    @Override
    public SelectorProvider clientProvider() {
        return ends == Ends.SERVER ? plain : ours;
    }

    @Override
    public SelectorProvider serverProvider() {
        return ends == Ends.CLIENT ? plain : ours;
    }

    @Override
    public AsynchronousChannelProvider asyncProvider() {
        return asyncOurs;
    }

    @Override
    public AsynchronousChannelProvider asyncClientProvider() {
        return ends == Ends.SERVER ? asyncPlain : asyncOurs;
    }

    @Override
    public AsynchronousChannelProvider asyncServerProvider() {
        return ends == Ends.CLIENT ? asyncPlain : asyncOurs;
    }

    @Override
    public Set<Capability> capabilities() {
        Set<Capability> capabilities = EnumSet.noneOf(Capability.class);
        capabilities.addAll(Machine.capabilities());
        if (!MEMORY.equals(System.getProperty(BINDING))) {
            capabilities.addAll(Set.of(Capability.CHILD_JVM, Capability.ALLOCATES_NOTHING));
        }
        if (!RDMA.equals(System.getProperty(PATHS))) {
            capabilities.addAll(Set.of(Capability.LOOPBACK, Capability.SMALL_BUFFERS, Capability.THOUSAND_CONNECTIONS,
                    Capability.URGENT_DATA, Capability.FULL_BACKLOG_BLOCKS));
        }
        if (capabilities.contains(Capability.LOOPBACK) || !Machine.secondAddress().isLoopbackAddress()) {
            capabilities.add(Capability.SECOND_ADDRESS);
        }
        if (ends != Ends.BOTH) {
            capabilities.add(Capability.FULL_BACKLOG_BLOCKS);
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

    /** Child processes are what this one is not, where only one end is ours. */
    @Override
    public List<String> childOptions() {
        return ends == Ends.CLIENT ? List.of() : ourOptions();
    }

    /** @return the options of a virtual machine whose channels are ours, on the same paths */
    List<String> ourOptions() {
        List<String> options = new ArrayList<>();
        options.add("-D" + PATHS + "=" + System.getProperty(PATHS));
        options.add("-D" + DIRECTORY + "=" + directory);
        options.add("-Djava.nio.channels.spi.SelectorProvider=" + RSocketSelectorProvider.class.getName());
        options.addAll(List.of("--add-exports", "java.base/sun.nio.ch=ALL-UNNAMED",
                "--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED"));
        return options;
    }

    /** @return how many connection ends of this process went by a path so far */
    long count(String path) {
        return Engine.instance().counts().of(path);
    }

    /** @return the connections of this process that are open now */
    Collection<ConnectionInfo> connections() {
        return Engine.instance().connections().live();
    }

    @Override
    public Set<Path> files() throws IOException {
        return directory.files();
    }
}
