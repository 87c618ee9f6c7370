/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Writes what users read: one warning for each cause of a fallback; and, where that is wanted, a line with the first
 * socket, and one for each peer that has TCP alone.
 */
final class EngineLog {
    /** By one name, whichever class of this package speaks. */
    static final Log LOG = Log.of("io.rsockets4j.core.engine.Engine");
    private static final int MAX_WARNINGS = 1000;
    private static final String ONCE = " (Not said again of this peer.)";

    private final AtomicBoolean started = new AtomicBoolean();
    private final AtomicBoolean turnedAway = new AtomicBoolean();
    private final Set<Warning> warned = ConcurrentHashMap.newKeySet();

    /** A message that appears once: connects to a peer, or listeners where that is null, miss a path for a reason. */
    private record Warning(String path, Reason reason, InetSocketAddress peer) { }

    /**
     * Says that this process runs with us; with its first socket, as the program sets its logging up before that. Where
     * no path is there at all, that is a warning: nobody is served.
     *
     * @param paths that the settings allow
     * @param there those of them that work here
     * @param rules how many there are
     */
    void started(List<String> paths, List<String> there, int rules) {
        if (!started.compareAndSet(false, true)) {
            return;
        }
        if (there.isEmpty()) {
            LOG.log(WARNING, "rsockets4j serves nobody: none of paths=" + String.join(",", paths)
                    + " is available, and tcp is not allowed; connects fail, and listeners turn clients away");
        } else if (LOG.passes(INFO)) {
            LOG.log(INFO, name() + " serves this program's sockets: " + ways(there, rules));
        }
    }

    /** The same, for whoever asks a process later, by {@code stat}. */
    static String served(List<String> there, int rules) {
        return name() + ", " + ways(there, rules);
    }

    private static String name() {
        String version = EngineLog.class.getPackage().getImplementationVersion();
        return "rsockets4j" + (version == null ? "" : " " + version);
    }

    private static String ways(List<String> there, int rules) {
        return "paths=" + (there.isEmpty() ? "none" : String.join(",", there))
                + (rules == 0 ? "" : ", rules: " + rules);
    }

    /** Whether {@link #started} was called. */
    boolean isStarted() {
        return started.get();
    }

    /** Warns of clients that came by TCP to a listener which does not allow it; once. */
    void turnedAway(InetSocketAddress listener) {
        if (!turnedAway.get() && turnedAway.compareAndSet(false, true)) {
            LOG.log(WARNING, "rsockets4j: turned a client away at " + listener + ": it came by tcp, which paths or a"
                    + " rule do not allow there. It runs without rsockets4j, or found no better path. (Not said"
                    + " again.)");
        }
    }

    /**
     * Tells of a connection that takes a worse path than the best; the same cause of a peer only once. It warns, unless
     * nobody offers the path there: why is looked into later, see {@link #found}.
     */
    void fallback(String from, String to, Reason reason, InetSocketAddress remote, Supplier<String> what) {
        System.Logger.Level level = reason == Reason.NOT_OFFERED ? INFO : levelOf(reason);
        if (LOG.passes(level) && isNew(from, reason, remote)) {
            LOG.log(level, "rsockets4j: a connect to " + remote + " goes by " + to + ": " + what.get()
                    + ". Reason " + reason + ". " + reason.advice() + ONCE);
        }
    }

    /** Tells why nobody offers a path at an address; once for a peer, and only where something can be done. */
    void found(String path, PathException cause, InetSocketAddress remote) {
        Reason reason = cause.reason();
        System.Logger.Level level = levelOf(reason);
        if (LOG.passes(level) && isNew(path, reason, remote)) {
            LOG.log(level, "rsockets4j: connects to " + remote + " do not go by " + path + ": " + cause.getMessage()
                    + ". Reason " + reason + ". " + reason.advice() + ONCE);
        }
    }

    /** Warnings are for what somebody wanted and does not get. */
    private static System.Logger.Level levelOf(Reason reason) {
        return switch (reason) {
            case NOT_OFFERED, WITHOUT_AGENT -> INFO;
            case STRANGER, OTHER_HOST, ASKED -> DEBUG;
            default -> WARNING;
        };
    }

    /** Warns of a listener that is not offered on a path; the same cause only once. */
    void notListening(String path, Reason reason, InetSocketAddress local, String what) {
        if (isNew(path, reason, null)) {
            LOG.log(WARNING, "rsockets4j: not listening on " + path + " at " + local + ": " + what + ". Reason "
                    + reason + ". " + reason.advice() + " (Not said again for this reason.)");
        }
    }

    private boolean isNew(String path, Reason reason, InetSocketAddress remote) {
        if (warned.size() >= MAX_WARNINGS) {
            return false; // a log that is so full tells nothing
        }
        return !reason.isChoice() && warned.add(new Warning(path, reason, remote));
    }
}
