/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import io.rsockets4j.core.fabric.AcceptQueue;
import io.rsockets4j.core.fabric.Fabric;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.ListenOffer;
import io.rsockets4j.core.fabric.LocalPort;
import io.rsockets4j.core.fabric.PathException;
import io.rsockets4j.core.fabric.SpinPolicy;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.settings.Settings;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;

/**
 * The engine of a process: which paths exist, in which order a connect tries them, and what was used.
 *
 * <p>The socket doors hold the TCP side themselves; the engine only says whether something better is there. All
 * methods are thread-safe.
 */
public final class Engine {
    static final String TCP = "tcp";

    private static final Log LOG = Log.of(Engine.class);

    /** Links cost so little while they wait that a small backlog, meant for kernel memory, need not refuse them. */
    private static final int MIN_BACKLOG = 4096;

    private final Settings settings;
    private final Fabrics fabrics;
    private final SpinPolicy spinPolicy;
    private final ConnectionCounts counts = new ConnectionCounts();
    private final ConnectionRegistry connections = new ConnectionRegistry(counts);

    Engine(Settings settings, Fabrics fabrics, SpinPolicy spinPolicy) {
        this.settings = settings;
        this.fabrics = fabrics;
        this.spinPolicy = spinPolicy;
    }

    /**
     * The engine of this process, made from the system properties at first use.
     *
     * @return the one engine
     * @throws IllegalArgumentException if a setting is unknown or cannot be parsed; the message says which
     */
    public static Engine instance() {
        return EngineHolder.INSTANCE;
    }

    /**
     * The settings this engine runs with.
     *
     * @return frozen at start
     */
    public Settings settings() {
        return settings;
    }

    /**
     * How many connections took which path.
     *
     * @return live counters, which the registry of connections keeps
     */
    public ConnectionCounts counts() {
        return counts;
    }

    /**
     * The live connections. The doors register each when it is established, and remove it when it is closed.
     *
     * @return one registry for the process
     */
    public ConnectionRegistry connections() {
        return connections;
    }

    /**
     * How long waiting threads may spin.
     *
     * @return shared by all waits of the process
     */
    public SpinPolicy spinPolicy() {
        return spinPolicy;
    }

    /**
     * Whether connections may fall back to TCP, and TCP clients may be accepted.
     *
     * @return true when {@code tcp} is among the paths
     */
    public boolean tcpAllowed() {
        return settings.paths().contains(TCP);
    }

    /**
     * Whether there is any path but TCP; if not, the doors may use plain JDK sockets.
     *
     * @return true with at least one fabric
     */
    public boolean hasFabrics() {
        return !fabrics.all().isEmpty();
    }

    /**
     * Offers a TCP listener, bound already, on every fabric. A fabric that cannot serve it is left out with a log
     * line; the TCP side is unaffected.
     *
     * @param request the bound address and what was asked for
     * @return links to accept; close it with the TCP listener
     */
    public AcceptQueue listen(Fabric.ListenRequest request) {
        AcceptQueue queue = new AcceptQueue(Math.max(MIN_BACKLOG, request.backlog()), spinPolicy);
        for (Fabric fabric : fabrics.all()) {
            try {
                ListenOffer offer = fabric.listen(request, queue);
                if (offer != null) {
                    queue.add(offer);
                }
            } catch (IOException e) {
                LOG.log(System.Logger.Level.WARNING,
                        "rsockets4j: not listening on " + fabric.name() + ": " + e.getMessage());
            }
        }
        return queue;
    }

    /**
     * Connects over the best path that is not TCP.
     *
     * @param remote where the program wants to connect to
     * @param port reserves the local port
     * @param deadlineNanos a {@link System#nanoTime} value, or {@link Long#MAX_VALUE}
     * @return an established link, or that it is to be TCP, and why
     * @throws ConnectException when TCP is not among the paths and no other path leads there
     */
    public Route connect(InetSocketAddress remote, LocalPort port, long deadlineNanos) throws ConnectException {
        Reason reason = Reason.PREFERRED;
        String cause = "no fabric is available";
        for (Fabric fabric : fabrics.all()) {
            try {
                Link link = fabric.connect(remote, port, deadlineNanos);
                if (link != null) {
                    return new Route(link, reason);
                }
                reason = Reason.NOT_OFFERED;
                cause = "nobody offers " + fabric.name() + " at that address";
            } catch (IOException e) {
                reason = PathException.reasonOf(e);
                cause = fabric.name() + ": " + e.getMessage();
                LOG.log(System.Logger.Level.DEBUG, "rsockets4j: connect to " + remote + ": " + cause);
            }
        }
        if (tcpAllowed()) {
            return new Route(null, reason);
        }
        throw new ConnectException("Connection refused: " + cause + ", and rsockets4j.paths="
                + String.join(",", settings.paths()) + " does not allow tcp");
    }
}
