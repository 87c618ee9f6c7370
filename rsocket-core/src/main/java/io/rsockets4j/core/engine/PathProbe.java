/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import io.rsockets4j.core.fabric.Fabric;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.LocalPort;
import io.rsockets4j.core.fabric.SpinPolicy;
import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.rules.Choice;
import io.rsockets4j.core.rules.Rules;
import io.rsockets4j.core.settings.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Finds out which paths work, each by itself, without the process' engine. For diagnosis by one thread, in a process
 * that soon ends, as an opened fabric stays open.
 */
public final class PathProbe {
    private final Settings settings;
    private final Rules rules;
    private final SpinPolicy spinPolicy;
    private final Map<String, Fabric> opened = new LinkedHashMap<>();

    /**
     * Creates a probe that has tried nothing yet.
     *
     * @param settings where shared memory is, which binding to use, which rules count
     * @throws IllegalArgumentException if the rules have a mistake; the message says where
     */
    public PathProbe(Settings settings) {
        this.settings = settings;
        rules = new Rules(settings);
        spinPolicy = new SpinPolicy(settings.spinNanos(), Runtime.getRuntime().availableProcessors());
    }

    /**
     * Whether this process can use a path at all.
     *
     * @param path its name
     * @return its state, which says nothing of any peer
     */
    public PathState here(String path) {
        if (path.equals(Settings.TCP)) {
            return new PathState(path, true, Reason.PREFERRED, "always there");
        }
        try {
            fabric(path);
            return new PathState(path, true, Reason.PREFERRED, "can be opened");
        } catch (IOException e) {
            return failed(path, e);
        }
    }

    /**
     * Connects to a peer by one path, and closes the connection at once. Waits for {@code handshake.millis} at most.
     *
     * @param path its name
     * @param peer where a server listens, resolved
     * @return whether that worked, and why not
     */
    public PathState to(String path, InetSocketAddress peer) {
        Choice choice = rules.onConnect(peer);
        if (choice.isByRule() && !choice.has(path)) {
            return new PathState(path, false, Reason.RULE, choice + " does not allow it");
        }
        try {
            String detail = path.equals(Settings.TCP) ? connectTcp(peer) : connect(fabric(path), peer);
            return detail == null ? nobody(path, peer) : new PathState(path, true, choice.reason(), detail);
        } catch (IOException e) {
            return failed(path, e);
        }
    }

    private PathState nobody(String path, InetSocketAddress peer) throws IOException {
        PathException cause = fabric(path).whyNobody(peer);
        return cause == null
                ? new PathState(path, false, Reason.NOT_OFFERED, "nobody offers " + path + " at " + peer)
                : failed(path, cause);
    }

    private static PathState failed(String path, IOException e) {
        return new PathState(path, false, PathException.reasonOf(e), String.valueOf(e.getMessage()));
    }

    private Fabric fabric(String path) throws IOException {
        Fabric fabric = opened.get(path);
        if (fabric == null) {
            fabric = Fabrics.openFabric(path, settings, spinPolicy);
            opened.put(path, fabric);
        }
        return fabric;
    }

    private String connect(Fabric fabric, InetSocketAddress peer) throws IOException {
        ProbePort port = new ProbePort();
        Link link = null;
        try {
            link = fabric.connect(peer, port, System.nanoTime() + settings.handshakeNanos());
            return link == null ? null : "connected " + link.localAddress() + " to " + link.remoteAddress();
        } finally {
            if (link == null) {
                port.release();
            } else {
                link.beginClose();
                link.close(false); // releases the port
            }
        }
    }

    private String connectTcp(InetSocketAddress peer) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(peer, Math.toIntExact(settings.handshakeNanos() / 1_000_000));
            return "connected " + socket.getLocalSocketAddress() + " to " + peer;
        }
    }

    /** The local port of a connection that no program asked for. */
    private static final class ProbePort implements LocalPort {
        private final Socket socket = new Socket();

        @Override
        public InetSocketAddress reserve(InetAddress source) throws IOException {
            if (!socket.isBound()) {
                socket.bind(new InetSocketAddress(source, 0));
            }
            return (InetSocketAddress) socket.getLocalSocketAddress();
        }

        @Override
        public boolean isOpen() {
            return !socket.isClosed();
        }

        @Override
        public void release() {
            try {
                socket.close();
            } catch (IOException e) {
                EngineLog.LOG.log(System.Logger.Level.DEBUG,
                        "rsockets4j: cannot close the probe's port: " + e.getMessage());
            }
        }
    }
}
