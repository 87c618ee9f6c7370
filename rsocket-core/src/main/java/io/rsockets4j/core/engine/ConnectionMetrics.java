/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.rules.Direction;
import io.rsockets4j.core.settings.Settings;
import io.rsockets4j.core.stat.Metric;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Sums over the connections of a process. It keeps the sums of closed connections, and looks at open ones when someone
 * asks. Not thread-safe: the registry holds its lock.
 */
final class ConnectionMetrics {
    private static final String PREFIX = "rsockets4j.";
    private static final String CONNECTIONS = "connections";
    private static final String PATH = "path";
    private static final List<Direction> DIRECTIONS = List.of(Direction.CONNECT, Direction.ACCEPT);
    private static final Reason[] REASONS = Reason.values();

    private final ConnectionCounts counts;
    private final Map<String, LinkTotals> closed = new TreeMap<>(); // by path
    private final Map<String, long[]> fallbacks = new TreeMap<>(); // by the path that was taken instead, and reason

    ConnectionMetrics(ConnectionCounts counts) {
        this.counts = counts;
    }

    void opened(ConnectionInfo info) {
        counts.opened(info.path(), info.direction());
        if (info.isFallback()) {
            fallbacks.computeIfAbsent(info.path(), path -> new long[REASONS.length])[info.reason().ordinal()]++;
        }
    }

    void closed(ConnectionInfo info) {
        if (info.link() != null) {
            LinkTotals totals = closed.get(info.path());
            if (totals == null) {
                totals = new LinkTotals();
                closed.put(info.path(), totals);
            }
            totals.add(info.link());
        }
    }

    /**
     * All numbers as of now.
     *
     * @param paths those to tell of although nothing went by them
     * @param live what is open
     */
    List<Metric> snapshot(Collection<String> paths, Collection<ConnectionInfo> live) {
        List<Metric> metrics = new ArrayList<>();
        SortedSet<String> all = new TreeSet<>(paths);
        all.addAll(counts.paths());
        for (String path : all) {
            List<ConnectionInfo> open = live.stream().filter(info -> info.path().equals(path)).toList();
            addCounts(metrics, path, open);
            if (!path.equals(Settings.TCP)) { // there the kernel counts
                addTotals(metrics, path, open);
            }
        }
        fallbacks.forEach((path, byReason) -> addFallbacks(metrics, path, byReason));
        return List.copyOf(metrics);
    }

    private static void addFallbacks(List<Metric> metrics, String path, long[] byReason) {
        for (Reason reason : REASONS) {
            long count = byReason[reason.ordinal()];
            if (count > 0) {
                metrics.add(counter("fallbacks", CONNECTIONS, Map.of(PATH, path, "reason", reason.label()), count));
            }
        }
    }

    private void addCounts(List<Metric> metrics, String path, List<ConnectionInfo> open) {
        for (Direction direction : DIRECTIONS) {
            Map<String, String> tags = Map.of(PATH, path, "direction", direction.label());
            long now = open.stream().filter(info -> info.direction() == direction).count();
            metrics.add(new Metric(PREFIX + "connections.open", Metric.Kind.GAUGE, CONNECTIONS, new TreeMap<>(tags),
                    now));
            metrics.add(counter("connections.opened", CONNECTIONS, tags, counts.of(path, direction)));
        }
    }

    private void addTotals(List<Metric> metrics, String path, List<ConnectionInfo> open) {
        LinkTotals totals = new LinkTotals();
        totals.add(closed.getOrDefault(path, new LinkTotals()));
        open.forEach(info -> totals.add(info.link()));
        Map<String, String> tags = Map.of(PATH, path);
        metrics.add(counter("bytes.sent", "bytes", tags, totals.bytesSent));
        metrics.add(counter("bytes.received", "bytes", tags, totals.bytesReceived));
        metrics.add(counter("stalls", "stalls", tags, totals.stalls));
        if (totals.messagesSent > 0) { // others have no network
            metrics.add(counter("messages.sent", "messages", tags, totals.messagesSent));
        }
        if (totals.directBytesSent + totals.directBytesReceived > 0) { // seldom: it is off unless asked for
            metrics.add(counter("direct.bytes.sent", "bytes", tags, totals.directBytesSent));
            metrics.add(counter("direct.bytes.received", "bytes", tags, totals.directBytesReceived));
        }
    }

    private static Metric counter(String name, String unit, Map<String, String> tags, long value) {
        return new Metric(PREFIX + name, Metric.Kind.COUNTER, unit, new TreeMap<>(tags), value);
    }

    /** What links count. */
    private static final class LinkTotals {
        private long bytesSent;
        private long bytesReceived;
        private long stalls;
        private long messagesSent;
        private long directBytesSent;
        private long directBytesReceived;

        void add(Link link) {
            directBytesSent += link.directBytesSent();
            directBytesReceived += link.directBytesReceived();
            bytesSent += link.bytesSent();
            bytesReceived += link.bytesReceived();
            stalls += link.stalls();
            messagesSent += link.messagesSent();
        }

        void add(LinkTotals other) {
            directBytesSent += other.directBytesSent;
            directBytesReceived += other.directBytesReceived;
            bytesSent += other.bytesSent;
            bytesReceived += other.bytesReceived;
            stalls += other.stalls;
            messagesSent += other.messagesSent;
        }
    }
}
