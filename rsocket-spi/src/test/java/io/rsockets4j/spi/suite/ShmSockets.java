/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import io.rsockets4j.core.engine.Engine;
import io.rsockets4j.spi.RSocketSelectorProvider;
import io.rsockets4j.spi.suite.kit.Capability;
import io.rsockets4j.spi.suite.kit.Machine;
import io.rsockets4j.spi.suite.kit.Sockets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Our channels over shared memory alone: nothing falls back to TCP, so a case that passes did not pass by TCP. */
final class ShmSockets implements Sockets {
    private static final String PATHS = "rsockets4j.paths";
    private static final String DIRECTORY = "rsockets4j.shm.dir";
    private static final String PROVIDER = "java.nio.channels.spi.SelectorProvider";

    private final Path directory;
    private final SelectorProvider provider;

    /** Sets the paths for the whole virtual machine, which therefore should run nothing else. */
    ShmSockets() {
        directory = createDirectory();
        System.setProperty(PATHS, "shm");
        System.setProperty(DIRECTORY, directory.toString());
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
        return List.of("-D" + PATHS + "=shm", "-D" + DIRECTORY + "=" + directory,
                "-D" + PROVIDER + "=" + RSocketSelectorProvider.class.getName(),
                "--add-exports", "java.base/sun.nio.ch=ALL-UNNAMED");
    }

    @Override
    public Set<Path> files() throws IOException {
        return files(directory);
    }

    static Set<Path> files(Path directory) throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            return paths.filter(path -> !Files.isDirectory(path)).collect(Collectors.toSet());
        }
    }

    /** A directory of its own, so that tests which run at the same time do not meet. */
    static Path createDirectory() {
        Path memory = Path.of("/dev/shm");
        Path parent = Files.isDirectory(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir"));
        try {
            Path directory = Files.createTempDirectory(parent, "suite");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(directory), "delete-" + directory));
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path directory) {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
