/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import io.rsockets4j.core.rules.Direction;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** How many connections this process opened or accepted, by path. Thread-safe. */
public final class ConnectionCounts {
    private static final LongAdder[] NONE = {};

    private final Map<String, LongAdder[]> byPath = new ConcurrentHashMap<>(); // each by direction

    ConnectionCounts() { }

    /**
     * Counts one connection end that was established.
     *
     * @param path for example {@code shm} or {@code tcp}
     * @param direction who began it
     */
    public void opened(String path, Direction direction) {
        LongAdder[] counts = byPath.get(path); // computeIfAbsent would lock what is there
        if (counts == null) {
            LongAdder[] fresh = adders();
            LongAdder[] before = byPath.putIfAbsent(path, fresh);
            counts = before == null ? fresh : before;
        }
        counts[direction.ordinal()].increment();
    }

    private static LongAdder[] adders() {
        LongAdder[] adders = new LongAdder[Direction.values().length];
        for (int i = 0; i < adders.length; i++) {
            adders[i] = new LongAdder();
        }
        return adders;
    }

    /**
     * The count of one path.
     *
     * @param path its name
     * @return connection ends so far
     */
    public long of(String path) {
        long sum = 0;
        for (LongAdder count : byPath.getOrDefault(path, NONE)) {
            sum += count.sum();
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
        LongAdder[] counts = byPath.get(path);
        return counts == null ? 0 : counts[direction.ordinal()].sum();
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
