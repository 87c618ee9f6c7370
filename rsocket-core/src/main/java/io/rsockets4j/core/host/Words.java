/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.host;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import jdk.internal.misc.Unsafe;
import sun.nio.ch.DirectBuffer;

/**
 * Ordered access to aligned words of shared memory, of 64 bits where no name says otherwise, and plain access to what
 * they publish. The memory order is in the method's name.
 *
 * <p>By the JDK's own Unsafe rather than a VarHandle: the same instructions once compiled, but a tenth of the work for
 * the interpreter and half of it for the compilers, which is what a young process pays. Callers keep the memory
 * reachable: a field of theirs holds it.
 */
public final class Words {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long ADDRESS = UNSAFE.objectFieldOffset(Buffer.class, "address"); // of direct memory

    private Words() { }

    /**
     * Loads own or advisory words; orders nothing.
     *
     * @param memory direct
     * @param offset of the word, in bytes
     * @return the word
     */
    public static long getOpaque(ByteBuffer memory, int offset) {
        return UNSAFE.getLongOpaque(null, at(memory, offset));
    }

    /**
     * Loads what a peer's {@link #putRelease} of the same word stored; what it stored before is visible after.
     *
     * @param memory direct
     * @param offset of the word, in bytes
     * @return the word
     */
    public static long getAcquire(ByteBuffer memory, int offset) {
        return UNSAFE.getLongAcquire(null, at(memory, offset));
    }

    /**
     * The first word that is not zero, as {@link #getAcquire} sees it.
     *
     * @param memory direct
     * @param offset of word 0, in bytes
     * @param from index of the first word to look at
     * @param end index behind the last one
     * @return its index, or the end
     */
    public static int nextSet(ByteBuffer memory, int offset, int from, int end) {
        if (from >= end) {
            return end;
        }
        long base = at(memory, offset + (end - 1) * Long.BYTES) - (end - 1) * Long.BYTES;
        for (int word = from; word < end; word++) {
            // not by getLongAcquire, which is one more call for the interpreter
            if (UNSAFE.getLongVolatile(null, base + word * Long.BYTES) != 0) {
                return word;
            }
        }
        return end;
    }

    /**
     * Stores a word that only this side writes; orders nothing.
     *
     * @param memory direct
     * @param offset of the word, in bytes
     * @param value what to store
     */
    public static void putOpaque(ByteBuffer memory, int offset, long value) {
        UNSAFE.putLongOpaque(null, at(memory, offset), value);
    }

    /**
     * Stores after everything before it; pairs with the peer's {@link #getAcquire} of the same word.
     *
     * @param memory direct
     * @param offset of the word, in bytes
     * @param value what to store
     */
    public static void putRelease(ByteBuffer memory, int offset, long value) {
        UNSAFE.putLongRelease(null, at(memory, offset), value);
    }

    /**
     * Swaps with full ordering; pairs with itself on the other side.
     *
     * @param memory direct
     * @param offset of the word, in bytes
     * @param value what to store
     * @return what was there
     */
    public static long getAndSetVolatile(ByteBuffer memory, int offset, long value) {
        return UNSAFE.getAndSetLong(null, at(memory, offset), value);
    }

    /**
     * Swaps one value for another, with full ordering.
     *
     * @param memory direct
     * @param offset of the word, in bytes
     * @param expected what is to be there
     * @param value what to store
     * @return whether it was there
     */
    public static boolean compareAndSet(ByteBuffer memory, int offset, long expected, long value) {
        return UNSAFE.compareAndSetLong(null, at(memory, offset), expected, value);
    }

    /**
     * Sets bits with full ordering; pairs with {@link #getAndSetVolatile} of whoever collects them.
     *
     * @param memory direct
     * @param offset of the word, in bytes
     * @param bits which
     * @return what was there
     */
    public static long getAndOrVolatile(ByteBuffer memory, int offset, long bits) {
        return UNSAFE.getAndBitwiseOrLong(null, at(memory, offset), bits);
    }

    /**
     * Loads what another word's release has published.
     *
     * @param memory direct
     * @param offset of an aligned word of 32 bits, in bytes
     * @return the word
     */
    public static int getInt(ByteBuffer memory, int offset) {
        return UNSAFE.getInt(null, at(memory, offset, Integer.BYTES));
    }

    /**
     * Loads a word of 32 bits with full ordering.
     *
     * @param memory direct
     * @param offset of the word, in bytes
     * @return the word
     */
    public static int getIntVolatile(ByteBuffer memory, int offset) {
        return UNSAFE.getIntVolatile(null, at(memory, offset, Integer.BYTES));
    }

    /**
     * Stores a word of 32 bits with full ordering; pairs with {@link #getIntVolatile} of the same word.
     *
     * @param memory direct
     * @param offset of the word, in bytes
     * @param value what to store
     */
    public static void putIntVolatile(ByteBuffer memory, int offset, int value) {
        UNSAFE.putIntVolatile(null, at(memory, offset, Integer.BYTES), value);
    }

    /**
     * Swaps one value of 32 bits for another, with full ordering.
     *
     * @param memory direct
     * @param offset of the word, in bytes
     * @param expected what is to be there
     * @param value what to store
     * @return whether it was there
     */
    public static boolean compareAndSetInt(ByteBuffer memory, int offset, int expected, int value) {
        return UNSAFE.compareAndSetInt(null, at(memory, offset, Integer.BYTES), expected, value);
    }

    /**
     * Stores what another word's release will publish.
     *
     * @param memory direct
     * @param offset of an aligned word of 32 bits, in bytes
     * @param value what to store
     */
    public static void putInt(ByteBuffer memory, int offset, int value) {
        UNSAFE.putInt(null, at(memory, offset, Integer.BYTES), value);
    }

    /**
     * Loads what another word's release has published.
     *
     * @param memory direct
     * @param offset of the first byte
     * @param bytes filled; a few
     */
    public static void getBytes(ByteBuffer memory, int offset, byte[] bytes) {
        long base = at(memory, offset, bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = UNSAFE.getByte(null, base + i);
        }
    }

    /**
     * Stores what another word's release will publish.
     *
     * @param memory direct
     * @param offset of the first byte
     * @param bytes a few
     */
    public static void putBytes(ByteBuffer memory, int offset, byte[] bytes) {
        long base = at(memory, offset, bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            UNSAFE.putByte(null, base + i, bytes[i]);
        }
    }

    /**
     * Stores zeros, which another word's release will publish.
     *
     * @param memory direct
     * @param bytes how many, from the beginning
     */
    public static void clear(ByteBuffer memory, int bytes) {
        UNSAFE.setMemory(at(memory, 0, bytes), bytes, (byte) 0);
    }

    private static long at(ByteBuffer memory, int offset) {
        return at(memory, offset, Long.BYTES);
    }

    private static long at(ByteBuffer memory, int offset, int bytes) {
        if (offset < 0 || offset > memory.capacity() - bytes || !(memory instanceof DirectBuffer)) {
            throw new IndexOutOfBoundsException(offset);
        }
        return UNSAFE.getLong(memory, ADDRESS) + offset;
    }
}
