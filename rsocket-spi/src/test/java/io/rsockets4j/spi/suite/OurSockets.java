/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import io.rsockets4j.core.bell.FutexSwitch;
import io.rsockets4j.core.engine.ConnectionInfo;
import io.rsockets4j.core.engine.EngineHolder;
import io.rsockets4j.core.settings.Settings;
import io.rsockets4j.spi.RSocketAsynchronousChannelProvider;
import io.rsockets4j.spi.RSocketSelectorProvider;
import io.rsockets4j.spi.suite.kit.Capability;
import io.rsockets4j.spi.suite.kit.EngineSettings;
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

/** Our channels at both ends or at one, on the paths that the {@link EngineSettings} of the test class name. */
final class OurSockets implements Sockets {
    /** Which end is ours. */
    private enum Ends { BOTH, CLIENT, SERVER }

    private final String name;
    private final Ends ends;
    private final SelectorProvider ours = new RSocketSelectorProvider();
    private final SelectorProvider plain = new TcpSockets().provider();
    private final AsynchronousChannelProvider asyncOurs = new RSocketAsynchronousChannelProvider();
    private final AsynchronousChannelProvider asyncPlain = new TcpSockets().asyncProvider();

    private OurSockets(String name, Ends ends) {
        this.name = name;
        this.ends = ends;
        if (settings().asksBeside()) {
            throw new IllegalStateException("the test class names no paths by @EngineSettings");
        }
    }

    private static Settings settings() {
        return EngineHolder.instance().settings();
    }

    private static String paths() {
        return String.join(",", settings().paths());
    }

    private static boolean isInMemory() {
        return settings().rdmaBinding().equals("memory");
    }

    /** Ours at both ends: where the settings name one path alone, a case that passes did not pass by another. */
    static OurSockets atBothEnds() {
        return new OurSockets(isInMemory() ? paths() + "-memory" : paths(), Ends.BOTH);
    }

    /** On a host that allows futexes, or the test fails. */
    static OurSockets withFutex() {
        FutexSwitch.on(); // else only sleeps after the first few go by it
        return atBothEnds();
    }

    /** On a host that forbids futexes to this process. */
    static OurSockets withoutFutex() {
        FutexSwitch.off();
        return new OurSockets(paths() + "-without-futex", Ends.BOTH);
    }

    /** Our clients, plain servers: every connection falls back to TCP. */
    static OurSockets toPlainServers() {
        return new OurSockets("our-client", Ends.CLIENT);
    }

    /** Plain clients, our servers: every connection is accepted from TCP. */
    static OurSockets fromPlainClients() {
        return new OurSockets("our-server", Ends.SERVER);
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
        if (!isInMemory()) {
            capabilities.addAll(Set.of(Capability.CHILD_JVM, Capability.ALLOCATES_NOTHING));
        }
        if (!paths().equals("rdma")) {
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
        options.add("-Drsockets4j.paths=" + paths());
        options.add("-Drsockets4j.shm.dir=" + settings().shmDirectory());
        options.add("-Djava.nio.channels.spi.SelectorProvider=" + RSocketSelectorProvider.class.getName());
        options.addAll(List.of("--add-exports", "java.base/sun.nio.ch=ALL-UNNAMED",
                "--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED"));
        return options;
    }

    /** @return how many connection ends of this process went by a path so far */
    long count(String path) {
        return EngineHolder.instance().counts().of(path);
    }

    /** @return the connections of this process that are open now */
    Collection<ConnectionInfo> connections() {
        return EngineHolder.instance().connections().live();
    }

    @Override
    public Set<Path> files() throws IOException {
        return SharedDirectory.filesIn(Path.of(settings().shmDirectory()));
    }
}
