/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

/** Files of sessions, which have no names any more, found as any process of this user finds them. */
final class SharedFiles {
    private SharedFiles() { }

    /**
     * Truncates all files of sessions in a directory that are longer.
     *
     * @param kept the bytes that are left
     * @param zeros whether they are as long as before afterwards
     */
    static void takeBack(Path directory, long kept, boolean zeros) throws IOException {
        Set<Object> taken = new HashSet<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors.toList()) {
                if (isOfSession(directory, descriptor) && taken.add(Files.getAttribute(descriptor, "unix:ino"))) {
                    truncate(descriptor, kept, zeros);
                }
            }
        }
        assertThat(taken).hasSizeGreaterThanOrEqualTo(2);
    }

    private static void truncate(Path descriptor, long kept, boolean zeros) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(descriptor.toFile(), "rw")) {
            long length = file.length();
            if (length > kept) {
                file.setLength(kept);
                if (zeros) {
                    file.setLength(length);
                }
            }
        }
    }

    private static boolean isOfSession(Path directory, Path descriptor) {
        try {
            String target = Files.readSymbolicLink(descriptor).toString();
            return target.startsWith(directory.toString()) && target.endsWith("(deleted)");
        } catch (IOException e) {
            return false; // it was that of the directory
        }
    }
}
