/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.ffm;

import io.rsockets4j.core.verbs.MemoryRegion;
import io.rsockets4j.core.verbs.ProtectionDomain;
import io.rsockets4j.core.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** A protection domain (ibv_pd). */
final class FfmProtectionDomain implements ProtectionDomain {
    private static final int PAGE_BYTES = 4096;

    private final long pointer;

    FfmProtectionDomain(long pointer) {
        this.pointer = pointer;
    }

    long pointer() {
        return pointer;
    }

    /** Mapped, since what java.lang.foreign allocates counts as direct memory. */
    @Override
    public ByteBuffer allocate(int bytes) throws VerbsException {
        if (bytes <= 0 || bytes % PAGE_BYTES != 0) {
            throw new IllegalArgumentException("bytes=" + bytes + " is no multiple of " + PAGE_BYTES);
        }
        return NativeMemory.buffer(Libc.map(bytes), bytes);
    }

    @Override
    public MemoryRegion register(ByteBuffer memory, boolean remoteWrite) throws VerbsException {
        if (!memory.isDirect() || !memory.hasRemaining()) {
            throw new IllegalArgumentException("not direct, or empty: " + memory);
        }
        long address = MemorySegment.ofBuffer(memory).address();
        int access = VerbsDescriptor.ACCESS_LOCAL_WRITE | (remoteWrite ? VerbsDescriptor.ACCESS_REMOTE_WRITE : 0);
        long region = Verbs.REG_MR.callPointer(pointer, address, (long) memory.remaining(), access);
        return new MemoryRegion(address, memory.remaining(), NativeMemory.getInt(region + VerbsDescriptor.MR_LKEY),
                NativeMemory.getInt(region + VerbsDescriptor.MR_RKEY));
    }
}
