/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** The directory {@code DIR/rsockets4j-UID}, mode 0700, that the processes of one user share. Thread-safe. */
public final class UserDirectory {
    private UserDirectory() { }

    /**
     * Where it is, whether or not it exists.
     *
     * @param parent the setting {@code shm.dir}
     * @return its path
     * @throws IOException if the user's number cannot be found out, as without /proc
     */
    public static Path path(String parent) throws IOException {
        return Path.of(parent, "rsockets4j-" + Ownership.userId());
    }

    /**
     * Makes it if needed, and makes sure that no one else may enter it.
     *
     * @param parent the setting {@code shm.dir}
     * @return its path
     * @throws IOException if it cannot be used; the message says what to do
     */
    public static Path open(String parent) throws IOException {
        requireParent(parent);
        Path directory = path(parent);
        try {
            Files.createDirectory(directory,
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException e) {
            Ownership.requireOwnDirectory(directory);
        }
        return directory;
    }

    /**
     * Makes sure that no one else may enter it, where it exists.
     *
     * @param parent the setting {@code shm.dir}
     * @return its path, or null where it does not exist: no process of this user has rsockets4j there
     * @throws IOException if it cannot be used; the message says what to do
     */
    public static Path find(String parent) throws IOException {
        requireParent(parent);
        Path directory = path(parent);
        try {
            Ownership.requireOwnDirectory(directory);
            return directory;
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private static void requireParent(String parent) throws IOException {
        if (!Files.isDirectory(Path.of(parent))) {
            throw new IOException(parent + " is not a directory; mount a tmpfs there or set rsockets4j.shm.dir");
        }
    }
}
