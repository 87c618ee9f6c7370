/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.fabric.Outcome;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The sessions that this process has made, by the address that it connected to, and how they end: one without a
 * connection after a time. Thread-safe; what a session holds is given back by the connection manager's thread.
 */
final class Sessions {
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1); // it holds a port of the host
    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final CmThread cm;
    private final long idleNanos;
    private final Map<InetSocketAddress, Outcome<RdmaSession>> byRemote = new ConcurrentHashMap<>();

    /**
     * Knows no session yet.
     *
     * @param cm where sessions end
     * @param idleNanos how long one may be without a connection, at most
     */
    Sessions(CmThread cm, long idleNanos) {
        this.cm = cm;
        this.idleNanos = Math.min(idleNanos, IDLE_NANOS);
    }

    /** The session with an address, perhaps still being made; null if there was none, and then it is the own one. */
    Outcome<RdmaSession> knownOr(InetSocketAddress remote, Outcome<RdmaSession> own) {
        return byRemote.putIfAbsent(remote, own);
    }

    /** The session with an address, or the attempt to make it, is of no use: the next connect makes another one. */
    void forget(InetSocketAddress remote, Outcome<RdmaSession> known) {
        byRemote.remove(remote, known);
    }

    /** Nobody makes a session any more, whether it stands or not. */
    void endAttempt(InetSocketAddress remote, Outcome<RdmaSession> own) {
        byRemote.computeIfPresent(remote, (address, outcome) -> outcome == own && !own.isDone() ? null : outcome);
        own.fail(new IOException("the connect that others waited for was given up"));
    }

    /** Connects do not go by a session any more: they make another one. */
    void forget(RdmaSession session) {
        byRemote.values().removeIf(outcome -> outcome.valueNow() == session);
    }

    /** A session is over. Any thread. */
    void end(RdmaSession session) {
        forget(session);
        cm.execute(session::release);
    }

    /** A session has no connection: it ends after a time, unless it has one again. */
    void retireLater(RdmaSession session) {
        if (session.beginRetiring()) {
            long uses = session.uses();
            cm.schedule(idleNanos, () -> {
                if (session.retire(uses)) {
                    end(session);
                } else {
                    retireLater(session);
                }
            });
        }
    }

    /** Ends the sessions that have no connection, as they hold ports. Returns when they are given back. */
    void endIdle() throws IOException {
        for (Outcome<RdmaSession> outcome : byRemote.values()) {
            RdmaSession session = outcome.valueNow();
            if (session != null && session.retire(session.uses())) {
                end(session);
            }
        }
        Outcome<Void> ended = new Outcome<>();
        cm.execute(() -> ended.complete(null)); // behind their ends
        ended.await(System.nanoTime() + END_NANOS);
    }
}
