/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.memory;

import io.rsockets4j.core.verbs.MemoryRegion;
import io.rsockets4j.core.verbs.ProtectionDomain;
import io.rsockets4j.core.verbs.VerbsException;
import java.nio.ByteBuffer;

/** A protection domain. Addresses are invented, with unregistered space between regions. */
final class MemoryDomain implements ProtectionDomain {
    static final int PAGE_BYTES = 4096;

    private final MemoryDevice device;
    private final MemoryHost host;

    MemoryDomain(MemoryDevice device) {
        this.device = device;
        host = device.host();
        host.countDomain(1);
    }

    MemoryDevice device() {
        return device;
    }

    @Override
    public ByteBuffer allocate(int bytes) {
        if (bytes <= 0 || bytes % PAGE_BYTES != 0) {
            throw new IllegalArgumentException("bytes=" + bytes + " is no multiple of " + PAGE_BYTES);
        }
        return ByteBuffer.allocateDirect(bytes + PAGE_BYTES).alignedSlice(PAGE_BYTES).slice(0, bytes);
    }

    @Override
    public MemoryRegion register(ByteBuffer memory, boolean remoteWrite) throws VerbsException {
        if (!memory.isDirect() || !memory.hasRemaining()) {
            throw new IllegalArgumentException("not direct, or empty: " + memory);
        }
        host.pin(memory.remaining());
        return host.network().regions().add(this, memory, remoteWrite);
    }

    @Override
    public void deregister(MemoryRegion region) throws VerbsException {
        if (!host.network().regions().remove(this, region)) {
            throw Errno.EINVAL.of("ibv_dereg_mr");
        }
        host.unpin(region.length());
    }

    @Override
    public void deallocate() throws VerbsException {
        if (host.network().regions().areOf(this) || host.network().queuePairs().stream()
                .anyMatch(queuePair -> queuePair.domain() == this)) {
            throw Errno.EBUSY.of("ibv_dealloc_pd");
        }
        host.countDomain(-1);
    }
}
