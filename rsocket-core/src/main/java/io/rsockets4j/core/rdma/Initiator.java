/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.LocalPort;
import io.rsockets4j.core.fabric.Outcome;
import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * Connects. The first connect to an address makes a session; those that come meanwhile wait for it, and later ones are
 * messages in it. Thread-safe; on the connecting threads, which wait.
 */
final class Initiator {
    private final RdmaContext context;
    private final Sessions sessions;

    Initiator(RdmaContext context) {
        this.context = context;
        sessions = context.sessions();
    }

    /**
     * Connects, by a session that stands or a new one. Blocks until the deadline at the latest.
     *
     * @throws RefusedException if nobody offers this path there
     * @throws IOException if it failed; everything is cleaned up
     */
    Link connect(InetSocketAddress remote, LocalPort port, long deadlineNanos) throws IOException {
        while (true) {
            Outcome<RdmaSession> own = new Outcome<>();
            Outcome<RdmaSession> known = sessions.knownOr(remote, own);
            if (known == null) {
                return begin(remote, port, deadlineNanos, own);
            }
            RdmaSession session = await(known, deadlineNanos);
            Link link = session == null ? null : connect(session, remote, port, deadlineNanos);
            if (link != null) {
                return link;
            }
            sessions.forget(remote, known); // it has ended, or takes no more connections
        }
    }

    private Link begin(InetSocketAddress remote, LocalPort port, long deadlineNanos, Outcome<RdmaSession> own)
            throws IOException {
        ConnectAttempt attempt = new ConnectAttempt(context, remote, port, deadlineNanos);
        try {
            RdmaLink link = attempt.connect(deadlineNanos);
            own.complete(link.connection().session());
            return link;
        } catch (IOException e) {
            sessions.forget(remote, own);
            own.fail(e);
            throw e;
        } finally {
            sessions.endAttempt(remote, own);
        }
    }

    /** The session that another thread makes; null if it did not succeed, for a cause that may be its own. */
    private static RdmaSession await(Outcome<RdmaSession> known, long deadlineNanos) throws IOException {
        try {
            return known.await(deadlineNanos);
        } catch (IOException e) {
            if (e.getCause() instanceof RefusedException refused) {
                throw refused;
            }
            if (!known.isDone()) {
                throw e; // it takes too long
            }
            return null;
        }
    }

    /** Returns null if the session ends meanwhile, or takes no more connections. */
    private Link connect(RdmaSession session, InetSocketAddress remote, LocalPort port, long deadlineNanos)
            throws IOException {
        InetSocketAddress source = session.localAddress();
        InetSocketAddress local = port.reserve(source == null ? null : source.getAddress());
        if (source != null && !source.getAddress().equals(local.getAddress())) {
            throw new IOException("the program has bound its socket to " + local + ", but the way to " + remote
                    + " begins at " + source.getAddress());
        }
        RdmaConnection connection = session.open(context.ringBytes(port.buffers()));
        if (connection == null) {
            return null;
        }
        boolean done = false;
        try {
            connection.ask(out -> new Connect(connection.number(), connection.slot().forPeer(), local, remote)
                    .encode(out)); // the ring's key is another one on another link
            context.await(connection, connection.opened(), deadlineNanos);
            Link link = new RdmaLink(context, connection, local, remote, port);
            connection.attach(link);
            done = true;
            return link;
        } catch (IOException e) {
            if (session.hasEnded()) {
                return null;
            }
            if (e.getCause() instanceof RefusedException refused) {
                sessions.forget(session); // another process may listen now
                return null;
            }
            throw e;
        } finally {
            if (!done) {
                connection.abandon();
            }
        }
    }
}
