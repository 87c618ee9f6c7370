/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.fabric.LocalPort;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Connections whose links are closed, with their local ports: a port is given back once nothing is left to deliver and
 * the peer has closed too, or after a minute, as TCP does with orphans. Thread-safe.
 */
final class Lingering {
    private static final long ORPHAN_NANOS = TimeUnit.SECONDS.toNanos(60); // as TCP's tcp_fin_timeout
    private static final long CHECK_NANOS = ORPHAN_NANOS / 8;

    private final CmThread cm;
    private final Map<RdmaConnection, Orphan> orphans = new ConcurrentHashMap<>();
    private final AtomicBoolean checking = new AtomicBoolean();

    /** The port is null on the acceptor's side. */
    private record Orphan(LocalPort port, long sinceNanos) { }

    /** Creates one that looks for orphans on the connection manager's thread. */
    Lingering(CmThread cm) {
        this.cm = cm;
    }

    /** A link is closed. */
    void add(RdmaConnection connection, LocalPort port) {
        orphans.put(connection, new Orphan(port, System.nanoTime()));
        connection.whenOver(() -> end(connection));
        if (orphans.containsKey(connection) && checking.compareAndSet(false, true)) {
            cm.schedule(CHECK_NANOS, this::check);
        }
    }

    private void end(RdmaConnection connection) {
        Orphan orphan = orphans.remove(connection);
        if (orphan != null && orphan.port != null) {
            orphan.port.release();
        }
    }

    private void check() {
        checking.set(false);
        long now = System.nanoTime();
        orphans.forEach((connection, orphan) -> {
            if (now - orphan.sinceNanos > ORPHAN_NANOS) {
                end(connection);
            }
        });
        if (!orphans.isEmpty() && checking.compareAndSet(false, true)) {
            cm.schedule(CHECK_NANOS, this::check);
        }
    }
}
