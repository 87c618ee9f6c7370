/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.verbs.MemoryRegion;
import io.rsockets4j.core.verbs.ProtectionDomain;
import io.rsockets4j.core.verbs.VerbsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;

/** Slots of one size that were registered together, and are given up together. For one thread at a time. */
final class RingSlab {
    private final int ringBytes;
    private final ByteBuffer ringMemory;
    private final ByteBuffer stagingMemory;
    private ProtectionDomain domain;
    private MemoryRegion rings; // null while not registered, as the next one
    private MemoryRegion staging;
    private final ArrayDeque<RingSlot> free = new ArrayDeque<>();
    private final Set<RingSlot> taken = new HashSet<>();
    private boolean quiet; // unused since the last look

    /**
     * Allocates and registers slots.
     *
     * @param domain of the session
     * @param ringBytes the size of each ring, a multiple of 4096
     * @param slots how many
     * @throws IOException if there is no memory for them; nothing stays registered
     */
    private RingSlab(ProtectionDomain domain, int ringBytes, int slots) throws IOException {
        this.ringBytes = ringBytes;
        ringMemory = domain.allocate(slots * ringBytes);
        stagingMemory = domain.allocate(slots * ringBytes);
        for (int i = 0; i < slots; i++) {
            int at = i * ringBytes;
            free.add(new RingSlot(at, ringMemory.slice(at, ringBytes), stagingMemory.slice(at, ringBytes)));
        }
        register(domain);
    }

    /**
     * Registers with a domain, where this is registered with none: each slot has its keys then.
     *
     * @throws IOException if there is no memory for it; nothing stays registered
     */
    void register(ProtectionDomain with) throws IOException {
        MemoryRegion newRings = with.register(ringMemory, true);
        try {
            staging = with.register(stagingMemory, false);
        } catch (IOException e) {
            with.deregister(newRings);
            throw e;
        }
        rings = newRings;
        domain = with;
        free.forEach(this::tellKeys);
        taken.forEach(this::tellKeys);
    }

    private void tellKeys(RingSlot slot) {
        slot.register(new RemoteRing(rings.address() + slot.offset(), ringBytes, rings.remoteKey()),
                staging.address() + slot.offset(), staging.localKey());
    }

    /**
     * Makes a slab, which the budget counts; a smaller one where no more may be pinned.
     *
     * @param domain of the session
     * @param ringBytes the size of each ring
     * @param wantedBytes how large it may be, unless one slot is larger
     * @param budget of the process
     * @param use what for
     * @throws IOException if there is no memory for one slot
     */
    static RingSlab create(ProtectionDomain domain, int ringBytes, long wantedBytes, PinBudget budget,
            PinBudget.Use use) throws IOException {
        for (int slots = (int) Math.max(1, wantedBytes / (2L * ringBytes)); true; slots = Math.max(1, slots / 4)) {
            try {
                RingSlab slab = tryCreate(domain, ringBytes, slots, budget, use);
                if (slab != null) {
                    return slab;
                }
            } catch (VerbsException e) {
                if (!e.isOutOfMemory() || slots == 1) {
                    throw e;
                }
            }
            if (slots == 1) {
                throw budget.usedUp(use);
            }
        }
    }

    /** Returns null if the budget does not have so much. */
    private static RingSlab tryCreate(ProtectionDomain domain, int ringBytes, int slots, PinBudget budget,
            PinBudget.Use use) throws IOException {
        long bytes = 2L * ringBytes * slots;
        if (!budget.take(bytes, use)) {
            return null;
        }
        try {
            return new RingSlab(domain, ringBytes, slots);
        } catch (Throwable e) {
            budget.giveBack(bytes);
            throw e;
        }
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

    /** The size of each ring. */
    int ringBytes() {
        return ringBytes;
    }

    /** The bytes that are registered. */
    long bytes() {
        return 2L * ringMemory.capacity();
    }

    /** Whether no slot was in use since this was asked before. */
    boolean isIdle() {
        boolean before = quiet;
        quiet = taken.isEmpty();
        return before && quiet;
    }

    /**
     * Ends all registrations. Idempotent.
     *
     * @throws IOException if the device keeps some of them
     */
    void release() throws IOException {
        MemoryRegion oldRings = rings;
        MemoryRegion oldStaging = staging;
        if (oldRings == null) {
            return;
        }
        rings = null;
        staging = null;
        try {
            domain.deregister(oldRings);
        } finally {
            domain.deregister(oldStaging);
        }
    }
}
