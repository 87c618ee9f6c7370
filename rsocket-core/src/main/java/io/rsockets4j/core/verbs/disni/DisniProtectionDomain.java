/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.disni;

import com.ibm.disni.verbs.impl.NativeDispatcher;
import io.rsockets4j.core.verbs.MemoryRegion;
import io.rsockets4j.core.verbs.ProtectionDomain;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** An ibv_pd, and the memory that is registered with it. */
final class DisniProtectionDomain implements ProtectionDomain {
    private static final int LOCAL_WRITE = 1;
    private static final int REMOTE_WRITE = 2;
    private static final int REMOTE_KEY = 4;
    private static final int HANDLE = 8;
    private static final int RESULT_BYTES = 12;

    private final NativeDispatcher disni;
    private final long pointer;
    private final Map<MemoryRegion, Registration> registrations = new ConcurrentHashMap<>();

    /** An ibv_mr, and its memory: a device may write there, so that it must not be collected. */
    private record Registration(long pointer, ByteBuffer memory) { }

    DisniProtectionDomain(NativeDispatcher disni, long pointer) {
        this.disni = disni;
        this.pointer = pointer;
    }

    long pointer() {
        return pointer;
    }

    @Override
    public ByteBuffer allocate(int bytes) throws IOException {
        return DirectMemory.pages(bytes);
    }

    @Override
    public MemoryRegion register(ByteBuffer memory, boolean remoteWrite) throws IOException {
        ByteBuffer result = DirectMemory.structs(RESULT_BYTES);
        long at = DirectMemory.address(result);
        long address = DirectMemory.address(memory) + memory.position();
        int length = memory.remaining();
        long mr;
        try {
            mr = disni._regMr(pointer, address, length, LOCAL_WRITE | (remoteWrite ? REMOTE_WRITE : 0), at,
                    at + REMOTE_KEY, at + HANDLE);
        } catch (IOException e) {
            throw DisniErrors.of("ibv_reg_mr", e);
        }
        MemoryRegion region = new MemoryRegion(address, length, result.getInt(0), result.getInt(REMOTE_KEY));
        registrations.put(region, new Registration(mr, memory));
        return region;
    }

    @Override
    public void deregister(MemoryRegion region) throws IOException {
        try {
            disni._deregMr(registrations.get(region).pointer());
        } catch (IOException e) {
            throw DisniErrors.of("ibv_dereg_mr", e);
        }
        registrations.remove(region);
    }

    @Override
    public void deallocate() throws IOException {
        int returned = disni._deallocPd(pointer);
        if (returned != 0) {
            throw DisniErrors.unexplained("ibv_dealloc_pd", returned);
        }
    }
}
