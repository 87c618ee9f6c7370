/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import io.rsockets4j.core.rules.Direction;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** How many connections this process opened or accepted, by path. Thread-safe. */
public final class ConnectionCounts {
    private static final AtomicLong[] NONE = {};

    private final Map<String, AtomicLong[]> byPath = new ConcurrentHashMap<>(); // each by direction

    ConnectionCounts() { }

    /**
     * Counts one connection end that was established.
     *
     * @param path for example {@code shm} or {@code tcp}
     * @param direction who began it
     */
    public void opened(String path, Direction direction) {
        AtomicLong[] counts = byPath.get(path); // computeIfAbsent would lock what is there
        if (counts == null) {
            AtomicLong[] fresh = zeros();
            AtomicLong[] before = byPath.putIfAbsent(path, fresh);
            counts = before == null ? fresh : before;
        }
        counts[direction.ordinal()].incrementAndGet();
    }

    private static AtomicLong[] zeros() {
        AtomicLong[] zeros = new AtomicLong[Direction.values().length];
        for (int i = 0; i < zeros.length; i++) {
            zeros[i] = new AtomicLong();
        }
        return zeros;
    }

    /**
     * The count of one path.
     *
     * @param path its name
     * @return connection ends so far
     */
    public long of(String path) {
        long sum = 0;
        for (AtomicLong count : byPath.getOrDefault(path, NONE)) {
            sum += count.get();
        }
        return sum;
    }

    /**
     * The count of one path and direction.
     *
     * @param path its name
     * @param direction who began them
     * @return connection ends so far
     */
    public long of(String path, Direction direction) {
        AtomicLong[] counts = byPath.get(path);
        return counts == null ? 0 : counts[direction.ordinal()].get();
    }

    /** The paths that any connection took. */
    Set<String> paths() {
        return byPath.keySet();
    }

    /**
     * The line of {@code rsockets4j.summary}.
     *
     * @param paths the paths to name, also those with a count of 0
     * @return for example {@code rsockets4j: connections shm=3 tcp=1}
     */
    public String summary(Iterable<String> paths) {
        StringBuilder line = new StringBuilder("rsockets4j: connections");
        for (String path : paths) {
            line.append(' ').append(path).append('=').append(of(path));
        }
        return line.toString();
    }
}
