/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm.rendezvous;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * The addresses at which a look-up in a directory has found nobody. A connect need not look there again before the
 * directory changes.
 *
 * <p>A look at the directory's time stamp takes a tenth of the time of a connect to a plain TCP server, so one look
 * counts for a millisecond. Changes that this process makes count at once. Bounded; thread-safe.
 */
final class NegativeCache {
    static final long POLL_NANOS = 1_000_000;
    static final int MAX_ADDRESSES = 4096;
    /** A change so long ago that another one would have another time stamp; the clock of files ticks every 4 ms. */
    private static final long SETTLED_MILLIS = 100;
    private static final AtomicInteger CHANGES = new AtomicInteger(); // that this process made, in any directory
    private static final Poll NEVER = new Poll(null, 0, 0);

    private final Path directory;
    private final LongSupplier nanoTime;
    private final Map<InetSocketAddress, FileTime> addresses = new ConcurrentHashMap<>(); // the directory's time then
    private volatile Poll last = NEVER;

    /** The directory's time stamp, when it was looked at, and what this process had changed by then. */
    private record Poll(FileTime changed, long atNanos, int changes) { }

    /**
     * Nothing was looked up yet.
     *
     * @param directory whose changes count
     * @param nanoTime the clock, as {@link System#nanoTime}
     */
    NegativeCache(Path directory, LongSupplier nanoTime) {
        this.directory = directory;
        this.nanoTime = nanoTime;
    }

    /** This process has put something into a directory. */
    static void directoryChanged() {
        CHANGES.incrementAndGet();
    }

    /** The directory may have changed since it was looked at last. */
    void invalidate() {
        last = NEVER;
    }

    /** The time stamp of the directory, to be taken before anything is looked up there. */
    FileTime lastChange() throws IOException {
        Poll poll = last;
        long now = nanoTime.getAsLong();
        int changes = CHANGES.get(); // before the poll: what comes after it counts at the next
        if (poll == NEVER || poll.changes != changes || now - poll.atNanos >= POLL_NANOS) {
            poll = new Poll(Files.getLastModifiedTime(directory, NOFOLLOW_LINKS), now, changes);
            last = poll;
        }
        return poll.changed;
    }

    /** Whether an address is known not to be there. */
    boolean has(InetSocketAddress address, FileTime lastChange) {
        return lastChange.equals(addresses.get(address));
    }

    /** Takes note that an address was not there. */
    void add(InetSocketAddress address, FileTime lastChange) {
        if (System.currentTimeMillis() - lastChange.toMillis() > SETTLED_MILLIS) {
            if (addresses.size() >= MAX_ADDRESSES) {
                addresses.clear();
            }
            addresses.put(address, lastChange);
        }
    }
}
