/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.flight.FlightEvents;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.thread.OwnThreads;
import io.rsockets4j.core.verbs.CmId;
import io.rsockets4j.core.verbs.VerbsException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The links of a session: the one that carries its connections, and perhaps a second one that waits. When the first
 * fails, the connection manager's thread moves the session over: it destroys the old queue pair, so that nothing of it
 * can arrive any more, registers the memory anew, and tells the peer what has arrived. Once the peer has told the same,
 * each side posts again what the other one lacks. Thread-safe.
 */
final class SessionLinks {
    private static final Log LOG = Log.of(SessionLinks.class);
    private static final IOException MISTAKE = new IOException("an error while a session went to another link");

    private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(50); // of a check: this machine stood still
    private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(100); // until the next check then
    private static final int MAX_LATE_CHECKS = 5; // in a row
    private static final long MAX_SILENCE_NANOS = TimeUnit.SECONDS.toNanos(10); // of the link that waits

    private final RdmaSession session;
    private final CmThread cm;
    private final long switchNanos;
    private final long silentChecks; // so many go by between those at the link that waits
    private long checks; // the connection manager's thread
    private volatile SessionLink active; // written by the connection manager's thread

    private final ReentrantLock lock = new ReentrantLock();
    private SessionLink second; // guarded by lock: stands, and waits; null if there is none
    private volatile boolean switching; // written under lock: the link has failed, and not both sides have resumed yet
    private boolean peerGone; // guarded by lock: it failed as the peer disconnected
    private IOException switchCause; // guarded by lock
    private long failedNanos; // guarded by lock: when that was
    private boolean checking; // guarded by lock: one more is to come
    private long checkDueNanos; // guarded by lock: when
    private int lateChecks; // guarded by lock: in a row

    private final ReentrantLock switchLock = new ReentrantLock(); // no poller's lock is taken under it
    private LinkSwitch linkSwitch = new LinkSwitch(); // guarded by switchLock
    private List<RdmaConnection> movedOver; // guarded by switchLock: the connections; null while this side has not

    /** Connections with which both sides have gone over, and those of them that could not go on. */
    private record Resumed(List<RdmaConnection> all, List<RdmaConnection> lost) { }

    /**
     * A session begins with one link.
     *
     * @param session whose
     * @param cm where links are moved, and looked after
     * @param silenceNanos how long a link may be silent before it is asked for a sign of life
     * @param switchNanos how long both sides may take to go over to another link
     * @param first the link
     */
    SessionLinks(RdmaSession session, CmThread cm, long silenceNanos, long switchNanos, SessionLink first) {
        this.session = session;
        this.cm = cm;
        this.switchNanos = switchNanos;
        silentChecks = Math.max(1, Math.min(silenceNanos, MAX_SILENCE_NANOS) / CHECK_NANOS);
        active = first;
    }

    /** How long both sides may take to go over to another link. */
    long switchNanos() {
        return switchNanos;
    }

    /** The link that carries the connections. */
    SessionLink active() {
        return active;
    }

    /** The link with an identifier, or null. */
    SessionLink of(CmId id) {
        lock.lock();
        try {
            if (second != null && second.id() == id) {
                return second;
            }
            return active.id() == id ? active : null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes a second link, which stands. On the thread that polls, before its next message is served.
     *
     * @return false if there is no use for it
     */
    boolean add(SessionLink made) {
        made.up(); // before reports say that it waits
        SessionLink before;
        lock.lock();
        try {
            if (!takesOne()) {
                return false;
            }
            made.setOwner(session);
            before = second;
            second = made;
            if (!checking) {
                checking = true;
                checkAfter(CHECK_NANOS);
            }
        } finally {
            lock.unlock();
        }
        if (before != null) {
            cm.execute(() -> drop(before, new IOException("the peer has made another one")));
        }
        if (FlightEvents.isRecording()) {
            FlightEvents.linkUp(made::snapshot);
        }
        return true;
    }

    /** Whether a second link is missing. */
    boolean lacksOne() {
        lock.lock();
        try {
            return second == null && takesOne();
        } finally {
            lock.unlock();
        }
    }

    /** Whether a second link may be added, which takes the place of one that has failed unnoticed. */
    boolean takesOne() {
        lock.lock();
        try {
            return !session.hasEnded() && !switching;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Asks whether the links still lead to the peer, as not every device tells that by itself: what was posted before
     * the last check has been answered by now, or there is a failure. As long as there are two. A check that comes late
     * asks nothing: what has kept it may have kept the answers too. The connection manager's thread.
     */
    private void check() {
        SessionLink known;
        lock.lock();
        try {
            known = second;
            checking = known != null && !session.hasEnded();
            if (!checking) {
                return;
            }
            boolean late = System.nanoTime() - checkDueNanos > LATE_NANOS && lateChecks < MAX_LATE_CHECKS;
            lateChecks = late ? lateChecks + 1 : 0;
            checkAfter(late ? GRACE_NANOS : CHECK_NANOS);
            if (switching || late) {
                return;
            }
        } finally {
            lock.unlock();
        }
        SessionLink carries = active;
        ask(carries, session.sends()::isAnswering);
        if (++checks % silentChecks == 0) {
            ask(known, known::probe); // none but this thread puts it to use
        }
    }

    private void checkAfter(long delayNanos) {
        checkDueNanos = System.nanoTime() + delayNanos;
        cm.schedule(delayNanos, this::check);
    }

    /** What is asked of a link. */
    private interface Question {
        boolean isAnswering() throws VerbsException;
    }

    private void ask(SessionLink link, Question question) {
        link.poller().serveAll(); // answers that nobody has looked for
        try {
            if (!question.isAnswering()) {
                failed(link, new SocketTimeoutException("the peer's device does not answer"), false);
            }
        } catch (VerbsException e) {
            failed(link, e, false);
        }
    }

    /**
     * A link has failed, or the peer has left it. Any thread.
     *
     * @param gone whether the peer has disconnected, or its process has ended
     * @return whether the session has ended
     */
    boolean failed(SessionLink failed, IOException cause, boolean gone) {
        IOException last = cause;
        boolean allGone;
        lock.lock();
        try {
            if (session.hasEnded()) {
                return true;
            }
            boolean carries = failed == active;
            if (!carries && failed != second || carries && switching && second != null) {
                return false; // that is known
            }
            if (!carries && !switching) {
                second = null;
                cm.execute(() -> drop(failed, cause));
                return false;
            }
            if (!switching) { // later failures follow from that, as where a process ends
                peerGone = gone;
            }
            if (!switching && second != null) {
                switching = true;
                switchCause = cause;
                failedNanos = System.nanoTime();
                endUnlessOver(failedNanos);
                last = null;
            } else if (switchCause != null) {
                last = switchCause;
            }
            allGone = peerGone;
        } finally {
            lock.unlock();
        }
        if (last != null) {
            session.end(last, allGone);
            return true;
        }
        session.sends().suspend();
        cm.execute(() -> move(failed, cause));
        return false;
    }

    /**
     * The link in use is left, as its device does not answer. Any thread.
     *
     * @return whether the session has ended, as there is no other link
     */
    boolean leave(IOException cause) {
        return !switching && failed(active, cause, false);
    }

    /** A peer that does not tell what has arrived must not keep connections waiting for ever. Under the lock. */
    private void endUnlessOver(long began) {
        cm.schedule(switchNanos, () -> {
            lock.lock();
            try {
                if (!switching || failedNanos != began) {
                    return;
                }
            } finally {
                lock.unlock();
            }
            session.end(new SocketTimeoutException("the peer does not go on over the other link"), false);
        });
    }

    /** A link that waited is of no use any more. The connection manager's thread. */
    private void drop(SessionLink failed, IOException cause) {
        LOG.log(System.Logger.Level.DEBUG, "rsockets4j: the " + failed + " failed while it was not in use: "
                + cause.getMessage());
        down(failed, cause.getMessage());
        failed.close(() -> { });
        failed.memory().close();
        session.linkIsMissing();
    }

    private static void down(SessionLink link, String reason) {
        if (FlightEvents.isRecording()) {
            FlightEvents.linkDown(link::snapshot, reason);
        }
    }

    /** Moves the session to its second link. The connection manager's thread. */
    private void move(SessionLink failed, IOException cause) {
        try {
            down(failed, cause.getMessage());
            failed.close(() -> { }); // what arrived before has been served, and nothing arrives after
            goOver(failed);
        } catch (IOException e) {
            session.fail(e instanceof VerbsException ? new IOException(e.getMessage(), e) : e);
        } catch (Throwable e) { // an error costs this session, and not the connection manager's thread
            OwnThreads.report(LOG, "rsockets4j: an RDMA session is reset after an error", e);
            session.fail(MISTAKE);
        }
    }

    private void goOver(SessionLink failed) throws IOException {
        List<RdmaConnection> all;
        Resumed resumed;
        switchLock.lock();
        try {
            SessionLink next;
            lock.lock();
            try {
                next = second;
            } finally {
                lock.unlock();
            }
            all = next == null ? null : session.moveTo(next, () -> use(next));
            if (all == null) {
                return; // it has ended meanwhile
            }
            movedOver = all;
            resumed = resumeIfComplete();
        } finally {
            switchLock.unlock();
            if (active != failed) {
                failed.memory().close();
            }
        }
        for (RdmaConnection connection : all) {
            failed.poller().forget(connection.sleepers());
            connection.ring(); // whoever waits looks after this link from now on
        }
        finish(resumed);
    }

    private void use(SessionLink next) {
        lock.lock();
        try {
            second = null;
            active = next;
        } finally {
            lock.unlock();
        }
    }

    /** What comes by a link is for it to serve only once this side has gone over. On the thread that polls. */
    void awaitMove() {
        if (switching) {
            switchLock.lock(); // until the connection manager's thread is done
            switchLock.unlock();
        }
    }

    /** The peer has gone over to a link, and tells of so many connections. On the thread that polls. */
    void peerSwitches(SessionLink to, int connections) throws IOException {
        Resumed resumed;
        if (to == active && !switching) {
            throw new ProtocolException("SWITCH to the link that is in use");
        }
        switchLock.lock();
        try {
            linkSwitch.announced(connections);
            resumed = resumeIfComplete();
        } finally {
            switchLock.unlock();
        }
        SessionLink carries = active;
        if (to != carries) {
            failed(carries, new IOException("the peer has left this link"), false);
        }
        finish(resumed);
    }

    /** The peer tells of a connection. On the thread that polls. */
    void peerResumes(Resume resume) throws IOException {
        Resumed resumed;
        switchLock.lock();
        try {
            linkSwitch.told(resume);
            resumed = resumeIfComplete();
        } finally {
            switchLock.unlock();
        }
        finish(resumed);
    }

    /** Once both sides have told all: goes on. Under the switching lock. Returns null if they have not. */
    private Resumed resumeIfComplete() throws IOException {
        List<RdmaConnection> all = movedOver;
        LinkSwitch peers = linkSwitch;
        if (all == null || !peers.isComplete()) {
            return null;
        }
        movedOver = null;
        linkSwitch = new LinkSwitch();
        return new Resumed(all, session.sends().resume(peers.told(), all));
    }

    private void finish(Resumed resumed) {
        if (resumed == null) {
            return;
        }
        IOException cause;
        long pauseNanos;
        lock.lock();
        try {
            pauseNanos = System.nanoTime() - failedNanos;
            switching = false;
            peerGone = false;
            cause = switchCause;
            switchCause = null;
        } finally {
            lock.unlock();
        }
        resumed.lost().forEach(RdmaConnection::lost);
        resumed.all().forEach(RdmaConnection::resumed);
        LOG.log(System.Logger.Level.WARNING, "rsockets4j: an RDMA link failed (" + cause.getMessage() + "): "
                + resumed.all().size() + " connections go on over the " + active);
        if (FlightEvents.isRecording()) {
            FlightEvents.linkFailover(active::snapshot, cause.getMessage(), pauseNanos);
        }
        cm.execute(session::linkIsMissing);
    }

    /** Destroys all. The connection manager's thread; the session has ended. */
    void close(Runnable beforeDestroy, Runnable afterwards) {
        SessionLink waiting;
        lock.lock();
        try {
            waiting = second;
            second = null;
        } finally {
            lock.unlock();
        }
        active.close(beforeDestroy);
        beforeDestroy.run(); // also where the link was destroyed before
        if (waiting != null) {
            down(waiting, "the session has ended");
            waiting.close(() -> { });
        }
        afterwards.run();
        active.memory().close();
        if (waiting != null) {
            waiting.memory().close();
        }
    }
}
