/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.ffm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Memory by its address: what belongs to the libraries, through pointers that they gave out, and what is shared with
 * them for each message. Nothing is checked but alignment. One segment for all, as a constant, so that an access is one
 * instruction; whoever has allocated the memory keeps it reachable.
 */
final class NativeMemory {
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private NativeMemory() { }

    static byte getByte(long address) {
        return ALL.get(ValueLayout.JAVA_BYTE, address);
    }

    static int getInt(long address) {
        return ALL.get(ValueLayout.JAVA_INT, address);
    }

    static long getLong(long address) {
        return ALL.get(ValueLayout.JAVA_LONG, address);
    }

    static long getPointer(long address) {
        return getLong(address);
    }

    static void putInt(long address, int value) {
        ALL.set(ValueLayout.JAVA_INT, address, value);
    }

    static void putLong(long address, long value) {
        ALL.set(ValueLayout.JAVA_LONG, address, value);
    }

    /** What is an integer in network order, from one in the machine's, or back. */
    static int networkOrder(int value) {
        return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? value : Integer.reverseBytes(value);
    }

    /** Reads a string that ends with a zero. */
    static String getString(long address) {
        return ALL.getString(address);
    }

    /** A view of some bytes. */
    static ByteBuffer buffer(long address, int bytes) {
        return ALL.asSlice(address, bytes).asByteBuffer();
    }
}
