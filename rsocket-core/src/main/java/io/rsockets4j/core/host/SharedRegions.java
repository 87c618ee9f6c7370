/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.host;

import io.rsockets4j.core.fabric.PathException;
import io.rsockets4j.core.reason.Reason;
import java.io.IOException;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The regions of this process, and those of peers that it has mapped. A region's file is {@code
 * OWNER-NUMBER.region}: the owner is what the name of its process' bells begins with, so that others know when it is
 * dead. Thread-safe; calls to the kernel may block for a moment.
 */
public final class SharedRegions implements Runnable {
    /** How names of regions end. */
    public static final String SUFFIX = ".region";
    /** Most regions that this process makes: each has a descriptor and a mapping, of which programs need some too. */
    static final int MAX_OWN = 256;
    /** Most regions of peers that this process maps. */
    static final int MAX_OF_PEERS = 1024;

    private final Path directory;
    private final long ownerHigh;
    private final long ownerLow;
    private final MemoryBudget budget;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, PeerRegion> ofPeers = new HashMap<>(); // guarded by lock
    private final Set<SharedRegion> own = new HashSet<>(); // guarded by lock
    private final Set<Holder> holders = ConcurrentHashMap.newKeySet();
    private final ReferenceQueue<Object> dropped = new ReferenceQueue<>();
    private int lastNumber; // guarded by lock
    private boolean ended; // guarded by lock

    /** Keeps a region until whoever holds its memory is gone. */
    private static final class Holder extends PhantomReference<Object> {
        private final SharedRegion region;

        Holder(Object holder, SharedRegion region, ReferenceQueue<Object> queue) {
            super(holder, queue);
            this.region = region;
        }
    }

    /**
     * No region is there yet.
     *
     * @param directory where processes of this user meet
     * @param owner 32 hexadecimal digits, what the name of this process' bells begins with
     * @param budget what the memory of own regions counts against
     */
    public SharedRegions(Path directory, String owner, MemoryBudget budget) {
        this.directory = directory;
        this.ownerHigh = HexFormat.fromHexDigitsToLong(owner, 0, 16);
        this.ownerLow = HexFormat.fromHexDigitsToLong(owner, 16, 32);
        this.budget = budget;
        budget.addOfPeer(this);
    }

    long ownerHigh() {
        return ownerHigh;
    }

    long ownerLow() {
        return ownerLow;
    }

    /**
     * The name of a region's file. Made of numbers alone, so that nothing that a peer says leads elsewhere.
     *
     * @param ownerHigh see {@link SharedRegion#ownerHigh}
     * @param ownerLow see {@link SharedRegion#ownerLow}
     * @param number see {@link SharedRegion#number}
     * @return of no other region
     */
    public static String name(long ownerHigh, long ownerLow, int number) {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(ownerHigh) + hex.toHexDigits(ownerLow) + "-" + hex.toHexDigits(number) + SUFFIX;
    }

    /**
     * Makes a region, whose pages are there and zero.
     *
     * @param bytes its size
     * @return there until it is closed, or the process ends
     * @throws IOException if memory is short, or this process has too many
     */
    public SharedRegion create(int bytes) throws IOException {
        run();
        lock.lock();
        try {
            if (ended || own.size() == MAX_OWN) {
                throw new PathException(Reason.NO_MEMORY, "this process makes no more regions");
            }
            int number = ++lastNumber;
            Path path = directory.resolve(name(ownerHigh, ownerLow, number));
            MappedFile file = MappedFile.create(path, bytes, budget);
            try {
                file.commit(0, bytes);
            } catch (IOException e) {
                file.retire();
                MappedFile.unlink(path);
                throw e;
            }
            SharedRegion region = new SharedRegion(this, path, number, file, bytes);
            own.add(region);
            return region;
        } finally {
            lock.unlock();
        }
    }

    void heldBy(SharedRegion region, Object holder) {
        holders.add(new Holder(holder, region, dropped));
    }

    /** Closes the regions that nobody holds any more; called where memory is short. */
    @Override
    public void run() {
        for (Reference<?> next = dropped.poll(); next != null; next = dropped.poll()) {
            Holder holder = (Holder) next;
            holders.remove(holder);
            holder.region.retire();
        }
    }

    boolean remove(SharedRegion region) {
        lock.lock();
        try {
            return own.remove(region);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Maps a region of a peer, or takes the mapping that is there. Nothing of what the peer says is trusted.
     *
     * @param high see {@link SharedRegion#ownerHigh}
     * @param low see {@link SharedRegion#ownerLow}
     * @param number see {@link SharedRegion#number}
     * @param bytes its size
     * @return to be closed
     * @throws IOException if there is no such file of this user and size, or too many are mapped
     */
    public PeerRegion open(long high, long low, int number, int bytes) throws IOException {
        String name = name(high, low, number);
        lock.lock();
        try {
            PeerRegion region = ofPeers.get(name);
            if (region == null) {
                if (ofPeers.size() == MAX_OF_PEERS) {
                    throw new PathException(Reason.NO_MEMORY, "this process maps no more regions of peers");
                }
                region = new PeerRegion(this, name, MappedFile.open(directory.resolve(name), bytes), bytes);
                ofPeers.put(name, region);
            } else if (region.memory().capacity() != bytes) {
                throw new IOException(name + " has another size than " + bytes + " bytes");
            }
            region.use();
            return region;
        } finally {
            lock.unlock();
        }
    }

    void close(PeerRegion region) {
        lock.lock();
        try {
            if (region.unuse()) {
                ofPeers.remove(region.name());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Removes all names: the process ends, and makes no more. */
    public void end() {
        Set<SharedRegion> left;
        lock.lock();
        try {
            ended = true;
            left = Set.copyOf(own);
        } finally {
            lock.unlock();
        }
        left.forEach(SharedRegion::retire);
    }
}
