/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Iterator;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The slots of an initiator: free ones, last used first, so that their memory is warm, and lingering ones, which this
 * side has closed and the acceptor has not. A slot's local port stays taken as long as it lingers, but no longer than
 * {@link HeldPorts} allows.
 */
final class SlotPool implements Runnable {
    private static final int LOOKS_PER_TAKE = 8;
    private static final long SWEEP_NANOS = 1_000_000_000L;

    private final InitiatorSession session;
    private final HeldPorts ports;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<ShmLink> lingering = new ArrayDeque<>(); // guarded by lock
    private int holding; // guarded by lock: ports of those
    private int[] free = {}; // guarded by lock; a stack
    private int freeCount; // guarded by lock
    private long[] generations = {}; // guarded by lock; by slot
    private boolean sweeping; // guarded by lock: a sweep is scheduled

    SlotPool(InitiatorSession session) {
        this.session = session;
        this.ports = session.context().heldPorts();
    }

    ReentrantLock lock() {
        return lock;
    }

    /** Adds new slots. */
    void add(int first, int count) {
        lock.lock();
        try {
            free = Arrays.copyOf(free, first + count);
            generations = Arrays.copyOf(generations, first + count);
            for (int slot = first + count - 1; slot >= first; slot--) {
                free[freeCount++] = slot;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes a slot for a new connection: clean, its first pages there. Waits for more slots when there are none. */
    int take(long deadlineNanos) throws IOException {
        for (;;) {
            int slot = tryTake();
            if (slot >= 0) {
                prepare(slot);
                return slot;
            }
            session.grow().await(deadlineNanos);
        }
    }

    private int tryTake() {
        lock.lock();
        try {
            reclaim(LOOKS_PER_TAKE);
            if (freeCount == 0) {
                reclaim(lingering.size());
            }
            if (freeCount == 0) {
                return -1;
            }
            int slot = free[--freeCount];
            generations[slot]++;
            return slot;
        } finally {
            lock.unlock();
        }
    }

    /** Whether {@link #take} would find a slot. */
    boolean hasFree() {
        lock.lock();
        try {
            return freeCount > 0;
        } finally {
            lock.unlock();
        }
    }

    private void prepare(int slot) throws IOException {
        SlotFile first = session.slotFiles().get(0);
        SlotFile slots = session.slotFiles().get(slot / first.slots());
        try {
            slots.reset(slot % first.slots());
        } catch (IOException e) {
            giveBack(slot);
            throw e;
        }
    }

    /** Which connection a taken slot is for. */
    long generation(int slot) {
        lock.lock();
        try {
            return generations[slot];
        } finally {
            lock.unlock();
        }
    }

    /** Returns a slot that was taken and not used. */
    void giveBack(int slot) {
        lock.lock();
        try {
            free[freeCount++] = slot;
        } finally {
            lock.unlock();
        }
    }

    /** This side has closed a connection. */
    void released(ShmLink link) {
        boolean schedule;
        lock.lock();
        try {
            if (session.isPeerGone() || link.isSlotReleased()) {
                free(link);
                link.releasePort();
                return;
            }
            link.linger();
            lingering.add(link);
            holding++;
            if (ports.add()) {
                releasePorts(0);
            }
            schedule = !sweeping;
            sweeping = true;
        } finally {
            lock.unlock();
        }
        if (schedule) {
            session.context().doorbell().schedule(this, SWEEP_NANOS);
        }
    }

    /**
     * Frees what the acceptor has closed meanwhile, so that ports and descriptors do not wait for the next connect, and
     * ports that were held for long. The service thread, each second while there is anything.
     */
    @Override
    public void run() {
        lock.lock();
        try {
            reclaim(lingering.size());
            releasePorts(ports.nanos());
            sweeping = !lingering.isEmpty();
            if (sweeping) {
                session.context().doorbell().schedule(this, SWEEP_NANOS);
            }
        } finally {
            lock.unlock();
        }
    }

    private void reclaim(int looks) {
        for (int i = Math.min(looks, lingering.size()); i > 0; i--) {
            ShmLink link = lingering.poll();
            if (link.isSlotReleased()) {
                free(link);
                releasePort(link);
            } else {
                lingering.add(link);
            }
        }
    }

    private void free(ShmLink link) {
        free[freeCount++] = link.slot();
    }

    private void releasePort(ShmLink lingered) {
        if (lingered.releasePort()) {
            holding--;
            ports.remove();
        }
    }

    /** Gives the ports back of what lingers for so long; the last come first, who may be the only ones. */
    private void releasePorts(long nanos) {
        for (Iterator<ShmLink> links = lingering.descendingIterator(); holding > 0 && links.hasNext();) {
            ShmLink link = links.next();
            if (link.hasLingered(nanos)) {
                releasePort(link);
            }
        }
    }

    /** The peer has gone: nothing lingers any more. */
    void releaseAll() {
        lock.lock();
        try {
            for (ShmLink link = lingering.poll(); link != null; link = lingering.poll()) {
                free(link);
                releasePort(link);
            }
        } finally {
            lock.unlock();
        }
    }
}
