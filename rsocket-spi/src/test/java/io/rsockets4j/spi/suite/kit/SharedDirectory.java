/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite.kit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A directory in memory for one test JVM and its children, so that tests which run at the same time do not meet. */
public final class SharedDirectory {
    private final Path path;

    /** Makes one, which is deleted when the virtual machine ends. */
    public SharedDirectory() {
        Path memory = Path.of("/dev/shm");
        Path parent = Files.isDirectory(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir"));
        try {
            path = Files.createTempDirectory(parent, "suite");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(this::delete, "delete-" + path));
    }

    /**
     * Lists what is in it, at any depth.
     *
     * @return everything but directories
     * @throws IOException when it cannot be listed
     */
    public Set<Path> files() throws IOException {
        try (Stream<Path> paths = Files.walk(path)) {
            return paths.filter(file -> !Files.isDirectory(file)).collect(Collectors.toSet());
        }
    }

    /** @return the path, as a setting wants it */
    @Override
    public String toString() {
        return path.toString();
    }

    private void delete() {
        try (Stream<Path> paths = Files.walk(path)) {
            for (Path file : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
