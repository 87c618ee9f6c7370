/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import io.rsockets4j.core.fabric.Fabric;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.thread.OwnThreads;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Finds out why nobody offers a path at an address, and tells the log: on a separate thread, a second after the first
 * connect, so that no connect waits for it and short programs do not pay. The thread ends when it has no question
 * left. Its finding is the reason of later connects to that peer. Bounded; thread-safe.
 */
final class PeerInspector implements Runnable {
    static final int MAX_PEERS = 1024;
    static final int MAX_QUESTIONS = 64; // a look takes up to 0.3 s
    private static final Log LOG = EngineLog.LOG;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final EngineLog log;
    private final long forNanos;
    private final Map<PeerKey, PeerFinding> findings = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<PeerQuestion> questions = new ArrayDeque<>(); // guarded by lock
    private boolean running; // guarded by lock; a thread is there

    private record PeerQuestion(Fabric fabric, InetSocketAddress peer) { }

    /** The finding, or null while the search goes on, and until when it counts. */
    private record PeerFinding(PathException cause, long untilNanos) { }

    /**
     * Creates an inspector that knows nobody.
     *
     * @param log hears what was found
     * @param forNanos how long that counts
     */
    PeerInspector(EngineLog log, long forNanos) {
        this.log = log;
        this.forNanos = Math.max(forNanos, PATIENCE_NANOS);
    }

    /** Why nobody offers a path at an address, as far as is known. Any thread; never blocks. */
    Reason reason(String path, InetSocketAddress peer) {
        Reason known = knownReason(path, peer);
        return known == null ? Reason.NOT_OFFERED : known;
    }

    /** The same; null where nobody has asked. Any thread; never blocks. */
    Reason knownReason(String path, InetSocketAddress peer) {
        PeerFinding finding = findings.isEmpty() ? null : findings.get(new PeerKey(path, peer));
        if (finding == null) {
            return null;
        }
        return finding.cause() == null ? Reason.NOT_OFFERED : finding.cause().reason();
    }

    /** Has it found out, unless that was done lately. Any thread; does not wait. */
    void ask(Fabric fabric, InetSocketAddress peer) {
        PeerKey key = new PeerKey(fabric.name(), peer);
        long now = System.nanoTime();
        PeerFinding known = findings.get(key);
        if (known != null && known.untilNanos() - now > 0) {
            return;
        }
        if (findings.size() >= MAX_PEERS) {
            findings.clear(); // who connects to so many looks at each rarely
        }
        findings.put(key, new PeerFinding(known == null ? null : known.cause(), now + forNanos));
        lock.lock();
        try {
            if (questions.size() < MAX_QUESTIONS) { // else nobody will know, until it is asked again
                questions.add(new PeerQuestion(fabric, peer));
                start();
            }
        } finally {
            lock.unlock();
        }
    }

    private void start() {
        if (!running) {
            try {
                OwnThreads.daemon("rsockets4j-peers", this).start();
                running = true;
            } catch (Throwable e) { // out of threads: the program's connect goes on without a report
                questions.clear();
                LOG.log(System.Logger.Level.DEBUG, "no thread to look at peers", e);
            }
        }
    }

    @Override
    public void run() {
        try {
            LockSupport.parkNanos(PATIENCE_NANOS);
            for (PeerQuestion question = next(); question != null; question = next()) {
                inspect(question);
            }
        } catch (Throwable e) { // the next one who asks starts a thread again
            OwnThreads.report(LOG, "rsockets4j: cannot look at a peer", e);
            lock.lock();
            running = false;
            lock.unlock();
        }
    }

    private PeerQuestion next() {
        lock.lock();
        try {
            PeerQuestion question = questions.poll();
            running = question != null;
            return question;
        } finally {
            lock.unlock();
        }
    }

    private void inspect(PeerQuestion question) {
        PathException cause = question.fabric().whyNobody(question.peer());
        if (cause != null) {
            log.found(question.fabric().name(), cause, question.peer()); // before a connect has it as its reason
            findings.put(new PeerKey(question.fabric().name(), question.peer()),
                    new PeerFinding(cause, System.nanoTime() + forNanos));
        }
    }
}
