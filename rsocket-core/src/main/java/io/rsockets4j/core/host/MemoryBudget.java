/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.host;

import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import java.io.File;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much shared memory this process may make: what the program's settings allow, and never the last of what the host
 * has, since other programs need it too. Thread-safe.
 */
public final class MemoryBudget {
    private static final int SHARE = 16; // of the file system: one part in so many is left to others
    private static final long MOST_LEFT = 64 << 20;
    private static final int UNSEEN = 1024; // one part in so many of what is free is taken without a look
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final File directory; // null for a budget without bounds
    private final long max;
    private final long idleNanos;
    private final long left; // bytes for others
    private final AtomicLong used = new AtomicLong();
    private final AtomicLong unseen = new AtomicLong(); // what may be taken before the next look at the host
    private final Set<Runnable> ofPeers = ConcurrentHashMap.newKeySet();

    /**
     * Nothing is used yet.
     *
     * @param directory on the file system whose memory counts
     * @param maxBytes what this process may use, or 0 for all but what is left to others
     */
    public MemoryBudget(Path directory, long maxBytes) {
        this(directory.toFile(), maxBytes, IDLE_NANOS);
    }

    /**
     * The same, with another patience.
     *
     * @param directory on the file system whose memory counts, or null for no bounds
     * @param maxBytes what this process may use, or 0 for all but what is left to others
     * @param idleNanos how long memory is kept that no connection uses
     */
    public MemoryBudget(File directory, long maxBytes, long idleNanos) {
        this.directory = directory;
        this.max = maxBytes;
        this.idleNanos = idleNanos;
        // 0 where there is no limit, or none can be told
        this.left = directory == null ? 0 : Math.min(directory.getTotalSpace() / SHARE, MOST_LEFT);
    }

    /**
     * A budget without bounds.
     *
     * @return a new one
     */
    public static MemoryBudget unlimited() {
        return new MemoryBudget((File) null, 0, IDLE_NANOS);
    }

    /**
     * How long memory is kept that no connection uses.
     *
     * @return nanoseconds
     */
    public long idleNanos() {
        return idleNanos;
    }

    /**
     * What may be in use at most.
     *
     * @return bytes; {@link Long#MAX_VALUE} where there is no limit, or none can be told
     */
    public long most() {
        long there = left == 0 ? Long.MAX_VALUE : directory.getTotalSpace() - left;
        return max > 0 ? Math.min(max, there) : there;
    }

    /**
     * What is in use.
     *
     * @return bytes
     */
    public long used() {
        return used.get();
    }

    /**
     * Counts memory that is about to be made.
     *
     * @param bytes how much
     * @throws PathException if there is too little: then it may not be made
     */
    public void take(long bytes) throws PathException {
        long now = used.addAndGet(bytes);
        if (max > 0 && now > max) {
            ofPeers.forEach(Runnable::run);
            now = used.get();
        }
        String lack = directory == null ? null : max > 0 && now > max
                ? "rsockets4j.shm.max.bytes=" + max + " is used up" : lackOnHost(bytes);
        if (lack != null) {
            used.addAndGet(-bytes);
            throw new PathException(Reason.NO_MEMORY, lack);
        }
    }

    /** Looks at the host only now and then, as that is a system call and connects are to be cheap. */
    private String lackOnHost(long bytes) {
        if (left == 0 || unseen.addAndGet(-bytes) >= 0) {
            return null;
        }
        long free = directory.getUsableSpace();
        long spare = free - bytes - left;
        unseen.set(Math.max(0, spare / UNSEEN));
        return spare >= 0 ? null
                : "of " + directory + " " + free + " bytes are free, and " + left + " are left to other programs";
    }

    /**
     * Counts memory that was given back.
     *
     * @param bytes how much
     */
    public void giveBack(long bytes) {
        used.addAndGet(-bytes);
    }

    /**
     * Peers may give the memory of a file back; that is looked for where memory is short.
     *
     * @param recount finds out what has been given back, and counts it; the same object each time
     */
    public void addOfPeer(Runnable recount) {
        ofPeers.add(recount);
    }

    /**
     * That file is not used any more.
     *
     * @param recount what {@link #addOfPeer} was given; others are ignored
     */
    public void removeOfPeer(Runnable recount) {
        ofPeers.remove(recount);
    }
}
