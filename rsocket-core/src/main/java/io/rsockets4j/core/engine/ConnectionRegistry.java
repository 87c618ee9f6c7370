/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.flight.FlightEvents;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.rules.Direction;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The live connections of this process. The doors register each when it is established and remove it when it is closed;
 * the data path does not come here. Sockets that a program forgot without closing them leave by themselves.
 * Thread-safe; nothing blocks.
 */
public final class ConnectionRegistry {
    private final Set<ConnectionInfo> live = ConcurrentHashMap.newKeySet();
    private final ReferenceQueue<Object> forgotten = new ReferenceQueue<>();
    private final AtomicLong ids = new AtomicLong();
    private final ConnectionCounts counts;

    ConnectionRegistry(ConnectionCounts counts) {
        this.counts = counts;
    }

    /**
     * Registers a connection end that has a link, and counts it.
     *
     * @param owner the program's socket or channel; not kept alive
     * @param direction who began it
     * @param link its link
     * @param reason why that path
     * @return for {@link #closed}
     */
    public ConnectionInfo opened(Object owner, Direction direction, Link link, Reason reason) {
        return opened(owner, direction, link.localAddress(), link.remoteAddress(), link, reason);
    }

    /**
     * Registers a connection end over TCP, and counts it.
     *
     * @param owner the program's socket or channel; not kept alive
     * @param direction who began it
     * @param local its own address, or null if it is closed already
     * @param remote the peer's address
     * @param reason why TCP
     * @return for {@link #closed}
     */
    public ConnectionInfo openedTcp(Object owner, Direction direction, InetSocketAddress local,
            InetSocketAddress remote, Reason reason) {
        return opened(owner, direction, local, remote, null, reason);
    }

    private ConnectionInfo opened(Object owner, Direction direction, InetSocketAddress local,
            InetSocketAddress remote, Link link, Reason reason) {
        removeForgotten();
        Owner reference = new Owner(owner, forgotten);
        ConnectionInfo info = new ConnectionInfo(ids.incrementAndGet(), direction, local, remote, link, reason,
                reference);
        reference.info = info;
        live.add(info);
        counts.opened(info.path());
        if (direction == Direction.CONNECT) {
            FlightEvents.connected(info::snapshot, !reason.isChoice());
        } else {
            FlightEvents.accepted(info::snapshot);
        }
        return info;
    }

    /**
     * Removes a connection.
     *
     * @param info what {@link #opened} returned; null and repetitions do nothing
     */
    public void closed(ConnectionInfo info) {
        if (info != null && live.remove(info)) {
            info.owner().clear();
            FlightEvents.closed(info::snapshot);
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

    private void removeForgotten() {
        for (Reference<?> gone = forgotten.poll(); gone != null; gone = forgotten.poll()) {
            live.remove(((Owner) gone).info);
        }
    }

    /** The program's socket, as long as it is reachable. */
    private static final class Owner extends WeakReference<Object> {
        private ConnectionInfo info; // set once, before anyone else sees this

        Owner(Object socket, ReferenceQueue<Object> queue) {
            super(socket, queue);
        }
    }
}
