/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import io.rsockets4j.core.host.SharedMemory;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Memory that a program sends from again and again, and does not free before it says so by {@link #letGo}. A fabric may
 * hold it until then, registered for its own device to read. Thread-safe.
 */
public final class SourceMemory {
    /**
     * Where a buffer lies in it.
     *
     * @param memory the whole
     * @param offset of the buffer's first byte, at index 0
     */
    public record Part(SourceMemory memory, int offset) { }

    private final ByteBuffer whole;
    private final SharedMemory shared;
    private final int sharedOffset;
    private final Set<Consumer<SourceMemory>> holders = ConcurrentHashMap.newKeySet();

    /**
     * Nobody holds it yet.
     *
     * @param whole all of it; a direct buffer, of which neither position nor limit changes
     */
    public SourceMemory(ByteBuffer whole) {
        this(whole, null, 0);
    }

    /**
     * Nobody holds it yet; it lies in memory that peers may be able to read.
     *
     * @param whole as above
     * @param shared that memory
     * @param offset where it begins there
     */
    public SourceMemory(ByteBuffer whole, SharedMemory shared, int offset) {
        this.whole = whole;
        this.shared = shared;
        sharedOffset = offset;
    }

    /**
     * A part of it, to be held by itself.
     *
     * @param offset where it begins
     * @param length its size in bytes
     * @return nobody holds it yet
     */
    public SourceMemory slice(int offset, int length) {
        return new SourceMemory(whole.slice(offset, length), shared, sharedOffset + offset);
    }

    /**
     * All of it.
     *
     * @return the same buffer each time
     */
    public ByteBuffer whole() {
        return whole;
    }

    /**
     * The memory that it lies in, and that peers may be able to read.
     *
     * @return null where no peer can
     */
    public SharedMemory shared() {
        return shared;
    }

    /** No peer that has not mapped it finds it any more, if any could. */
    public void removeName() {
        if (shared != null) {
            shared.remove();
        }
    }

    /**
     * Where it begins there.
     *
     * @return offset in bytes
     */
    public int sharedOffset() {
        return sharedOffset;
    }

    /**
     * A session holds it from now on, while operations use it.
     *
     * @param holder called by {@link #letGo}
     */
    public void heldBy(Consumer<SourceMemory> holder) {
        holders.add(holder);
    }

    /**
     * A session holds it no more.
     *
     * @param holder as given to {@link #heldBy}
     */
    public void notHeldBy(Consumer<SourceMemory> holder) {
        holders.remove(holder);
    }

    /** No operation uses it, and none will: nobody holds it when this returns. */
    public void letGo() {
        for (Consumer<SourceMemory> holder : holders) {
            holder.accept(this);
        }
        holders.clear();
    }
}
