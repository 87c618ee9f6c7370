/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import io.rsockets4j.core.engine.Engine;
import io.rsockets4j.core.host.SharedRegion;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Memory that operations may use. While one does, its part belongs to it: the program writes to no part that is being
 * sent, and neither reads nor writes one that is being filled. Parts of it may be in use by several operations. All
 * methods are for any thread, and none blocks.
 */
public final class RegisteredMemory {
    private static final int GONE = -1;
    private static final int MIN_SHARED_BYTES = 16 * 1024; // a file, a mapping and a descriptor each

    private final ByteBuffer buffer;
    private final ByteBuffer whole;
    private final AtomicInteger uses = new AtomicInteger();

    private final SharedRegion region; // null where peers cannot write here
    private final int place; // in the region

    private RegisteredMemory(ByteBuffer buffer, SharedRegion region, int place) {
        this.region = region;
        this.place = place;
        this.buffer = buffer;
        this.whole = buffer.duplicate().clear();
    }

    /**
     * Registers a buffer's memory, from its first byte to its capacity.
     *
     * @param buffer direct, and writable
     * @return the memory, until {@link #deregister}
     * @throws IllegalArgumentException if the buffer is of the heap, or cannot be written
     */
    public static RegisteredMemory register(ByteBuffer buffer) {
        if (!buffer.isDirect() || buffer.isReadOnly()) {
            throw new IllegalArgumentException("buffer is not direct, or is read-only: " + buffer);
        }
        return new RegisteredMemory(buffer, null, 0);
    }

    /**
     * Makes new memory, and registers it.
     *
     * @param bytes how much, at least one
     * @return the memory, until {@link #deregister}
     */
    public static RegisteredMemory allocate(int bytes) {
        SharedRegion region = share(bytes);
        if (region == null) {
            return register(ByteBuffer.allocateDirect(bytes));
        }
        RegisteredMemory memory = new RegisteredMemory(region.memory().order(ByteOrder.BIG_ENDIAN), region, 0);
        region.heldBy(memory);
        return memory;
    }

    /** Memory that peers may write into, or null where it is too little to be worth it, or there is none. */
    static SharedRegion share(int bytes) {
        return bytes < MIN_SHARED_BYTES || Engine.isBarred() ? null : Engine.instance().share(bytes);
    }

    /** A part of a region that others use too, who close it. */
    static RegisteredMemory part(ByteBuffer buffer, SharedRegion region, int place) {
        return new RegisteredMemory(buffer, region, place);
    }

    /**
     * Lets go of the memory. The buffer remains the program's.
     *
     * @throws IllegalStateException if an operation uses it, or it has been let go
     */
    public void deregister() {
        if (!uses.compareAndSet(0, GONE)) {
            throw new IllegalStateException(uses.get() == GONE ? "Memory is not registered" : "Memory is in use");
        }
        if (region != null && region.bytes() == buffer.capacity()) { // otherwise it is a pool's
            region.close();
        }
    }

    /**
     * The buffer over this memory. Operations heed neither its position nor its limit, and move neither.
     *
     * @return the same each time
     */
    public ByteBuffer buffer() {
        return buffer;
    }

    /** A part of it, for an operation that calls {@link #release} when it has ended. */
    ByteBuffer lend(int offset, int length) {
        ByteBuffer part = whole.slice(offset, length);
        if (uses.updateAndGet(n -> n == GONE ? GONE : n + 1) == GONE) {
            throw new IllegalStateException("Memory is not registered");
        }
        return part;
    }

    SharedRegion region() {
        return region;
    }

    int place() {
        return place;
    }

    void release() {
        uses.decrementAndGet();
    }

    boolean isUsed() {
        return uses.get() > 0;
    }
}
