/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Set;

/**
 * Memory of this process that others of its user can map by a name, to read what it lends them. It is there as long as
 * its buffer is reachable; the name until {@link #remove}. Thread-safe.
 */
public final class SharedMemory {
    private final int number;
    private final Path path;
    private final MappedFile file;
    private final Set<SharedMemory> named;

    private SharedMemory(int number, Path path, MappedFile file, Set<SharedMemory> named) {
        this.number = number;
        this.path = path;
        this.file = file;
        this.named = named;
    }

    /**
     * Makes memory, all pages of it.
     *
     * @param number what the name says to peers
     * @param path the name
     * @param bytes how much, at least one
     * @param budget what it counts against until it loses its name
     * @param named has it until it loses its name; for any thread
     * @return zeros
     * @throws IOException if there is too little memory, or the file cannot be made
     */
    public static SharedMemory create(int number, Path path, int bytes, MemoryBudget budget, Set<SharedMemory> named)
            throws IOException {
        MappedFile file = MappedFile.create(path, bytes, budget);
        try {
            file.commit(0, bytes);
        } catch (IOException e) {
            MappedFile.unlink(path);
            file.retire();
            throw e;
        }
        SharedMemory made = new SharedMemory(number, path, file, named);
        named.add(made);
        return made;
    }

    /**
     * What peers find it by.
     *
     * @return one that no other memory of this process has
     */
    public int number() {
        return number;
    }

    /**
     * All of it.
     *
     * @param bytes its size
     * @return a new buffer, in the network's order of bytes as those of the JDK; begins at a page
     */
    public ByteBuffer buffer(int bytes) {
        return file.slice(0, bytes).order(ByteOrder.BIG_ENDIAN);
    }

    /** No peer finds it any more; those that have mapped it may read on. Idempotent. */
    public void remove() {
        if (named.remove(this)) {
            MappedFile.unlink(path);
            file.leave();
        }
    }
}
