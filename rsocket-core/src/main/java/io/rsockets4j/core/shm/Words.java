/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import java.nio.ByteBuffer;
import jdk.internal.misc.Unsafe;
import sun.nio.ch.DirectBuffer;

/**
 * Ordered access to aligned 64-bit words of shared memory. The memory order is in the method's name.
 *
 * <p>By the JDK's own Unsafe rather than a VarHandle: the same instructions once compiled, but a tenth of the work for
 * the interpreter and half of it for the compilers, which is what a young process pays. Callers keep the memory
 * reachable: a field of theirs holds it.
 */
final class Words {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    private Words() { }

    /** Loads own or advisory words; orders nothing. */
    static long getOpaque(ByteBuffer memory, int offset) {
        return UNSAFE.getLongOpaque(null, at(memory, offset));
    }

    /** Loads what a peer's {@link #putRelease} of the same word stored; what it stored before is visible after. */
    static long getAcquire(ByteBuffer memory, int offset) {
        return UNSAFE.getLongAcquire(null, at(memory, offset));
    }

    /** The index of the first word, from one on, that is not zero as {@link #getAcquire} sees it; or else the end. */
    static int nextSet(ByteBuffer memory, int offset, int from, int end) {
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

    /** Stores a word that only this side writes; orders nothing. */
    static void putOpaque(ByteBuffer memory, int offset, long value) {
        UNSAFE.putLongOpaque(null, at(memory, offset), value);
    }

    /** Stores after everything before it; pairs with the peer's {@link #getAcquire} of the same word. */
    static void putRelease(ByteBuffer memory, int offset, long value) {
        UNSAFE.putLongRelease(null, at(memory, offset), value);
    }

    /** Swaps with full ordering; pairs with itself on the other side. */
    static long getAndSetVolatile(ByteBuffer memory, int offset, long value) {
        return UNSAFE.getAndSetLong(null, at(memory, offset), value);
    }

    /** Swaps one value for another, with full ordering; whether it was there. */
    static boolean compareAndSet(ByteBuffer memory, int offset, long expected, long value) {
        return UNSAFE.compareAndSetLong(null, at(memory, offset), expected, value);
    }

    /** Sets bits with full ordering; pairs with {@link #getAndSetVolatile} of whoever collects them. */
    static long getAndOrVolatile(ByteBuffer memory, int offset, long bits) {
        return UNSAFE.getAndBitwiseOrLong(null, at(memory, offset), bits);
    }

    private static long at(ByteBuffer memory, int offset) {
        if (offset < 0 || offset > memory.capacity() - Long.BYTES) {
            throw new IndexOutOfBoundsException(offset);
        }
        return ((DirectBuffer) memory).address() + offset;
    }
}
