/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.shm.ring.SlotFile;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The slots of an initiator: free ones, last used first, so that their memory is warm, and lingering ones, which this
 * side has closed and the acceptor has not. A slot's local port stays taken as long as it lingers, but no longer than
 * {@link HeldPorts} allows.
 */
final class SlotPool implements Runnable {
    private static final int POLLS_PER_TAKE = 8;
    private static final long SWEEP_NANOS = 1_000_000_000L;

    private final Session session;
    private final HeldPorts ports;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<ShmLink> lingering = new ArrayDeque<>(); // guarded by lock
    private int holding; // guarded by lock: ports of those
    private int[] free = {}; // guarded by lock; a stack
    private int freeCount; // guarded by lock
    private long[] generations = {}; // guarded by lock; by slot
    private final List<FileUse> files = new ArrayList<>(); // guarded by lock
    private boolean emptying; // guarded by lock: to empty idle files is scheduled
    private boolean sweeping; // guarded by lock: a sweep is scheduled

    /** How much of a slot file is in use; guarded by the pool's lock. */
    private static final class FileUse {
        private int slots; // that are not free
        private long idleSince;
        private boolean empty = true;
    }

    SlotPool(Session session) {
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
            files.add(new FileUse());
        } finally {
            lock.unlock();
        }
    }

    /** Takes a slot for a new connection: clean, its first pages there. Negative when there is none. */
    int take() throws IOException {
        int slot = tryTake();
        if (slot >= 0) {
            prepare(slot);
        }
        return slot;
    }

    private int tryTake() {
        lock.lock();
        try {
            reclaim(POLLS_PER_TAKE);
            if (freeCount == 0) {
                reclaim(lingering.size());
            }
            if (freeCount == 0) {
                return -1;
            }
            int slot = free[--freeCount];
            generations[slot]++;
            FileUse file = fileOf(slot);
            file.slots++;
            file.empty = false;
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

    /** Which connection a taken slot is for. Under the lock. */
    long generation(int slot) {
        return generations[slot];
    }

    /** Returns a slot that was taken and not used. */
    void giveBack(int slot) {
        lock.lock();
        try {
            free(slot);
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
                free(link.slot());
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
            session.context().service().schedule(this, SWEEP_NANOS);
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
                session.context().service().schedule(this, SWEEP_NANOS);
            }
        } finally {
            lock.unlock();
        }
    }

    private void reclaim(int looks) {
        for (int i = Math.min(looks, lingering.size()); i > 0; i--) {
            ShmLink link = lingering.poll();
            if (link.isSlotReleased()) {
                free(link.slot());
                releasePort(link);
            } else {
                lingering.add(link);
            }
        }
    }

    private FileUse fileOf(int slot) {
        return files.get(slot / session.slotFiles().get(0).slots());
    }

    private void free(int slot) {
        free[freeCount++] = slot;
        FileUse file = fileOf(slot);
        file.slots--;
        if (file.slots == 0) {
            file.idleSince = System.nanoTime();
            if (!emptying) {
                emptying = true;
                emptyLater();
            }
        }
    }

    private void emptyLater() {
        session.context().service().schedule(new EmptyIdleFiles(this), session.context().budget().idleNanos());
    }

    /** A class, as a lambda would cost a process at its first close. */
    private record EmptyIdleFiles(SlotPool pool) implements Runnable {
        @Override
        public void run() {
            pool.emptyIdleFiles();
        }
    }

    /** Gives the memory of files back in which nobody has had a connection for a while. The service thread. */
    private void emptyIdleFiles() {
        try {
            tryToEmptyIdleFiles();
        } catch (IOException e) {
            session.failed(e);
        } catch (InternalError e) {
            session.faulted(e);
        }
    }

    private void tryToEmptyIdleFiles() throws IOException {
        lock.lock();
        try {
            emptying = false;
            for (int i = 0; i < files.size(); i++) {
                FileUse file = files.get(i);
                if (file.slots == 0 && !file.empty && !session.isPeerGone()) { // who may still read, if it has gone
                    emptyIfIdle(file, session.slotFiles().get(i));
                }
            }
            if (emptying) {
                emptyLater();
            }
        } finally {
            lock.unlock();
        }
    }

    private void emptyIfIdle(FileUse file, SlotFile memory) throws IOException {
        if (System.nanoTime() - file.idleSince < session.context().budget().idleNanos()) {
            emptying = true;
        } else {
            memory.empty();
            file.empty = true;
        }
    }

    private void releasePort(ShmLink lingered) {
        if (lingered.releasePort()) {
            holding--;
            ports.remove();
        }
    }

    /** Gives the ports back of links that linger for so long; the last ones first, which may be the only ones. */
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
                free(link.slot());
                releasePort(link);
            }
        } finally {
            lock.unlock();
        }
    }
}
