/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.host;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Memory of this process' program that peers may map, so that they write straight into it. Its file has a name until
 * {@link #close}; the memory itself lives as long as a buffer over it. Thread-safe.
 */
public final class SharedRegion {
    private final SharedRegions regions;
    private final Path path;
    private final int number;
    private final MappedFile file;
    private final int bytes;
    private final Set<Consumer<SharedRegion>> users = ConcurrentHashMap.newKeySet();
    private volatile boolean closed; // set once

    SharedRegion(SharedRegions regions, Path path, int number, MappedFile file, int bytes) {
        this.regions = regions;
        this.path = path;
        this.number = number;
        this.file = file;
        this.bytes = bytes;
    }

    /**
     * The memory.
     *
     * @return all of it, zeroed when the region was made; keeps the mapping
     */
    public ByteBuffer memory() {
        return file.slice(0, bytes);
    }

    /**
     * Which process' region it is: the first half of the number in the name of that process' bells.
     *
     * @return the higher 64 bits
     */
    public long ownerHigh() {
        return regions.ownerHigh();
    }

    /**
     * The second half of {@link #ownerHigh}.
     *
     * @return the lower 64 bits
     */
    public long ownerLow() {
        return regions.ownerLow();
    }

    /**
     * Which of its process' regions it is.
     *
     * @return never that of another one
     */
    public int number() {
        return number;
    }

    /**
     * Its size.
     *
     * @return bytes
     */
    public int bytes() {
        return bytes;
    }

    /**
     * Whom to tell when the region is closed by {@link #close}.
     *
     * @return to be added to and removed from
     */
    public Set<Consumer<SharedRegion>> users() {
        return users;
    }

    /**
     * Whether peers may map it no more.
     *
     * @return once true, always
     */
    public boolean isClosed() {
        return closed;
    }

    /**
     * Closes the region once an object is not reachable any more.
     *
     * @param holder not reachable from here
     */
    public void heldBy(Object holder) {
        regions.heldBy(this, holder);
    }

    /** Removes the name, and tells its users. The buffers over it stay. Idempotent. */
    public void close() {
        retire();
        users.forEach(user -> user.accept(this));
    }

    /** Removes the name, and tells nobody: whoever calls may hold any lock. */
    void retire() {
        if (regions.remove(this)) {
            closed = true;
            MappedFile.unlink(path);
            file.leave();
        }
    }
}
