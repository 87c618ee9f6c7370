/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import io.rsockets4j.core.fabric.Fabric;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.LocalPort;
import io.rsockets4j.core.fabric.PathException;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.rules.Choice;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * Finds the path of one connect: tries what the rules allow, in their order, and remembers why the better ones failed.
 * Used once, by one thread.
 */
final class PathFinder {
    private static final Log LOG = Log.of(Engine.class);

    private final Fabrics fabrics;
    private final PeerMemory memory;
    private final EngineLog log;
    private final List<String> paths; // of the settings
    private final Choice choice;
    private final InetSocketAddress remote;
    private String missed; // the path that did not come up last; null as long as all is well
    private Reason reason; // of the fallback so far
    private String cause; // the same in words; null: nobody offers the path that was missed
    private boolean tried; // a fabric of this process was asked

    PathFinder(Fabrics fabrics, PeerMemory memory, EngineLog log, List<String> paths, Choice choice,
            InetSocketAddress remote) {
        this.fabrics = fabrics;
        this.memory = memory;
        this.log = log;
        this.paths = paths;
        this.choice = choice;
        this.remote = remote;
        this.reason = choice.reason();
    }

    Route find(LocalPort port, long deadlineNanos) throws ConnectException {
        long shareNanos = shareOf(deadlineNanos);
        for (String path : choice.paths()) {
            if (path.equals(Engine.TCP)) {
                return taken(path, null);
            }
            Fabric fabric = fabrics.get(path);
            Link link = fabric == null ? null : tryFabric(fabric, port, shareNanos);
            if (link != null) {
                return taken(path, link);
            }
            if (fabric == null && !tried) { // what a peer lacks tells more than what this host lacks for every peer
                missed(path, fabrics.whyNot(path), path + " is not available in this process");
            }
        }
        if (choice.paths().isEmpty()) {
            reason = Reason.NO_PATH_ALLOWED;
            cause = "no path is left of rsockets4j.paths=" + String.join(",", paths);
        }
        throw new ConnectException("Connection refused: " + words() + ", and " + choice + " does not allow tcp (reason "
                + reason + ")");
    }

    /** A peer that does not answer here may do so over TCP, which is therefore left half of the time. */
    private long shareOf(long deadlineNanos) {
        if (deadlineNanos == Long.MAX_VALUE || !choice.paths().contains(Engine.TCP)) {
            return deadlineNanos;
        }
        long now = System.nanoTime();
        return now + (deadlineNanos - now) / 2;
    }

    private Route taken(String path, Link link) {
        if (missed != null) {
            log.fallback(missed, path, reason, remote, this::words);
        }
        return new Route(link, reason);
    }

    private Link tryFabric(Fabric fabric, LocalPort port, long deadlineNanos) {
        String path = fabric.name();
        boolean remembers = fabric.remembersRefusals()
                && choice.paths().contains(Engine.TCP); // else there is no other way
        tried = true;
        if (remembers && memory.isRefused(path, remote)) {
            missed(path, Reason.REMEMBERED, Reason.REMEMBERED.sentence());
            return null;
        }
        Link link = null;
        try {
            link = fabric.connect(remote, port, deadlineNanos);
            if (link == null) {
                missed(path, Reason.NOT_OFFERED, null);
            }
        } catch (IOException e) {
            missed(path, PathException.reasonOf(e), path + ": " + e.getMessage());
            LOG.log(System.Logger.Level.DEBUG, "rsockets4j: connect to " + remote + ": " + cause);
        }
        if (remembers) {
            remember(path, link != null);
        }
        return link;
    }

    private void remember(String path, boolean accepted) {
        if (accepted) {
            memory.forget(path, remote);
        } else if (reason.kind() == Reason.Kind.PEER || reason == Reason.FAILED) {
            memory.refused(path, remote);
        }
    }

    private String words() {
        return cause == null ? "nobody offers " + missed + " at that address" : cause;
    }

    private void missed(String path, Reason why, String words) {
        missed = path;
        reason = why;
        cause = words;
    }
}
