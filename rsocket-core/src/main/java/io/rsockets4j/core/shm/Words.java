/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Ordered access to aligned 64-bit words of shared memory. The memory order is in the method's name. */
final class Words {
    private static final VarHandle LONG =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private Words() { }

    /** Loads own or advisory words; orders nothing. */
    static long getOpaque(ByteBuffer memory, int offset) {
        return (long) LONG.getOpaque(memory, offset);
    }

    /** Loads what a peer's {@link #putRelease} of the same word stored; what it stored before is visible after. */
    static long getAcquire(ByteBuffer memory, int offset) {
        return (long) LONG.getAcquire(memory, offset);
    }

    /** Stores a word that only this side writes; orders nothing. */
    static void putOpaque(ByteBuffer memory, int offset, long value) {
        LONG.setOpaque(memory, offset, value);
    }

    /** Stores after everything before it; pairs with the peer's {@link #getAcquire} of the same word. */
    static void putRelease(ByteBuffer memory, int offset, long value) {
        LONG.setRelease(memory, offset, value);
    }

    /** Swaps with full ordering; pairs with itself on the other side. */
    static long getAndSetVolatile(ByteBuffer memory, int offset, long value) {
        return (long) LONG.getAndSet(memory, offset, value);
    }

    /** Swaps one value for another, with full ordering; whether it was there. */
    static boolean compareAndSet(ByteBuffer memory, int offset, long expected, long value) {
        return LONG.compareAndSet(memory, offset, expected, value);
    }

    /** Sets bits with full ordering; pairs with {@link #getAndSetVolatile} of whoever collects them. */
    static long getAndOrVolatile(ByteBuffer memory, int offset, long bits) {
        return (long) LONG.getAndBitwiseOr(memory, offset, bits);
    }
}
