/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.net.InetSocketAddress;

/**
 * The program's socket, as long as it is reachable, and what it has said of its addresses. Thread-safe.
 *
 * @param <T> the kind of socket
 */
final class Owner<T> extends WeakReference<T> {
    private final TcpAddresses<? super T> addresses; // null for a link, which knows its own
    private volatile InetSocketAddress local; // what was last answered, as a closed socket may not know it any more
    private volatile InetSocketAddress remote; // the same
    private volatile boolean closed; // then the socket is not asked any more
    private ConnectionInfo info; // set once, before anyone else sees this

    Owner(T socket, ReferenceQueue<Object> forgotten, TcpAddresses<? super T> addresses) {
        super(socket, forgotten);
        this.addresses = addresses;
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
        T socket = local == null && !closed ? get() : null;
        if (socket != null) {
            local = addresses.local(socket);
        }
        return local;
    }

    /** The peer's address over TCP, or null if nobody asked before the socket was closed. */
    InetSocketAddress remote() {
        T socket = remote == null && !closed ? get() : null;
        if (socket != null) {
            remote = addresses.remote(socket);
        }
        return remote;
    }
}
