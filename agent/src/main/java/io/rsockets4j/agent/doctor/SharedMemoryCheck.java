/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.doctor;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.rsockets4j.core.host.UserDirectory;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The directory of shared memory: there, writable, in memory, with room, and the user's part of it for nobody else.
 *
 * @param host its files
 * @param directory the setting {@code shm.dir}
 * @param ringBytes the size of a ring
 */
record SharedMemoryCheck(Host host, String directory, int ringBytes) implements Check {
    private static final String SUBJECT = "shared memory";
    private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs", "hugetlbfs");
    private static final int FEW_CONNECTIONS = 32;

    @Override
    public List<Finding> run() {
        Path path = host.path(directory.startsWith("/") ? directory : Path.of(directory).toAbsolutePath().toString());
        if (!Files.isDirectory(path)) {
            return List.of(Finding.error(SUBJECT, directory + " is not a directory", "Path shm cannot be used.",
                    "mkdir -p " + directory + " && mount -t tmpfs -o mode=1777 tmpfs " + directory));
        }
        if (!Files.isWritable(path) || !Files.isExecutable(path)) {
            return List.of(Finding.error(SUBJECT, directory + " cannot be written", "Path shm cannot be used.",
                    isReadOnly(path) ? "mount -o remount,rw " + directory
                    + "  # in a container: a volume without readOnly" : "chmod 1777 " + directory));
        }
        List<Finding> findings = new ArrayList<>();
        int excess = excess();
        if (excess > 0) {
            findings.add(Finding.error(SUBJECT, directory + " is too long by " + excess + " bytes",
                    "Sockets below it need names of 107 bytes at most.", "mkdir /run/shm4j && mount --bind " + directory
                    + " /run/shm4j  # and set rsockets4j.shm.dir=/run/shm4j"));
        }
        findings.add(space(path));
        findings.addAll(own(path));
        return findings;
    }

    private int excess() {
        try {
            return UserDirectory.excess(UserDirectory.path(directory));
        } catch (IOException e) {
            return 0; // without /proc nothing works, which another check tells
        }
    }

    private static boolean isReadOnly(Path path) {
        try {
            return Files.getFileStore(path).isReadOnly();
        } catch (IOException e) {
            return false; // then it is the permissions that can be mended
        }
    }

    private Finding space(Path path) {
        try {
            FileStore store = Files.getFileStore(path);
            String found = directory + " (" + store.type() + ") has " + (store.getUsableSpace() >> 20) + " MiB free";
            if (!IN_MEMORY.contains(store.type())) {
                return Finding.warning(SUBJECT, found, "It is not in memory: bytes may be written to a disk.",
                        "mount -t tmpfs -o mode=1777 tmpfs " + directory);
            }
            if (store.getUsableSpace() < 2L * ringBytes * FEW_CONNECTIONS) {
                return Finding.warning(SUBJECT, found, "That is little: a busy connection takes two rings of "
                        + ringBytes + " bytes, and goes on with small ones or by TCP when there is no room.",
                        "mount -o remount,size=1g " + directory + "  # in Docker: --shm-size=1g");
            }
            return Finding.ok(SUBJECT, found);
        } catch (IOException e) {
            return Finding.warning(SUBJECT, directory + ": " + e.getMessage(), "Its free space is not known.",
                    "df " + directory);
        }
    }

    /**
     * Only the directory of this process' user: others have their own. Judges it as {@link UserDirectory} does, which
     * goes elsewhere where another user has taken the name, and follows no link.
     */
    private List<Finding> own(Path path) {
        try {
            Path own = UserDirectory.path(path.toString());
            PosixFileAttributes found = Files.readAttributes(own, PosixFileAttributes.class, NOFOLLOW_LINKS);
            String permissions = PosixFilePermissions.toString(found.permissions());
            String owner = own + " belongs to " + found.owner().getName();
            if (!found.owner().equals(Files.getOwner(Path.of("/proc/self")))) {
                return List.of(Finding.warning(SUBJECT, owner + ", another user",
                        "This user's processes meet beside it instead, in " + own.getFileName() + "-TIME-RANDOM.",
                        "sudo rm -r " + own
                        + "  # or set rsockets4j.shm.dir to a tmpfs that this user alone can write to"));
            }
            if (!found.isDirectory()) {
                return List.of(Finding.error(SUBJECT, own + " is not a directory", "Path shm cannot be used.",
                        "rm " + own));
            }
            if (permissions.equals("rwx------")) {
                return List.of(Finding.ok(SUBJECT, own + " is this user's alone"));
            }
            return List.of(Finding.error(SUBJECT, owner + ", permissions " + permissions,
                    "Others could read or disturb connections, so path shm refuses it.", "chmod 700 " + own));
        } catch (NoSuchFileException e) {
            return List.of(); // the first process makes it
        } catch (IOException e) {
            return List.of(Finding.warning(SUBJECT, e.toString(), "The user's directory cannot be looked at.",
                    "ls -la " + directory));
        }
    }
}
