/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm.ring;

import static io.rsockets4j.core.shm.ring.SlotDescriptor.FIRST_BYTES;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.RING_CONTROL_BYTES;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.SLOT_CONTROL_BYTES;

import io.rsockets4j.core.host.MappedFile;
import io.rsockets4j.core.host.MemoryBudget;
import io.rsockets4j.core.host.Words;
import io.rsockets4j.core.log.Log;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * A shared file with the rings of several connections, mapped once and used again for one connection after the other.
 *
 * <p>Its pages come into being at first need, by a write through the file: where memory is short the write fails,
 * while a store to the mapped page would kill the process. Thread-safe.
 */
public final class SlotFile implements Runnable {
    private static final Log LOG = Log.of(SlotFile.class);
    private static final long RETRY_NANOS = 1_000_000_000L;

    private final MappedFile file;
    private final int slots;
    private final int ringBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final int[] committed; // bytes by slot * 2 + ring, beyond the first page; guarded by lock
    private final boolean[] firstCommitted; // by slot, guarded by lock
    private final AtomicReferenceArray<SlotWords> words; // by slot, each cut when its first connection comes
    private final AtomicReferenceArray<ByteBuffer> rings; // by slot * 2 + ring
    private final MemoryBudget budget;
    private final boolean own; // made by this side
    private long retryAt = System.nanoTime(); // guarded by lock
    private long emptied; // guarded by lock: how often, by this side
    private long seenEmptied; // guarded by lock: the peer's count, as the file has it

    private SlotFile(MappedFile file, int slots, int ringBytes, MemoryBudget budget, boolean own) {
        this.file = file;
        this.budget = budget;
        this.own = own;
        this.slots = slots;
        this.ringBytes = ringBytes;
        this.committed = new int[2 * slots];
        this.firstCommitted = new boolean[slots];
        this.words = new AtomicReferenceArray<>(slots);
        this.rings = new AtomicReferenceArray<>(2 * slots);
    }

    /**
     * Makes a new file; the control words are committed and zero.
     *
     * @param path its name
     * @param ringBytes the room of each ring, a power of two
     * @param budget what its memory counts against
     * @return without connections
     * @throws IOException when memory is short
     */
    public static SlotFile create(Path path, int ringBytes, MemoryBudget budget) throws IOException {
        int slots = SlotDescriptor.slotsPerFile(ringBytes);
        MappedFile file = MappedFile.create(path, SlotDescriptor.fileBytes(slots, ringBytes), budget);
        try {
            file.commit(0, SlotDescriptor.controlBytes(slots));
        } catch (IOException e) {
            file.retire();
            MappedFile.unlink(path);
            throw e;
        }
        return new SlotFile(file, slots, ringBytes, budget, true);
    }

    /**
     * Opens a file that the peer has made, and that neither side has used: the control words are zero.
     *
     * @param path its name
     * @param ringBytes the room of each ring, a power of two
     * @param budget what the memory counts against that this side makes
     * @return without connections
     * @throws IOException if there is no such file of this user
     */
    public static SlotFile open(Path path, int ringBytes, MemoryBudget budget) throws IOException {
        int slots = SlotDescriptor.slotsPerFile(ringBytes);
        MappedFile file = MappedFile.open(path, SlotDescriptor.fileBytes(slots, ringBytes), budget);
        try {
            file.requirePages(SlotDescriptor.controlBytes(slots));
        } catch (IOException e) {
            file.leave();
            throw e;
        }
        SlotFile opened = new SlotFile(file, slots, ringBytes, budget, false);
        budget.addOfPeer(opened);
        return opened;
    }

    /**
     * How many connections there is room for.
     *
     * @return the same each time
     */
    public int slots() {
        return slots;
    }

    /**
     * The room of each ring, of which a connection uses what its program asked for.
     *
     * @return bytes, a power of two
     */
    public int ringBytes() {
        return ringBytes;
    }

    /**
     * The words of a slot; for access at absolute positions, as all buffers here. See {@link SlotDescriptor}.
     *
     * @param control all of them
     * @param ring0 those of ring 0
     * @param ring1 those of ring 1
     */
    public record SlotWords(Words control, Words ring0, Words ring1) {
        /**
         * The words of one ring.
         *
         * @param ring 0 or 1
         * @return the same each time
         */
        public Words ring(int ring) {
            return ring == 0 ? ring0 : ring1;
        }
    }

    /**
     * The words of a slot.
     *
     * @param slot from 0
     * @return the same for each of its connections, as connects are to be cheap
     */
    public SlotWords words(int slot) {
        SlotWords cut = words.get(slot);
        if (cut == null) {
            Words control = new Words(file.slice(slot * SLOT_CONTROL_BYTES, SLOT_CONTROL_BYTES));
            cut = new SlotWords(control, control.slice(0, RING_CONTROL_BYTES),
                    control.slice(RING_CONTROL_BYTES, RING_CONTROL_BYTES));
            words.set(slot, cut);
        }
        return cut;
    }

    /**
     * As much of a ring as a connection uses.
     *
     * @param slot from 0
     * @param ring 0 or 1
     * @param capacity bytes, a power of two
     * @return its memory, of which the first page is there
     */
    public ByteBuffer ring(int slot, int ring, int capacity) {
        int index = 2 * slot + ring;
        ByteBuffer last = rings.get(index); // of the connection before: most are alike
        if (last == null || last.capacity() != capacity) {
            last = file.slice(SlotDescriptor.ringOffset(slots, ringBytes, slot, ring), capacity);
            rings.set(index, last);
        }
        return last;
    }

    /**
     * Prepares a free slot for its next connection: the first page of both rings exists, the words are zero.
     *
     * @param slot from 0
     * @throws IOException when memory is short
     */
    public void reset(int slot) throws IOException {
        commitFirst(slot);
        words(slot).control().clear(2 * RING_CONTROL_BYTES); // published by the request
    }

    private void commitFirst(int slot) throws IOException {
        lock.lock();
        try {
            if (!firstCommitted[slot]) {
                file.commit(SlotDescriptor.ringOffset(slots, ringBytes, slot, 0), FIRST_BYTES);
                file.commit(SlotDescriptor.ringOffset(slots, ringBytes, slot, 1), FIRST_BYTES);
                firstCommitted[slot] = true;
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * What a {@link SendRing} calls when it needs more than the first page.
     *
     * @param file the slot's
     * @param slot from 0
     * @param ring 0 or 1
     * @param capacity bytes, a power of two
     */
    public record WholeRing(SlotFile file, int slot, int ring, int capacity) implements BooleanSupplier {
        @Override
        public boolean getAsBoolean() {
            return file.commitWhole(slot, ring, capacity);
        }
    }

    /**
     * Makes sure that all of a ring of some capacity exists. Only the side that sends on that ring calls this, and only
     * while no more than the first page is in use.
     *
     * @return false when memory is short; try again later
     */
    private boolean commitWhole(int slot, int ring, int capacity) {
        lock.lock();
        try {
            run();
            int index = 2 * slot + ring;
            int there = Math.max(FIRST_BYTES, committed[index]);
            if (there >= capacity) {
                return true;
            }
            if (System.nanoTime() - retryAt < 0) {
                return false;
            }
            int offset = SlotDescriptor.ringOffset(slots, ringBytes, slot, ring);
            file.commit(offset + there, capacity - there);
            committed[index] = capacity;
            return true;
        } catch (IOException e) {
            retryAt = System.nanoTime() + RETRY_NANOS;
            LOG.log(System.Logger.Level.WARNING, "rsockets4j: short of shared memory (" + e.getMessage()
                    + "); connections go on with rings of " + FIRST_BYTES + " bytes. Free or enlarge it: df -h");
            return false;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Gives the memory of all rings back to the host; what is needed again is made again. On the side that made the
     * file, while neither side has a connection in it.
     *
     * @throws IOException if that fails; then the file can be used no more
     */
    public void empty() throws IOException {
        lock.lock();
        try {
            emptied++;
            words(0).control().putRelease(SlotDescriptor.EMPTIED, emptied); // read by run
            file.empty(SlotDescriptor.controlBytes(slots));
            Arrays.fill(committed, 0);
            Arrays.fill(firstCommitted, false);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Looks whether the peer, who made the file, has given the rings back, so that this side has to make its pages
     * anew. The peer's word is enough: this side makes pages only of rings whose first page alone is in use.
     */
    @Override
    public void run() {
        if (own || !lock.tryLock()) { // whoever makes pages looks for itself
            return;
        }
        try {
            // a system call, later than the store in empty; a load of what the peer has truncated would be a fault
            long now = file.read(SlotDescriptor.EMPTIED);
            if (now != seenEmptied) {
                seenEmptied = now;
                Arrays.fill(committed, 0);
                file.forget(0);
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "a slot file cannot be read", e); // its connections will tell
        } finally {
            lock.unlock();
        }
    }

    /**
     * Whether all of the file is there: the peer may have taken some of it back.
     *
     * @return true also once it is closed
     */
    public boolean isWhole() {
        return file.isWhole();
    }

    /**
     * Makes anew what the peer has taken back; nothing that was in it is left.
     *
     * @throws IOException when memory is short, or the file was closed
     */
    public void restore() throws IOException {
        lock.lock();
        try {
            file.restore(new byte[SlotDescriptor.controlBytes(slots)]);
        } finally {
            lock.unlock();
        }
    }

    /** Leaves the memory to the other side. No connection of this side uses it any more. */
    public void leave() {
        budget.removeOfPeer(this);
        file.leave();
    }

    /** Gives the memory back to the host. No connection on either side uses it any more. */
    public void retire() {
        budget.removeOfPeer(this);
        file.retire();
    }
}
