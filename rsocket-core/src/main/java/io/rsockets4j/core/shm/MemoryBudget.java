/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.fabric.PathException;
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
final class MemoryBudget {
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
    private final Set<SlotFile> ofPeers = ConcurrentHashMap.newKeySet();

    /**
     * Nothing is used yet.
     *
     * @param directory on the file system whose memory counts
     * @param maxBytes what this process may use, or 0 for all but what is left to others
     */
    MemoryBudget(Path directory, long maxBytes) {
        this(directory.toFile(), maxBytes, IDLE_NANOS);
    }

    MemoryBudget(File directory, long maxBytes, long idleNanos) {
        this.directory = directory;
        this.max = maxBytes;
        this.idleNanos = idleNanos;
        // 0 where there is no limit, or none can be told
        this.left = directory == null ? 0 : Math.min(directory.getTotalSpace() / SHARE, MOST_LEFT);
    }

    /** Without bounds. */
    static MemoryBudget unlimited() {
        return new MemoryBudget((File) null, 0, IDLE_NANOS);
    }

    /** How long memory is kept that no connection uses. */
    long idleNanos() {
        return idleNanos;
    }

    /** What is in use. */
    long used() {
        return used.get();
    }

    /** Counts memory that is about to be made, unless there is too little: then it may not be made. */
    void take(long bytes) throws PathException {
        long now = used.addAndGet(bytes);
        if (max > 0 && now > max) {
            ofPeers.forEach(SlotFile::noticeEmptied);
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

    /** Counts memory that was given back. */
    void giveBack(long bytes) {
        used.addAndGet(-bytes);
    }

    /** Peers may give the memory of this file back; that is looked for where memory is short. */
    void addOfPeer(SlotFile file) {
        ofPeers.add(file);
    }

    /** The file is not used any more. */
    void removeOfPeer(SlotFile file) {
        ofPeers.remove(file);
    }
}
