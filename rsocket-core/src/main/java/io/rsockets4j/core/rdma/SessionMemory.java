/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.fabric.PathException;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.verbs.MemoryRegion;
import io.rsockets4j.core.verbs.ProtectionDomain;
import io.rsockets4j.core.verbs.VerbsDevice;
import io.rsockets4j.core.verbs.VerbsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The registered memory of a session, in a protection domain of its own: a key works by this session's queue pair
 * alone, and by none once the session has ended. Rings come in slabs: a connection takes a slot and registers nothing,
 * but for the first ones. Slabs that nobody uses are given up at the second look after that. Thread-safe.
 */
final class SessionMemory {
    private static final Log LOG = Log.of(SessionMemory.class);
    private static final int ENOMEM = 12;
    private static final long MIN_SLAB_BYTES = 64 << 10;
    private static final long MAX_SLAB_BYTES = 4 << 20;

    private final String deviceName;
    private final PinBudget budget;
    private final ProtectionDomain domain;
    private final MemoryRegion messageRegion;
    private final MessageBuffers messages;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<RingSlab> slabs = new ArrayList<>(); // guarded by lock
    private final Set<MemoryRegion> lent = new HashSet<>(); // guarded by lock
    private final AtomicBoolean trimming = new AtomicBoolean();
    private boolean closed; // guarded by lock

    /**
     * Registers what each session needs.
     *
     * @param device of the session
     * @param budget of the process
     * @throws IOException if there is no memory, or not so much may be pinned; nothing stays registered
     */
    SessionMemory(VerbsDevice device, PinBudget budget) throws IOException {
        deviceName = device.name();
        this.budget = budget;
        pinSoon(MessageBuffers.BYTES, PinBudget.Use.CONNECTIONS);
        try {
            domain = device.allocateProtectionDomain();
        } catch (IOException e) {
            budget.giveBack(MessageBuffers.BYTES);
            throw e;
        }
        try {
            ByteBuffer memory = domain.allocate(MessageBuffers.BYTES);
            messageRegion = domain.register(memory, false);
            messages = new MessageBuffers(memory, messageRegion.address(), messageRegion.localKey());
        } catch (IOException e) {
            giveUp(domain::deallocate);
            budget.giveBack(MessageBuffers.BYTES);
            throw explained(e, MessageBuffers.BYTES);
        }
    }

    private void pinSoon(long bytes, PinBudget.Use use) throws PathException {
        if (!budget.take(bytes, use)) {
            throw budget.usedUp(use);
        }
    }

    private static IOException explained(IOException e, long bytes) {
        return e instanceof VerbsException failed && failed.errno() == ENOMEM
                ? new PathException(Reason.MEMLOCK, MemoryLimit.explain(bytes), e) : e;
    }

    ProtectionDomain domain() {
        return domain;
    }

    MessageBuffers messages() {
        return messages;
    }

    /**
     * Takes a slot.
     *
     * @param ringBytes the size of its ring; few sizes are ever asked for
     * @param use what for
     * @throws IOException if there is no memory, or not so much may be pinned, or the session has ended
     */
    RingSlot take(int ringBytes, PinBudget.Use use) throws IOException {
        lock.lock();
        try {
            if (closed) {
                throw new IOException("the session has ended");
            }
            long bytes = 0;
            for (RingSlab slab : slabs) {
                if (slab.ringBytes() == ringBytes) {
                    RingSlot slot = slab.take();
                    if (slot != null) {
                        return slot;
                    }
                    bytes += slab.bytes();
                }
            }
            return add(ringBytes, Math.min(Math.max(bytes, MIN_SLAB_BYTES), MAX_SLAB_BYTES), use).take();
        } finally {
            lock.unlock();
        }
    }

    private RingSlab add(int ringBytes, long wanted, PinBudget.Use use) throws IOException {
        try {
            RingSlab slab = RingSlab.create(domain, ringBytes, wanted, budget, use);
            slabs.add(slab);
            return slab;
        } catch (IOException e) {
            throw explained(e, 2L * ringBytes);
        }
    }

    /** Gives a slot back, once neither side's device can touch it any more. */
    void giveBack(RingSlot slot) {
        lock.lock();
        try {
            for (RingSlab slab : slabs) {
                if (slab.giveBack(slot)) {
                    return;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Registers a buffer of the program's for one operation.
     *
     * @param buffer direct; from its position to its limit
     * @param remoteWrite whether the peer may write there; else this side's device sends from there
     * @return to be given to {@link #takeBack} before the operation ends
     * @throws IOException if not so much may be pinned, the device refuses, or the session has ended
     */
    MemoryRegion lend(ByteBuffer buffer, boolean remoteWrite) throws IOException {
        lock.lock();
        try {
            if (closed) {
                throw new IOException("the session has ended");
            }
            pinSoon(buffer.remaining(), PinBudget.Use.SPEED);
            try {
                MemoryRegion region = domain.register(buffer, remoteWrite);
                lent.add(region);
                return region;
            } catch (Throwable e) {
                budget.giveBack(buffer.remaining());
                throw e;
            }
        } catch (IOException e) {
            throw explained(e, buffer.remaining());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends such a registration. Does nothing if the session's end has done so.
     *
     * @throws IOException if the device refuses; it could still write there
     */
    void takeBack(MemoryRegion region) throws IOException {
        lock.lock();
        try {
            if (lent.remove(region)) {
                try {
                    domain.deregister(region);
                } finally {
                    budget.giveBack(region.length());
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** How many bytes are registered now, for reports. */
    long pinnedBytes() {
        lock.lock();
        try {
            if (closed) {
                return 0;
            }
            long bytes = messageRegion.length();
            for (RingSlab slab : slabs) {
                bytes += slab.bytes();
            }
            for (MemoryRegion region : lent) {
                bytes += region.length();
            }
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether somebody has to call {@link #trim} later, who does not know it yet. */
    boolean beginTrimming() {
        return trimming.compareAndSet(false, true);
    }

    /** Gives up what nobody used since the last call. Returns whether anything is left. */
    boolean trim() {
        trimming.set(false);
        lock.lock();
        try {
            for (Iterator<RingSlab> all = slabs.iterator(); all.hasNext();) {
                RingSlab slab = all.next();
                if (slab.isIdle()) {
                    all.remove();
                    giveUp(slab);
                }
            }
            return !slabs.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Gives up everything: the queue pair has gone. What programs have not read they can read all the same. */
    void close() {
        lock.lock();
        try {
            closed = true;
            slabs.forEach(this::giveUp);
            slabs.clear();
            for (MemoryRegion region : lent) {
                giveUp(() -> domain.deregister(region));
                budget.giveBack(region.length());
            }
            lent.clear();
            giveUp(() -> domain.deregister(messageRegion));
            budget.giveBack(MessageBuffers.BYTES);
            giveUp(domain::deallocate);
        } finally {
            lock.unlock();
        }
    }

    private void giveUp(RingSlab slab) {
        giveUp(slab::release);
        budget.giveBack(slab.bytes());
    }

    /** Something to give up. */
    private interface Resource {
        void release() throws IOException;
    }

    private void giveUp(Resource resource) {
        try {
            resource.release();
        } catch (IOException e) { // it stays with the device; the rest is given up all the same
            LOG.log(System.Logger.Level.DEBUG, "rsockets4j: " + deviceName + " keeps memory: " + e.getMessage());
        }
    }
}
