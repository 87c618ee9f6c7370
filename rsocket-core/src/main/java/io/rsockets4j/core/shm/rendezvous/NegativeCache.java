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
    static final long LOOK_NANOS = 1_000_000;
    static final int MAX_ADDRESSES = 4096;
    /** A change so long ago that another one would have another time stamp; the clock of files ticks every 4 ms. */
    private static final long SETTLED_MILLIS = 100;
    private static final AtomicInteger CHANGES = new AtomicInteger(); // that this process made, in any directory
    private static final Look NEVER = new Look(null, 0, 0);

    private final Path directory;
    private final LongSupplier nanoTime;
    private final Map<InetSocketAddress, FileTime> addresses = new ConcurrentHashMap<>(); // the directory's time then
    private volatile Look last = NEVER;

    /** The directory's time stamp, when it was looked at, and what this process had changed by then. */
    private record Look(FileTime changed, long atNanos, int changes) { }

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
    void lookAgain() {
        last = NEVER;
    }

    /** The time stamp of the directory, to be taken before anything is looked up there. */
    FileTime lastChange() throws IOException {
        Look look = last;
        long now = nanoTime.getAsLong();
        int changes = CHANGES.get(); // before the look: what comes after it is looked at again
        if (look == NEVER || look.changes != changes || now - look.atNanos >= LOOK_NANOS) {
            look = new Look(Files.getLastModifiedTime(directory, NOFOLLOW_LINKS), now, changes);
            last = look;
        }
        return look.changed;
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
