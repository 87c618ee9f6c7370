/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.fabric.SourceMemory;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.verbs.MemoryRegion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The memory of a session's connections, registered with the link that carries them. Rings come in slabs: a connection
 * takes a slot and registers nothing, but for the first ones. Slabs that nobody uses are given up at the second look
 * after that. Thread-safe.
 */
final class SessionMemory {
    private static final Log LOG = Log.of(SessionMemory.class);
    private static final long MIN_SLAB_BYTES = 64 << 10;
    private static final long MAX_SLAB_BYTES = 4 << 20;
    private static final int MAX_KEPT_BYTES = 64 << 20; // what is larger would hold up others, and may be used in part

    private final PinBudget budget;
    private final ReentrantLock lock = new ReentrantLock();
    private LinkMemory link; // guarded by lock
    private final List<RingSlab> slabs = new ArrayList<>(); // guarded by lock
    // guarded by lock; by identity, as a region of one device may look like one of another
    private final Set<MemoryRegion> lent = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Map<SourceMemory, MemoryRegion> kept = new IdentityHashMap<>(); // guarded by lock; they are lent, too
    private final Consumer<SourceMemory> letGo = this::letGo;
    private final AtomicBoolean trimming = new AtomicBoolean();
    private boolean closed; // guarded by lock

    /**
     * Holds nothing yet.
     *
     * @param link where to register
     * @param budget of the process
     */
    SessionMemory(LinkMemory link, PinBudget budget) {
        this.link = link;
        this.budget = budget;
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
            RingSlab slab = RingSlab.create(link.domain(), ringBytes, wanted, budget, use);
            slabs.add(slab);
            return slab;
        } catch (IOException e) {
            throw LinkMemory.explained(e, 2L * ringBytes);
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
     * @return to be given to {@link #takeBack} before the operation ends; null if the session has ended
     * @throws IOException if not so much may be pinned, or the device refuses
     */
    MemoryRegion lend(ByteBuffer buffer, boolean remoteWrite) throws IOException {
        lock.lock();
        try {
            if (closed) {
                return null;
            }
            if (!budget.take(buffer.remaining(), PinBudget.Use.LENT)) {
                throw budget.usedUp(PinBudget.Use.LENT);
            }
            try {
                MemoryRegion region = link.domain().register(buffer, remoteWrite);
                lent.add(region);
                return region;
            } catch (Throwable e) {
                budget.giveBack(buffer.remaining());
                throw e;
            }
        } catch (IOException e) {
            throw LinkMemory.explained(e, buffer.remaining());
        } finally {
            lock.unlock();
        }
    }

    /** Where memory is registered that {@link #keep} was called for, or null. */
    MemoryRegion kept(SourceMemory source) {
        lock.lock();
        try {
            return kept.get(source);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Registers memory that this side's device sends from, until the program lets go of it, a write of it ends early,
     * or the link changes. That gives the peer no right.
     *
     * @param source a program's
     * @return perhaps from an earlier call; null if it cannot be
     */
    MemoryRegion keep(SourceMemory source) {
        lock.lock();
        try {
            MemoryRegion region = kept.get(source);
            int bytes = source.whole().remaining();
            if (region != null || closed || bytes > MAX_KEPT_BYTES || !budget.take(bytes, PinBudget.Use.KEPT)) {
                return region;
            }
            try {
                region = link.domain().register(source.whole(), false);
            } catch (IOException e) { // a part of it may be registered all the same, for each operation
                LOG.log(System.Logger.Level.DEBUG,
                        "rsockets4j: memory is registered for each write: " + e.getMessage());
            } finally {
                if (region == null) {
                    budget.giveBack(bytes);
                }
            }
            if (region != null) {
                kept.put(source, region);
                lent.add(region);
                source.heldBy(letGo);
            }
            return region;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends that, also where this side's device may still read there. Does nothing if it has ended since.
     *
     * @throws IOException if the device refuses; it could still read it
     */
    void takeBack(SourceMemory source, MemoryRegion region) throws IOException {
        lock.lock();
        try {
            if (region != null && kept.get(source) == region) {
                kept.remove(source);
                source.notHeldBy(letGo);
                takeBack(region);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The program lets go of memory, of which nothing is under way. */
    private void letGo(SourceMemory source) {
        lock.lock();
        try {
            link.giveUp(() -> takeBack(source, kept.get(source)));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends a registration for one operation. Does nothing if the session's end, or another link, has done so.
     *
     * @throws IOException if the device refuses; it could still write there
     */
    void takeBack(MemoryRegion region) throws IOException {
        lock.lock();
        try {
            if (lent.remove(region)) {
                try {
                    link.domain().deregister(region);
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
            long bytes = link.bytes();
            for (RingSlab slab : slabs) {
                bytes += slab.bytes();
            }
            return bytes + lentBytes();
        } finally {
            lock.unlock();
        }
    }

    /** How many of them programs have lent. */
    long lentBytes() {
        lock.lock();
        try {
            long bytes = 0;
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

    /** Whether a buffer of the program's is registered with the link that carries the session now. */
    boolean isLent(MemoryRegion region) {
        lock.lock();
        try {
            return lent.contains(region);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Registers all with another link. The queue pair of the one before has gone. What programs have lent is registered
     * no more.
     *
     * @throws IOException if the device refuses, or not so much may be pinned: the session is of no use then
     */
    void moveTo(LinkMemory next) throws IOException {
        lock.lock();
        try {
            giveUpLent();
            for (RingSlab slab : slabs) {
                link.giveUp(slab::release); // before the others, as what may be pinned is bounded
            }
            link = next;
            for (RingSlab slab : slabs) {
                slab.register(next.domain());
            }
        } catch (IOException e) {
            throw LinkMemory.explained(e, pinnedBytes());
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
            giveUpLent();
        } finally {
            lock.unlock();
        }
    }

    private void giveUp(RingSlab slab) {
        link.giveUp(slab::release);
        budget.giveBack(slab.bytes());
    }

    private void giveUpLent() {
        for (MemoryRegion region : lent) {
            link.giveUp(() -> link.domain().deregister(region));
            budget.giveBack(region.length());
        }
        lent.clear();
        kept.keySet().forEach(source -> source.notHeldBy(letGo));
        kept.clear();
    }
}
