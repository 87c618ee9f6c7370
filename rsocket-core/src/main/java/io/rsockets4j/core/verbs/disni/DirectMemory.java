/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.disni;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import sun.nio.ch.DirectBuffer;

/** Direct buffers and their addresses. */
final class DirectMemory {
    private static final int PAGE_BYTES = 4096;
    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private DirectMemory() { }

    /** Memory for structs, zeroed, in native byte order. Whoever gives its address away keeps it reachable. */
    static ByteBuffer structs(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    /**
     * Memory that starts at a page, zeroed.
     *
     * @throws IOException if there is no more
     */
    static ByteBuffer pages(int bytes) throws IOException {
        try {
            return ByteBuffer.allocateDirect(Math.addExact(bytes, PAGE_BYTES - 1)).alignedSlice(PAGE_BYTES)
                    .slice(0, bytes);
        } catch (OutOfMemoryError e) {
            throw new IOException("cannot allocate " + bytes + " bytes for RDMA: " + e.getMessage()
                    + ". With DiSNI they count as direct buffers: raise -XX:MaxDirectMemorySize", e);
        }
    }

    /** Where a buffer's first byte is, whatever its position. */
    static long address(ByteBuffer direct) {
        return ((DirectBuffer) direct).address();
    }

    /** From this machine's byte order to the network's, or back. */
    static int swap(int value) {
        return LITTLE_ENDIAN ? Integer.reverseBytes(value) : value;
    }
}
