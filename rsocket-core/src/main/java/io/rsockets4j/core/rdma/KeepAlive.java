/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Notices that a peer's host has vanished while neither side sends, as TCP does with SO_KEEPALIVE: after a time without
 * any message a write of no bytes asks the peer's device, which answers without its software. If it does not, the
 * device's own retries end the session, and so all its connections. Looks on the connection manager's thread; costs the
 * data path nothing.
 */
final class KeepAlive {
    private static final long MAX_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A session, as it is seen from here. On the connection manager's thread. */
    interface Watched {
        /** How many messages have come by the link that is used. */
        long messages();

        /** Asks the peer's device for a sign of life. Deals with what goes wrong. */
        void probe();
    }

    /** What was seen of a session: used by the connection manager's thread alone. */
    private static final class Seen {
        private long messages = -1;
        private long sinceNanos;
    }

    private final CmThread cm;
    private final long idleNanos;
    private final Map<Watched, Seen> watched = new ConcurrentHashMap<>();
    private final AtomicBoolean checking = new AtomicBoolean();

    /**
     * Creates one without sessions.
     *
     * @param cm where to look
     * @param idleNanos how long a session may be silent, in nanoseconds
     */
    KeepAlive(CmThread cm, long idleNanos) {
        this.cm = cm;
        this.idleNanos = idleNanos;
    }

    /** How long a session may be silent, in nanoseconds. */
    long idleNanos() {
        return idleNanos;
    }

    /** Begins to watch a session. Any thread. */
    void watch(Watched session) {
        watched.putIfAbsent(session, new Seen());
        if (checking.compareAndSet(false, true)) {
            schedule();
        }
    }

    /** Ends watching a session. Any thread. */
    void forget(Watched session) {
        watched.remove(session);
    }

    private void schedule() {
        cm.schedule(Math.min(idleNanos, MAX_PERIOD_NANOS), this::check);
    }

    private void check() {
        if (watched.isEmpty()) {
            checking.set(false);
            if (watched.isEmpty() || !checking.compareAndSet(false, true)) { // else one came just now
                return;
            }
        }
        long now = System.nanoTime();
        try {
            watched.forEach((session, seen) -> check(session, seen, now));
        } finally {
            schedule();
        }
    }

    private void check(Watched session, Seen seen, long now) {
        long messages = session.messages();
        if (messages != seen.messages) {
            seen.messages = messages;
            seen.sinceNanos = now;
        } else if (now - seen.sinceNanos >= idleNanos) {
            seen.sinceNanos = now;
            session.probe();
        }
    }
}
