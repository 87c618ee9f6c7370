/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import io.rsockets4j.core.fabric.SourceMemory;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Memory that operations may use. While one does, its part belongs to it: the program writes to no part that is being
 * sent, and neither reads nor writes one that is being filled. Parts of it may be in use by several operations.
 *
 * <p>Over RDMA memory of large sends, up to 64 MiB, stays registered with the session that carried them, and pinned,
 * until {@link #deregister} or the session's end, also if the program does not refer to it any more.
 *
 * <p>All methods are for any thread. None blocks, but {@link #deregister} may wait for the device, and {@link
 * #allocate} some tenths of a second for the garbage collector where memory is short.
 */
public final class RegisteredMemory {
    /** A line of the processor's cache, in which adapters move memory too. */
    static final int LINE_BYTES = 64;

    private static final int GONE = -1;

    private final ByteBuffer buffer;
    private final SourceMemory source;
    private final boolean whole; // nothing else lies in what peers may be able to read of it
    private final AtomicInteger uses = new AtomicInteger();

    private RegisteredMemory(ByteBuffer buffer, SourceMemory source, boolean whole) {
        this.buffer = buffer;
        this.source = source;
        this.whole = whole;
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
        return new RegisteredMemory(buffer, new SourceMemory(buffer.duplicate().clear()), false);
    }

    /** A part of what {@link #make} has made; the rest, and its name, are the caller's. */
    static RegisteredMemory part(SourceMemory made, int offset, int bytes) {
        SourceMemory part = made.slice(offset, bytes);
        return new RegisteredMemory(part.whole().duplicate(), part, false);
    }

    /** New memory that begins at a line, with a name where peers can read it and sends may be large enough for that. */
    static SourceMemory make(int bytes, int partBytes) {
        SourceMemory shared = EventQueue.share(bytes, partBytes);
        return shared != null ? shared : new SourceMemory(aligned(bytes));
    }

    /**
     * Makes new memory that begins at a line of the processor's cache, and registers it. Where it is large, peers on
     * this host copy what is sent from it themselves. It lies in shared memory then, as much as the heap may have at
     * most, and has a name there until {@link #deregister} or the process' end.
     *
     * @param bytes how much, at least one
     * @return the memory, until {@link #deregister}
     */
    public static RegisteredMemory allocate(int bytes) {
        SourceMemory made = make(bytes, bytes);
        return new RegisteredMemory(made.whole().duplicate(), made, true);
    }

    private static ByteBuffer aligned(int bytes) {
        return ByteBuffer.allocateDirect(Math.addExact(bytes, 2 * LINE_BYTES - 1)).alignedSlice(LINE_BYTES)
                .slice(0, bytes);
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
        source.letGo();
        if (whole) {
            source.removeName();
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

    /** Where an operation's part lies. */
    SourceMemory.Part part(int offset) {
        return new SourceMemory.Part(source, offset);
    }

    /** A part of it, for an operation that calls {@link #release} when it has ended. */
    ByteBuffer lend(int offset, int length) {
        ByteBuffer part = source.whole().slice(offset, length);
        if (uses.updateAndGet(n -> n == GONE ? GONE : n + 1) == GONE) {
            throw new IllegalStateException("Memory is not registered");
        }
        return part;
    }

    void release() {
        uses.decrementAndGet();
    }

    boolean isUsed() {
        return uses.get() > 0;
    }
}
