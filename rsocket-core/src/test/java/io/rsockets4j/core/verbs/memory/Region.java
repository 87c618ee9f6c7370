/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.memory;

import io.rsockets4j.core.verbs.MemoryRegion;
import java.nio.ByteBuffer;

/** Registered memory, with what is allowed there. */
record Region(MemoryDomain domain, ByteBuffer memory, MemoryRegion mr, boolean remoteWrite) {
    /** The offset of a range in this region, or -1 if it is not inside. */
    int offset(long address, int length) {
        long offset = address - mr.address();
        return length >= 0 && offset >= 0 && offset <= memory.capacity() - length ? (int) offset : -1;
    }
}
