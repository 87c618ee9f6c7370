/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.LinkObserver;
import io.rsockets4j.core.flight.FlightEvents;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.rules.Direction;
import io.rsockets4j.core.settings.Settings;
import io.rsockets4j.core.stat.ConnectionSnapshot;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.net.InetSocketAddress;

/** One end of an established connection, as the registry knows it. Thread-safe. */
public final class ConnectionInfo implements LinkObserver {
    private final long id;
    private final Direction direction;
    private final Link link;
    private final Reason reason;
    private final long openedAtMillis = System.currentTimeMillis();
    private final Owner owner;

    ConnectionInfo(long id, Direction direction, Link link, Reason reason, Owner owner) {
        this.id = id;
        this.direction = direction;
        this.link = link;
        this.reason = reason;
        this.owner = owner;
    }

    /**
     * Who began it.
     *
     * @return {@link Direction#CONNECT} or {@link Direction#ACCEPT}
     */
    public Direction direction() {
        return direction;
    }

    /**
     * This end's address.
     *
     * @return address and port, or null if nobody asked before the socket was closed
     */
    public InetSocketAddress local() {
        return link == null ? owner.local() : link.localAddress();
    }

    /**
     * The peer's address.
     *
     * @return address and port, or null if nobody asked before the socket was closed
     */
    public InetSocketAddress remote() {
        return link == null ? owner.remote() : link.remoteAddress();
    }

    /**
     * The path of its bytes.
     *
     * @return for example {@code shm} or {@code tcp}
     */
    public String path() {
        return link == null ? Settings.TCP : link.path();
    }

    /**
     * Why that path.
     *
     * @return never null
     */
    public Reason reason() {
        return reason;
    }

    /** Whether this side wanted to connect by a better path. */
    boolean isFallback() {
        return direction == Direction.CONNECT && !reason.isChoice();
    }

    /**
     * The link, to look at: only methods that any thread may call.
     *
     * @return null over TCP
     */
    public Link link() {
        return link;
    }

    /**
     * What is known of it now.
     *
     * @return a copy, for reports
     */
    public ConnectionSnapshot snapshot() {
        boolean counted = link != null;
        return new ConnectionSnapshot(id, direction.label(), String.valueOf(local()), String.valueOf(remote()), path(),
                reason.toString(), counted ? link.bytesSent() : 0, counted ? link.bytesReceived() : 0,
                counted ? link.creditBytes() : 0, counted ? link.stalls() : 0, openedAtMillis,
                counted ? link.directBytesSent() : 0, counted ? link.directBytesReceived() : 0);
    }

    @Override
    public Runnable onStall() {
        return FlightEvents.isRecording() ? FlightEvents.stall(this::snapshot) : null;
    }

    @Override
    public Runnable onWake() {
        return FlightEvents.isRecording() ? FlightEvents.doorbell(this::snapshot) : null;
    }

    Owner owner() {
        return owner;
    }

    /** Equal only to itself, and hashed by its number. */
    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(id);
    }

    /** One line, for logs. */
    @Override
    public String toString() {
        return direction.label() + " " + local() + " -> " + remote() + " " + path() + " (" + reason + ")";
    }

    /** The program's socket, as long as it is reachable, and what it has said of its addresses. Thread-safe. */
    static final class Owner extends WeakReference<TcpAddresses> {
        private volatile InetSocketAddress local; // what was last answered, as a closed socket may not know it any more
        private volatile InetSocketAddress remote; // the same
        private volatile boolean closed; // then the socket is not asked any more
        private ConnectionInfo info; // set once, before anyone else sees this

        Owner(TcpAddresses socket, ReferenceQueue<Object> forgotten) {
            super(socket, forgotten);
        }

        /** Says whose end this is; once, before anyone else sees this. */
        void owns(ConnectionInfo connection) {
            info = connection;
        }

        /** The socket is closed. This reference goes with it; to clear it costs a native call before Java 19. */
        void closed() {
            closed = true;
        }

        ConnectionInfo info() {
            return info;
        }

        /** This end's address over TCP, or null if nobody asked before the socket was closed. */
        InetSocketAddress local() {
            TcpAddresses socket = local == null && !closed ? get() : null;
            if (socket != null) {
                local = socket.localOrNull();
            }
            return local;
        }

        /** The peer's address over TCP, or null if nobody asked before the socket was closed. */
        InetSocketAddress remote() {
            TcpAddresses socket = remote == null && !closed ? get() : null;
            if (socket != null) {
                remote = socket.remoteOrNull();
            }
            return remote;
        }
    }
}
