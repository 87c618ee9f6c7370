/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.host;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Memory of this process that others of its user can map by a name, to read what it lends them. It is there as long as
 * its buffer, or a slice of it, is reachable; the name until {@link #remove}. No descriptor stays open. Thread-safe.
 */
public final class SharedMemory {
    private static final byte[] ZEROS = new byte[64 * 1024];

    private final int number;
    private final Path path;
    private final Set<SharedMemory> named;

    private SharedMemory(int number, Path path, Set<SharedMemory> named) {
        this.number = number;
        this.path = path;
        this.named = named;
    }

    /**
     * Names memory.
     *
     * @param number what the name says to peers
     * @param path the name, of a file that {@link #make} has made
     * @param named has it until it loses its name; for any thread
     * @return the name
     */
    public static SharedMemory named(int number, Path path, Set<SharedMemory> named) {
        SharedMemory memory = new SharedMemory(number, path, named);
        named.add(memory);
        return memory;
    }

    /**
     * Makes memory, all pages of it. Takes as long as it takes to write so many zeros; an interrupt does not end it.
     *
     * @param path the name
     * @param bytes how much, at least one
     * @return zeros, in the network's order of bytes as other buffers of the JDK; begins at a page
     * @throws IOException if there is too little memory, or the file cannot be made; then it is not there
     */
    public static ByteBuffer make(Path path, int bytes) throws IOException {
        Files.createFile(path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        boolean made = false;
        try {
            try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
                for (int left = bytes; left > 0; left -= Math.min(left, ZEROS.length)) {
                    file.write(ZEROS, 0, Math.min(left, ZEROS.length));
                }
            }
            ByteBuffer memory = map(path, "rw", MapMode.READ_WRITE);
            made = true;
            return memory;
        } finally {
            if (!made) {
                MappedFile.unlink(path);
            }
        }
    }

    /**
     * Maps memory of another process, to be read. An interrupt does not end it.
     *
     * @param path the name
     * @return all of it
     * @throws IOException if there is no such file of this user, or it cannot be mapped
     */
    public static ByteBuffer map(Path path) throws IOException {
        Ownership.requireOwnFile(path);
        return map(path, "r", MapMode.READ_ONLY);
    }

    private static ByteBuffer map(Path path, String access, MapMode mode) throws IOException {
        boolean interrupted = Thread.interrupted(); // with that status set, the channel would close
        try {
            while (true) {
                try (RandomAccessFile file = new RandomAccessFile(path.toFile(), access)) {
                    long bytes = file.length();
                    if (bytes == 0 || bytes > Integer.MAX_VALUE) {
                        throw new IOException(path + " has " + bytes + " bytes");
                    }
                    return file.getChannel().map(mode, 0, bytes);
                } catch (ClosedByInterruptException e) {
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * What peers find it by.
     *
     * @return one that no other memory of this process has
     */
    public int number() {
        return number;
    }

    /** No peer finds it any more; those that have mapped it may read on. Idempotent. */
    public void remove() {
        if (named.remove(this)) {
            MappedFile.unlink(path);
        }
    }
}
