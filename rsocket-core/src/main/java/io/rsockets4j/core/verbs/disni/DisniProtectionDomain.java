/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.disni;

import com.ibm.disni.verbs.impl.NativeDispatcher;
import io.rsockets4j.core.verbs.MemoryRegion;
import io.rsockets4j.core.verbs.ProtectionDomain;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** An ibv_pd, and the memory that was allocated for it. */
final class DisniProtectionDomain implements ProtectionDomain {
    private static final int LOCAL_WRITE = 1;
    private static final int REMOTE_WRITE = 2;
    private static final int REMOTE_KEY = 4;
    private static final int HANDLE = 8;
    private static final int RESULT_BYTES = 12;

    private final NativeDispatcher disni;
    private final long pointer;
    private final Queue<ByteBuffer> kept = new ConcurrentLinkedQueue<>(); // a device may write there: never collected

    DisniProtectionDomain(NativeDispatcher disni, long pointer) {
        this.disni = disni;
        this.pointer = pointer;
    }

    long pointer() {
        return pointer;
    }

    @Override
    public ByteBuffer allocate(int bytes) throws IOException {
        ByteBuffer memory = DirectMemory.pages(bytes);
        kept.add(memory);
        return memory;
    }

    @Override
    public MemoryRegion register(ByteBuffer memory, boolean remoteWrite) throws IOException {
        ByteBuffer result = DirectMemory.structs(RESULT_BYTES);
        long at = DirectMemory.address(result);
        long address = DirectMemory.address(memory) + memory.position();
        int length = memory.remaining();
        try {
            disni._regMr(pointer, address, length, LOCAL_WRITE | (remoteWrite ? REMOTE_WRITE : 0), at, at + REMOTE_KEY,
                    at + HANDLE);
        } catch (IOException e) {
            throw DisniErrors.of("ibv_reg_mr", e);
        }
        return new MemoryRegion(address, length, result.getInt(0), result.getInt(REMOTE_KEY));
    }
}
