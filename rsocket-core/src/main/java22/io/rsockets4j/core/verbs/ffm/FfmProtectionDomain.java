/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.ffm;

import io.rsockets4j.core.verbs.MemoryRegion;
import io.rsockets4j.core.verbs.ProtectionDomain;
import io.rsockets4j.core.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A protection domain (ibv_pd), and the memory that is registered with it. */
final class FfmProtectionDomain implements ProtectionDomain {
    private static final int PAGE_BYTES = 4096;

    private final long pointer;
    private final Map<MemoryRegion, Registration> registrations = new ConcurrentHashMap<>();

    /** An ibv_mr, and its memory: a device may write there, so that it must not be collected. */
    private record Registration(long pointer, ByteBuffer memory) { }

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
        return Libc.map(bytes);
    }

    @Override
    public MemoryRegion register(ByteBuffer memory, boolean remoteWrite) throws VerbsException {
        if (!memory.isDirect() || !memory.hasRemaining()) {
            throw new IllegalArgumentException("not direct, or empty: " + memory);
        }
        long address = MemorySegment.ofBuffer(memory).address();
        int access = VerbsDescriptor.ACCESS_LOCAL_WRITE | (remoteWrite ? VerbsDescriptor.ACCESS_REMOTE_WRITE : 0);
        long mr = Verbs.REG_MR.callPointer(pointer, address, (long) memory.remaining(), access);
        MemoryRegion region = new MemoryRegion(address, memory.remaining(),
                NativeMemory.getInt(mr + VerbsDescriptor.MR_LKEY), NativeMemory.getInt(mr + VerbsDescriptor.MR_RKEY));
        registrations.put(region, new Registration(mr, memory));
        return region;
    }

    @Override
    public void deregister(MemoryRegion region) throws VerbsException {
        Verbs.DEREG_MR.callErrno(registrations.get(region).pointer());
        registrations.remove(region);
    }

    @Override
    public void deallocate() throws VerbsException {
        Verbs.DEALLOC_PD.callErrno(pointer);
    }
}
