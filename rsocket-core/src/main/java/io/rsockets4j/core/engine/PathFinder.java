/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import io.rsockets4j.core.fabric.Fabric;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.LocalPort;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.rules.Choice;
import io.rsockets4j.core.settings.Settings;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the path of one connect: tries what the rules allow, in their order, and remembers why the better ones failed.
 * Used once, by one thread at a time.
 */
public final class PathFinder {
    private static final Log LOG = EngineLog.LOG;

    private final Fabrics fabrics;
    private final PeerMemory memory;
    private final PeerInspector inspector;
    private final EngineLog log;
    private final List<String> paths; // of the settings
    private final Choice choice;
    private final InetSocketAddress remote;
    private final LocalPort port;
    private final List<Fabric> unoffered = new ArrayList<>(); // nobody is there, as far as they know
    private int next; // of the choice's paths
    private String missed; // the path that did not come up last; null as long as all is well
    private Reason reason; // of the fallback so far
    private String cause; // the same in words; null: nobody offers the path that was missed
    private boolean tried; // a fabric of this process was asked
    private boolean full; // the last one that was asked: its listener is there, and has no room

    PathFinder(Fabrics fabrics, PeerMemory memory, PeerInspector inspector, EngineLog log, List<String> paths,
            Choice choice, InetSocketAddress remote, LocalPort port) {
        this.fabrics = fabrics;
        this.memory = memory;
        this.inspector = inspector;
        this.log = log;
        this.paths = paths;
        this.choice = choice;
        this.remote = remote;
        this.port = port;
        this.reason = choice.reason();
    }

    /**
     * Tries what does not wait for the peer, as far as that leads.
     *
     * @return an established link, or that it is to be TCP, and why; null when {@link #find} is to go on from here
     * @throws IOException as {@code find}
     */
    public Route findAtOnce() throws IOException {
        return find(Long.MAX_VALUE, false);
    }

    /**
     * Tries what is left. Blocks until the peer has answered or time is over.
     *
     * @param deadlineNanos a {@link System#nanoTime} value, or {@link Long#MAX_VALUE}
     * @return an established link, or that it is to be TCP, and why
     * @throws ConnectException when settings and rules allow no TCP, and no other path leads there, or when the backlog
     *     of the listener was full for so long that TCP would give up
     * @throws java.net.SocketTimeoutException when it was full until the deadline
     * @throws IOException when the channel that holds the port is closed meanwhile, which is no fault of the peer's
     */
    public Route find(long deadlineNanos) throws IOException {
        return find(deadlineNanos, true);
    }

    private Route find(long deadlineNanos, boolean mayWait) throws IOException {
        List<String> allowed = choice.paths();
        for (; next < allowed.size(); next++) {
            String path = allowed.get(next);
            if (path.equals(Settings.TCP)) {
                return taken(path, null);
            }
            Fabric fabric = fabrics.get(path);
            if (fabric != null && isPassedOver(fabric)) {
                continue;
            }
            if (fabric != null && !mayWait && waits(fabric)) {
                return null;
            }
            Link link = fabric == null ? null : tryFabric(fabric, deadlineNanos);
            if (full) {
                if (!mayWait) {
                    return null;
                }
                link = tryUntilThereIsRoom(fabric, deadlineNanos);
            }
            if (link != null) {
                return taken(path, link);
            }
            if (fabric == null && !tried) { // what a peer lacks tells more than what this host lacks for every peer
                missed(path, fabrics.whyNot(path), path + " is not available in this process");
            }
        }
        if (allowed.isEmpty()) {
            reason = Reason.NO_PATH_ALLOWED;
            cause = "no path is left of rsockets4j.paths=" + String.join(",", paths);
        }
        throw new ConnectException("Connection refused: " + words() + ", and " + choice + " does not allow tcp (reason "
                + reason + ")");
    }

    /** A peer that does not answer here may do so over TCP, which is therefore left half of the time. */
    private long shareOf(long deadlineNanos) {
        if (deadlineNanos == Long.MAX_VALUE || !choice.paths().contains(Settings.TCP)) {
            return deadlineNanos;
        }
        long now = System.nanoTime();
        return now + (deadlineNanos - now) / 2;
    }

    private Route taken(String path, Link link) {
        Fallback fallback = missed == null ? null : new Fallback(this, path);
        if (fallback != null && link != null) {
            fallback.run();
        }
        return new Route(link, reason, link == null ? fallback : null);
    }

    /** Says which path was missed, and why, or has that looked into. */
    private record Fallback(PathFinder finder, String path) implements Runnable {
        @Override
        public void run() {
            finder.log.fallback(finder.missed, path, finder.reason, finder.remote, finder::words);
            for (Fabric fabric : finder.unoffered) {
                finder.inspector.ask(fabric, finder.remote);
            }
        }
    }

    private boolean isPassedOver(Fabric fabric) {
        Reason why = choice.paths().contains(Settings.TCP) ? fabric.passedOver(remote) : null;
        if (why != null && !why.isChoice()) {
            missed(fabric.name(), why, why == Reason.NOT_OFFERED ? null : words(why));
        }
        return why != null;
    }

    private boolean waits(Fabric fabric) {
        return fabric.mayWait(remote) && !isRemembered(fabric);
    }

    /** Refusals count where there is another way. */
    private boolean isRemembered(Fabric fabric) {
        return choice.paths().contains(Settings.TCP) && memory.isRefused(fabric.name(), remote);
    }

    private Link tryFabric(Fabric fabric, long deadlineNanos) throws ClosedChannelException {
        String path = fabric.name();
        boolean remembers = fabric.asksPeer(remote);
        tried = true;
        full = false;
        if (remembers && isRemembered(fabric)) {
            missed(path, Reason.REMEMBERED, words(Reason.REMEMBERED));
            return null;
        }
        Link link = null;
        try {
            link = fabric.connect(remote, port, shareOf(deadlineNanos));
            if (link == null) {
                nobody(fabric);
            }
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException e) {
            full = PathException.reasonOf(e) == Reason.BACKLOG_FULL;
            if (full) {
                return null;
            }
            missed(path, PathException.reasonOf(e), path + ": " + e.getMessage());
            LOG.log(System.Logger.Level.DEBUG, "rsockets4j: connect to " + remote + ": " + cause);
        }
        if (remembers && choice.paths().contains(Settings.TCP)) {
            remember(path, link != null);
        }
        return link;
    }

    private void nobody(Fabric fabric) {
        missed(fabric.name(), inspector.reason(fabric.name(), remote), null);
        if (LOG.passes(System.Logger.Level.DEBUG)) {
            LOG.log(System.Logger.Level.DEBUG, "rsockets4j: connect to " + remote + ": " + words());
        }
        unoffered.add(fabric);
    }

    /** The listener is there, and so nothing goes by TCP past those that wait: TCP has a backlog of its own. */
    private Link tryUntilThereIsRoom(Fabric fabric, long deadlineNanos) throws IOException {
        BacklogWait wait = new BacklogWait(remote, port, deadlineNanos);
        Link link = null;
        while (full) {
            wait.pause();
            link = tryFabric(fabric, deadlineNanos);
        }
        return link;
    }

    private void remember(String path, boolean accepted) {
        if (accepted || reason == Reason.PEER_BUSY) { // it does take that path, if not at this moment
            memory.forget(path, remote);
        } else if (reason.kind() == Reason.Kind.PEER || reason == Reason.FAILED) {
            memory.refused(path, remote);
        }
    }

    private String words() {
        return cause == null ? "nobody offers " + missed + " at that address" : cause;
    }

    /** Its sentence as a part of one. */
    private static String words(Reason why) {
        return why.sentence().substring(0, why.sentence().length() - 1);
    }

    private void missed(String path, Reason why, String words) {
        missed = path;
        reason = why;
        cause = words;
    }
}
