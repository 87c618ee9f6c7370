/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.fabric.PathException;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.verbs.MemoryRegion;
import io.rsockets4j.core.verbs.ProtectionDomain;
import io.rsockets4j.core.verbs.VerbsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Registered memory for connections, in slabs that stay registered: setting up a connection takes a slot and registers
 * nothing, but for the first ones. Each ring has a key of its own, so that no peer holds a key to another's ring.
 * Thread-safe.
 */
final class RingPool {
    private static final int PAGE_BYTES = 4096;
    private static final int SLAB_BYTES = 4 << 20;
    private static final int ENOMEM = 12;

    private final ProtectionDomain domain;
    private final int ringBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<RingSlot> free = new ArrayDeque<>(); // guarded by lock

    RingPool(ProtectionDomain domain, int ringBytes) {
        this.domain = domain;
        this.ringBytes = ringBytes;
    }

    /**
     * Takes a slot.
     *
     * @throws IOException if there is no memory, or not so much may be pinned
     */
    RingSlot take() throws IOException {
        lock.lock();
        try {
            RingSlot slot = free.poll();
            if (slot != null) {
                return slot;
            }
            addSlab();
            return free.poll();
        } finally {
            lock.unlock();
        }
    }

    /** Gives a slot back, once no queue pair can touch it any more. */
    void giveBack(RingSlot slot) {
        lock.lock();
        try {
            free.addFirst(slot); // its memory is the likeliest to be cached
        } finally {
            lock.unlock();
        }
    }

    private void addSlab() throws IOException {
        int localBytes = RingSlot.localBytes(ringBytes) + PAGE_BYTES - 1 & -PAGE_BYTES;
        int slots = Math.max(1, SLAB_BYTES / (ringBytes + localBytes));
        ByteBuffer rings = domain.allocate(slots * ringBytes);
        ByteBuffer locals = domain.allocate(slots * localBytes);
        try {
            MemoryRegion local = domain.register(locals, false);
            for (int i = 0; i < slots; i++) {
                ByteBuffer ring = rings.slice(i * ringBytes, ringBytes);
                free.add(new RingSlot(ring, domain.register(ring, true), locals.slice(i * localBytes, localBytes),
                        local.address() + (long) i * localBytes, local.localKey()));
            }
        } catch (VerbsException e) {
            if (free.isEmpty()) {
                throw e.errno() == ENOMEM
                        ? new PathException(Reason.MEMLOCK,
                                MemoryLimit.explain((long) slots * (ringBytes + localBytes)), e) : e;
            }
        }
    }
}
