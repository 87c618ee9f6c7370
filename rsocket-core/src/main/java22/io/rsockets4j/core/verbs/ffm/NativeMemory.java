/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.ffm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;

/** Reads what belongs to the libraries, through pointers that they gave out. */
final class NativeMemory {
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private NativeMemory() { }

    static byte getByte(long address) {
        return ALL.get(ValueLayout.JAVA_BYTE, address);
    }

    static int getInt(long address) {
        return ALL.get(ValueLayout.JAVA_INT, address);
    }

    static long getPointer(long address) {
        return ALL.get(ValueLayout.JAVA_LONG, address);
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
