/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.host;

import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.reason.PathException;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The directory {@code DIR/rsockets4j-UID}, mode 0700, that the processes of one user share. Anyone may make that name
 * first in a directory that all may write to. Then the user's processes meet in {@code DIR/rsockets4j-UID-TIME-RANDOM},
 * a name that nobody can foresee: the one with the least time that is the user's own. Thread-safe.
 */
public final class UserDirectory {
    private static final Log LOG = Log.of(UserDirectory.class);
    private static final int RANDOM_BYTES = 8; // with 16, sockets below /dev/shm had names too long for the kernel
    private static final long PAUSE_NANOS = 50_000_000; // several processes may begin at once

    private static final int MAX_SOCKET_PATH = 107; // bytes; the kernel's
    private static final int LONGEST_NAME = 1 + 32 + ".endpoint".length(); // with its slash

    private UserDirectory() { }

    /**
     * By how many bytes the names of sockets in a user's directory would be too long for the kernel, which takes 107.
     *
     * @param directory as from {@link #path} or {@link #open}
     * @return what {@code shm.dir} has to be shorter by; 0 or less: nothing
     */
    public static int excess(Path directory) {
        return directory.toString().getBytes(StandardCharsets.UTF_8).length + LONGEST_NAME - MAX_SOCKET_PATH;
    }

    /**
     * Where it is unless another user has taken that name, whether or not it exists.
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
        Path found = find(parent);
        if (found != null) {
            return found;
        }
        Path directory = path(parent);
        try {
            make(directory);
            return directory;
        } catch (FileAlreadyExistsException e) { // another user's, or ours since a moment ago
            Path ours = find(parent);
            return ours == null ? makeBeside(directory) : ours;
        }
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
        } catch (NoSuchFileException | PathException e) { // nobody's, or another user's
            return findBeside(directory);
        }
    }

    /**
     * What is in it; by a File, which needs less of the JDK than a stream of paths.
     *
     * @param directory as from {@link #open}
     * @return names without the directory's, in no order
     * @throws IOException if it cannot be read
     */
    public static String[] names(Path directory) throws IOException {
        String[] names = directory.toFile().list();
        if (names == null) {
            throw new IOException(directory + " cannot be read");
        }
        return names;
    }

    private static void make(Path directory) throws IOException {
        Files.createDirectory(directory,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    /** The user's own directory of those beside a name, or null. All choose the same, also if several begin at once. */
    private static Path findBeside(Path taken) {
        Path oldest = oldestBeside(taken);
        if (oldest != null && isYoung(taken, oldest)) {
            LockSupport.parkNanos(PAUSE_NANOS); // one with an older name may be about to come
            oldest = oldestBeside(taken);
        }
        return oldest;
    }

    private static boolean isYoung(Path taken, Path made) {
        int begin = taken.getFileName().toString().length() + 1;
        String name = made.getFileName().toString();
        long madeMillis = name.length() < begin + Long.BYTES * 2 ? 0
                : HexFormat.fromHexDigitsToLong(name, begin, begin + Long.BYTES * 2);
        return System.currentTimeMillis() - madeMillis < TimeUnit.NANOSECONDS.toMillis(PAUSE_NANOS);
    }

    private static Path oldestBeside(Path taken) {
        String prefix = taken.getFileName() + "-";
        String[] names = taken.getParent().toFile().list();
        if (names == null) {
            return null;
        }
        Arrays.sort(names); // by their times
        for (String name : names) {
            if (name.startsWith(prefix) && isOurs(taken.resolveSibling(name))) {
                return taken.resolveSibling(name);
            }
        }
        return null;
    }

    private static boolean isOurs(Path directory) {
        try {
            Ownership.requireOwnDirectory(directory);
            return true;
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "not ours", e);
            return false;
        }
    }

    private static Path makeBeside(Path taken) throws IOException {
        String random;
        try (FileInputStream in = new FileInputStream("/dev/urandom")) {
            random = HexFormat.of().formatHex(in.readNBytes(RANDOM_BYTES));
        }
        Path made = taken.resolveSibling(
                taken.getFileName() + "-" + HexFormat.of().toHexDigits(System.currentTimeMillis()) + "-" + random);
        make(made);
        Path found = findBeside(taken);
        Path chosen = found == null ? made : found;
        LOG.log(System.Logger.Level.WARNING, "rsockets4j: another user has taken " + taken
                + "; processes of this user meet in " + chosen + " instead");
        return chosen;
    }

    private static void requireParent(String parent) throws IOException {
        if (!Files.isDirectory(Path.of(parent))) {
            throw new IOException(parent + " is not a directory; mount a tmpfs there or set rsockets4j.shm.dir");
        }
    }
}
