/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.flight.FlightEvents;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.rules.Direction;
import io.rsockets4j.core.stat.Metric;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The live connections of this process. The doors register each when it is established and remove it when it is
 * closed; the data path does not come here. Sockets that a program forgets without closing them leave by themselves.
 * Thread-safe; holds a lock for moments only.
 */
public final class ConnectionRegistry {
    private final Set<ConnectionInfo> live = ConcurrentHashMap.newKeySet();
    private final ReferenceQueue<Object> forgotten = new ReferenceQueue<>();
    private final AtomicLong ids = new AtomicLong();
    private final ReentrantLock lock = new ReentrantLock(); // what is counted as open is not yet counted as closed
    private final ConnectionMetrics metrics; // guarded by lock

    ConnectionRegistry(ConnectionCounts counts) {
        metrics = new ConnectionMetrics(counts);
    }

    /**
     * Registers a connection end, and counts it.
     *
     * @param owner the program's socket or channel; not kept alive
     * @param direction who began it
     * @param link its link, which knows its addresses; null over TCP, where {@code owner} is asked for them
     * @param reason why that path
     * @return for {@link #closed}
     */
    public ConnectionInfo opened(TcpAddresses owner, Direction direction, Link link, Reason reason) {
        removeForgotten();
        ConnectionInfo.Owner reference = new ConnectionInfo.Owner(owner, forgotten);
        ConnectionInfo info = new ConnectionInfo(ids.incrementAndGet(), direction, link, reason, reference);
        reference.owns(info);
        lock.lock();
        try {
            live.add(info);
            metrics.opened(info);
        } finally {
            lock.unlock();
        }
        if (link != null) {
            link.observe(info);
        }
        if (FlightEvents.isRecording()) {
            record(info);
        }
        return info;
    }

    private static void record(ConnectionInfo opened) {
        if (opened.direction() == Direction.CONNECT) {
            FlightEvents.connected(opened::snapshot, opened.isFallback());
        } else {
            FlightEvents.accepted(opened::snapshot);
        }
    }

    /**
     * Removes a connection.
     *
     * @param info what {@link #opened} returned; null and repetitions do nothing
     */
    public void closed(ConnectionInfo info) {
        if (info != null && remove(info)) {
            if (FlightEvents.isRecording()) {
                FlightEvents.closed(info::snapshot);
            }
            info.owner().closed();
        }
    }

    /**
     * The live connections.
     *
     * @return a view that changes with them, in no order
     */
    public Collection<ConnectionInfo> live() {
        removeForgotten();
        return Collections.unmodifiableSet(live);
    }

    /**
     * Sums over all connections so far.
     *
     * @param paths those to tell of although nothing went by them
     * @return as of now; counters never go back
     */
    List<Metric> metrics(Collection<String> paths) {
        removeForgotten();
        lock.lock();
        try {
            return metrics.snapshot(paths, live);
        } finally {
            lock.unlock();
        }
    }

    private void removeForgotten() {
        for (Reference<?> gone = forgotten.poll(); gone != null; gone = forgotten.poll()) {
            remove(((ConnectionInfo.Owner) gone).info());
        }
    }

    private boolean remove(ConnectionInfo info) {
        lock.lock();
        try {
            boolean removed = live.remove(info);
            if (removed) {
                metrics.closed(info);
            }
            return removed;
        } finally {
            lock.unlock();
        }
    }
}
