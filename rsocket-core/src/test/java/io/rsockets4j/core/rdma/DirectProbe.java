/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static java.nio.channels.SelectionKey.OP_READ;

import io.rsockets4j.core.engine.ConnectionInfo;
import io.rsockets4j.core.engine.EngineHolder;
import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.fabric.Link;
import java.net.SocketAddress;

/** What tests of other packages see of direct reads and writes. Any thread. */
public final class DirectProbe {
    private DirectProbe() { }

    /** The link of an open connection, by the addresses of its end. */
    public static Link link(SocketAddress local, SocketAddress remote) {
        return EngineHolder.instance().connections().live().stream()
                .filter(info -> info.local().equals(local) && info.remote().equals(remote))
                .map(ConnectionInfo::link).findAny().orElseThrow();
    }

    /** Whether a link knows of a buffer of its peer's that waits and is not used yet; looks for news first. */
    public static boolean knowsOfBuffer(Link link) {
        link.isReady(OP_READ);
        return ((RdmaLink) link).connection().out().isAdvertised();
    }

    /** How many bytes the buffers take that {@link #knowsOfBuffer}; looks for news first. */
    public static long roomOfBuffers(Link link) {
        link.isReady(OP_READ);
        return ((RdmaLink) link).connection().out().advertisedBytes();
    }

    /** Waits until the buffers that {@link #knowsOfBuffer} take so many bytes. */
    public static void awaitRoomOfBuffers(Link link, long bytes) throws Exception {
        Eventually.until("the peer's buffers are known", () -> roomOfBuffers(link) == bytes);
    }

    /** How many bytes programs have lent to this side of a link's session, for all connections of it. */
    public static long lent(Link link) {
        return ((RdmaLink) link).connection().session().memory().lentBytes();
    }
}
