/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import io.rsockets4j.exs.RegisteredMemory;
import java.nio.ByteBuffer;

/** Buffers of one size, in memory that is registered once: each begins so many bytes behind a page's begin. */
final class ExsBuffers {
    private static final int PAGE_BYTES = 4096;

    private final RegisteredMemory memory;
    private final int sizeBytes;
    private final int first;
    private final int stride;

    ExsBuffers(int count, int sizeBytes, int offset) {
        this.sizeBytes = sizeBytes;
        stride = Math.addExact(Math.addExact(sizeBytes, offset), PAGE_BYTES - 1) & -PAGE_BYTES;
        memory = RegisteredMemory.allocate(Math.addExact(Math.multiplyExact(count, stride), PAGE_BYTES - 1));
        int behindPage = memory.buffer().alignmentOffset(0, PAGE_BYTES);
        first = (PAGE_BYTES - behindPage) % PAGE_BYTES + offset;
    }

    RegisteredMemory memory() {
        return memory;
    }

    int sizeBytes() {
        return sizeBytes;
    }

    /** Where a buffer begins. */
    int at(int index) {
        return first + index * stride;
    }

    /** The first bytes of a buffer. */
    ByteBuffer bytes(int index, int length) {
        return memory.buffer().slice(at(index), length);
    }
}
