/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite.kit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;
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
     * Lists what is in it, at any depth. Files may come and go meanwhile.
     *
     * @return everything but directories
     * @throws IOException when it cannot be listed
     */
    public Set<Path> files() throws IOException {
        return filesIn(path);
    }

    /**
     * As {@link #files}, of any directory.
     *
     * @param directory where to begin
     * @return everything but directories
     * @throws IOException when it cannot be listed
     */
    public static Set<Path> filesIn(Path directory) throws IOException {
        Set<Path> files = new HashSet<>();
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                files.add(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }
        });
        return files;
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
