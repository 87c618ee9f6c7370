/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.host;

import java.lang.ref.Reference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jdk.internal.misc.Unsafe;
import sun.nio.ch.DirectBuffer;

/**
 * Aligned words of shared memory, of 64 bits where no name says otherwise, and what they publish. The memory order is
 * in the method's name; offsets are in bytes. Thread-safe as far as the orders are.
 *
 * <p>By the JDK's own Unsafe rather than a VarHandle: the same instructions once compiled, but a tenth of the work for
 * the interpreter and half of it for the compilers, which is what a young process pays.
 */
public final class Words {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long UNKNOWN = -1;
    private static final long SEGMENT = offsetInBuffers("segment"); // null but for a segment's buffer
    private static final long ADDRESS = offsetInBuffers("address"); // of its first byte, in memory or in its array

    private final ByteBuffer memory; // keeps it mapped
    private final long address;
    private final int bytes;

    /**
     * Sees memory as words.
     *
     * @param memory direct, begins at a word; all of it, wherever its position is
     */
    public Words(ByteBuffer memory) {
        this.memory = memory;
        address = ((DirectBuffer) memory).address();
        bytes = memory.capacity();
    }

    /**
     * A part of the same memory.
     *
     * @param offset where it begins
     * @param length its size in bytes
     * @return words whose offsets count from there
     */
    public Words slice(int offset, int length) {
        return new Words(memory.slice(offset, length));
    }

    /**
     * Where the memory is. Who uses the address keeps the words reachable meanwhile.
     *
     * @return the address of its first byte
     */
    public long address() {
        return address;
    }

    /**
     * Where the 32 low bits of a word are.
     *
     * @param offset of the word
     * @return as {@link #address}
     */
    public long addressOfLowBits(int offset) {
        return at(offset) + (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 0 : Integer.BYTES);
    }

    /**
     * Loads own or advisory words; orders nothing.
     *
     * @param offset of the word
     * @return the word
     */
    public long getOpaque(int offset) {
        return UNSAFE.getLongOpaque(null, at(offset));
    }

    /**
     * Loads what a peer's {@link #putRelease} of the same word stored; what it stored before is visible after.
     *
     * @param offset of the word
     * @return the word
     */
    public long getAcquire(int offset) {
        return UNSAFE.getLongVolatile(null, at(offset)); // not getLongAcquire: one more call for the interpreter
    }

    /**
     * The first word that is not zero, as {@link #getAcquire} sees it.
     *
     * @param offset of word 0
     * @param from index of the first word to look at
     * @param end index behind the last one
     * @return its index, or the end
     */
    public int nextSet(int offset, int from, int end) {
        if (from >= end) {
            return end;
        }
        long base = at(offset + (end - 1) * Long.BYTES) - (end - 1) * Long.BYTES;
        for (int word = from; word < end; word++) {
            if (UNSAFE.getLongVolatile(null, base + word * Long.BYTES) != 0) { // as getAcquire
                return word;
            }
        }
        return end;
    }

    /**
     * Stores a word that only this side writes; orders nothing.
     *
     * @param offset of the word
     * @param value what to store
     */
    public void putOpaque(int offset, long value) {
        UNSAFE.putLongOpaque(null, at(offset), value);
    }

    /**
     * Stores after everything before it; pairs with the peer's {@link #getAcquire} of the same word.
     *
     * @param offset of the word
     * @param value what to store
     */
    public void putRelease(int offset, long value) {
        UNSAFE.putLongRelease(null, at(offset), value);
    }

    /**
     * Swaps with full ordering; pairs with itself on the other side.
     *
     * @param offset of the word
     * @param value what to store
     * @return what was there
     */
    public long getAndSetVolatile(int offset, long value) {
        return UNSAFE.getAndSetLong(null, at(offset), value);
    }

    /**
     * Swaps one value for another, with full ordering.
     *
     * @param offset of the word
     * @param expected what is to be there
     * @param value what to store
     * @return whether it was there
     */
    public boolean compareAndSet(int offset, long expected, long value) {
        return UNSAFE.compareAndSetLong(null, at(offset), expected, value);
    }

    /**
     * Sets bits with full ordering; pairs with {@link #getAndSetVolatile} of whoever collects them.
     *
     * @param offset of the word
     * @param bits which
     * @return what was there
     */
    public long getAndOrVolatile(int offset, long bits) {
        return UNSAFE.getAndBitwiseOrLong(null, at(offset), bits);
    }

    /**
     * Loads what another word's release has published.
     *
     * @param offset of an aligned word of 32 bits
     * @return the word
     */
    public int getInt(int offset) {
        return UNSAFE.getInt(null, at(offset, Integer.BYTES));
    }

    /**
     * Loads a word of 32 bits with full ordering.
     *
     * @param offset of the word
     * @return the word
     */
    public int getIntVolatile(int offset) {
        return UNSAFE.getIntVolatile(null, at(offset, Integer.BYTES));
    }

    /**
     * Stores a word of 32 bits with full ordering; pairs with {@link #getIntVolatile} of the same word.
     *
     * @param offset of the word
     * @param value what to store
     */
    public void putIntVolatile(int offset, int value) {
        UNSAFE.putIntVolatile(null, at(offset, Integer.BYTES), value);
    }

    /**
     * Swaps one value of 32 bits for another, with full ordering.
     *
     * @param offset of the word
     * @param expected what is to be there
     * @param value what to store
     * @return whether it was there
     */
    public boolean compareAndSetInt(int offset, int expected, int value) {
        return UNSAFE.compareAndSetInt(null, at(offset, Integer.BYTES), expected, value);
    }

    /**
     * Stores what another word's release will publish.
     *
     * @param offset of an aligned word of 32 bits
     * @param value what to store
     */
    public void putInt(int offset, int value) {
        UNSAFE.putInt(null, at(offset, Integer.BYTES), value);
    }

    /**
     * Loads what another word's release has published.
     *
     * @param offset of the first byte
     * @param values filled; a few
     */
    public void getBytes(int offset, byte[] values) {
        long base = at(offset, values.length);
        for (int i = 0; i < values.length; i++) {
            values[i] = UNSAFE.getByte(null, base + i);
        }
    }

    /**
     * Stores what another word's release will publish.
     *
     * @param offset of the first byte
     * @param values a few
     */
    public void putBytes(int offset, byte[] values) {
        long base = at(offset, values.length);
        for (int i = 0; i < values.length; i++) {
            UNSAFE.putByte(null, base + i, values[i]);
        }
    }

    /**
     * Stores bytes of a buffer, which another word's release will publish.
     *
     * @param offset of the first byte
     * @param src where they are; its position does not count, and does not move
     * @param position of the first one in it
     * @param length how many
     */
    public void put(int offset, ByteBuffer src, int position, int length) {
        long to = at(offset, length);
        byte[] array = src.hasArray() ? src.array() : null;
        if (isPlain(src, array)) {
            UNSAFE.copyMemory(array, at(src, position, length), null, to, length);
            Reference.reachabilityFence(src);
        } else {
            memory.put(offset, src, position, length);
        }
    }

    /**
     * Loads bytes, which another word's release has published, into a buffer.
     *
     * @param offset of the first byte
     * @param dst where to; its position does not count, and does not move
     * @param position of the first one in it
     * @param length how many
     */
    public void get(int offset, ByteBuffer dst, int position, int length) {
        long from = at(offset, length);
        byte[] array = dst.hasArray() ? dst.array() : null;
        if (isPlain(dst, array) && !dst.isReadOnly()) {
            UNSAFE.copyMemory(null, from, array, at(dst, position, length), length);
            Reference.reachabilityFence(dst);
        } else {
            dst.put(position, memory, offset, length);
        }
    }

    /**
     * Whether a buffer's memory stays as long as the buffer, and where it is can be told. A segment's may be closed,
     * which the JDK looks at.
     */
    private static boolean isPlain(ByteBuffer buffer, byte[] array) {
        return SEGMENT != UNKNOWN && ADDRESS != UNKNOWN && UNSAFE.getReference(buffer, SEGMENT) == null
                && (array != null || buffer.isDirect());
    }

    private static long offsetInBuffers(String field) {
        try {
            return UNSAFE.objectFieldOffset(Buffer.class, field);
        } catch (InternalError e) {
            return UNKNOWN; // this JDK calls it something else: it copies by its own way
        }
    }

    /** Where a byte of a buffer is, in memory or in its array; within the capacity, which no other thread changes. */
    private static long at(ByteBuffer buffer, int position, int length) {
        if (position < 0 || position > buffer.capacity() - length) {
            throw new IndexOutOfBoundsException(position);
        }
        return UNSAFE.getLong(buffer, ADDRESS) + position; // the Unsafe has an int for arrays on 17, a long on 25
    }

    /**
     * Stores zeros, which another word's release will publish.
     *
     * @param count how many bytes, from the beginning
     */
    public void clear(int count) {
        UNSAFE.setMemory(at(0, count), count, (byte) 0);
    }

    private long at(int offset) {
        if (offset < 0 || offset > bytes - Long.BYTES) {
            throw new IndexOutOfBoundsException(offset);
        }
        return address + offset;
    }

    private long at(int offset, int count) {
        if (offset < 0 || count < 0 || offset > bytes - count) {
            throw new IndexOutOfBoundsException(offset);
        }
        return address + offset;
    }
}
