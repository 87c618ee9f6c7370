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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Slots that were registered together, and are given up together. For one thread at a time. */
final class RingSlab {
    private static final int PAGE_BYTES = 4096;
    private static final int ENOMEM = 12;

    private final ProtectionDomain domain;
    private final List<MemoryRegion> regions = new ArrayList<>();
    private final ArrayDeque<RingSlot> free = new ArrayDeque<>();
    private final Set<RingSlot> taken = new HashSet<>();
    private boolean quiet; // unused since the last look

    /**
     * Allocates and registers slots; fewer where no more may be pinned.
     *
     * @param domain of all regions
     * @param ringBytes the size of each ring
     * @param bytes how large it may be, unless one slot is larger
     * @throws IOException if there is no memory for one slot; nothing stays registered
     */
    RingSlab(ProtectionDomain domain, int ringBytes, long bytes) throws IOException {
        this.domain = domain;
        int localBytes = RingSlot.localBytes(ringBytes) + PAGE_BYTES - 1 & -PAGE_BYTES;
        int slots = (int) Math.max(1, bytes / (ringBytes + localBytes));
        ByteBuffer rings = domain.allocate(slots * ringBytes);
        ByteBuffer locals = domain.allocate(slots * localBytes);
        try {
            MemoryRegion local = register(locals, false);
            for (int i = 0; i < slots; i++) {
                ByteBuffer ring = rings.slice(i * ringBytes, ringBytes);
                free.add(new RingSlot(ring, register(ring, true), locals.slice(i * localBytes, localBytes),
                        local.address() + (long) i * localBytes, local.localKey()));
            }
        } catch (IOException e) {
            if (free.isEmpty()) {
                release(e);
                throw e instanceof VerbsException failed && failed.errno() == ENOMEM ? new PathException(
                        Reason.MEMLOCK, MemoryLimit.explain((long) slots * (ringBytes + localBytes)), e) : e;
            }
        }
    }

    private MemoryRegion register(ByteBuffer memory, boolean remoteWrite) throws IOException {
        MemoryRegion region = domain.register(memory, remoteWrite);
        regions.add(region);
        return region;
    }

    /** Takes a slot; null when none is free. */
    RingSlot take() {
        RingSlot slot = free.poll();
        if (slot != null) {
            quiet = false;
            taken.add(slot);
        }
        return slot;
    }

    /** Gives a slot back. Returns false if it is none of this slab's. */
    boolean giveBack(RingSlot slot) {
        if (!taken.remove(slot)) {
            return false;
        }
        free.addFirst(slot); // its memory is the likeliest to be cached
        return true;
    }

    /** The bytes that are registered. */
    long bytes() {
        return regions.stream().mapToLong(MemoryRegion::length).sum();
    }

    /** Whether no slot was in use since this was asked before. */
    boolean isIdle() {
        boolean before = quiet;
        quiet = taken.isEmpty();
        return before && quiet;
    }

    private void release(IOException cause) {
        try {
            release();
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    /**
     * Ends all registrations.
     *
     * @throws IOException if the device keeps some of them
     */
    void release() throws IOException {
        IOException kept = null;
        for (MemoryRegion region : regions) {
            try {
                domain.deregister(region);
            } catch (IOException e) { // the others are ended all the same
                kept = e;
            }
        }
        if (kept != null) {
            throw kept;
        }
    }
}
