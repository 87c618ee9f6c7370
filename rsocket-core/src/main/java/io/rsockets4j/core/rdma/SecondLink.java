/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.settings.PortAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Makes the second link of a session, by the initiator, and makes it again when it is missing: between ports that the
 * link in use is not on. Where one could be made it is tried again, less and less often. The connection manager's
 * thread.
 */
final class SecondLink {
    private static final Log LOG = Log.of(SecondLink.class);
    private static final long MIN_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long MAX_DELAY_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** From an address of this host to one of the peer's. */
    private record Way(PortAddress from, InetSocketAddress to, int peerPort, boolean near) {
        /** Whether it leads between the same ports, by addresses of the same family. */
        boolean isLike(Way other) {
            return from.device().equals(other.from.device()) && from.port() == other.from.port()
                    && peerPort == other.peerPort
                    && from.address().getClass() == other.from.address().getClass();
        }
    }

    private final RdmaContext context;
    private final RdmaSession session;
    private final long number;
    private final Links links;
    private final Deque<Way> ways = new ArrayDeque<>(); // to be tried
    private boolean trying;
    private boolean possible; // there was a way once
    private long delayNanos = MIN_DELAY_NANOS;

    /**
     * Knows where a second link may lead.
     *
     * @param context has its devices
     * @param session that is to have it
     * @param number of the session
     * @param links what the peer says
     */
    SecondLink(RdmaContext context, RdmaSession session, long number, Links links) {
        this.context = context;
        this.session = session;
        this.number = number;
        this.links = links;
    }

    /** Makes the link, if it is missing. */
    void make() {
        if (trying || !session.links().lacksOne()) {
            return;
        }
        ways.addAll(ways());
        possible |= !ways.isEmpty();
        trying = true;
        tryNext();
    }

    private void tryNext() {
        Way way = ways.poll();
        if (way != null) {
            JoinAttempt attempt = new JoinAttempt(context, session, number, links.token(), this::made,
                    this::failed);
            try {
                attempt.begin(way.from.address(), way.to);
            } catch (IOException e) { // no identifier can be made
                failed(e);
            }
            return;
        }
        trying = false;
        if (possible) {
            context.cm().schedule(delayNanos, this::make);
            delayNanos = Math.min(2 * delayNanos, MAX_DELAY_NANOS);
        }
    }

    /** It stands. */
    private void made() {
        trying = false;
        ways.clear();
        delayNanos = MIN_DELAY_NANOS;
        make(); // it may have failed by now
    }

    /** An attempt has failed. */
    private void failed(IOException cause) {
        LOG.log(System.Logger.Level.DEBUG, "rsockets4j: no second RDMA link: " + cause.getMessage());
        tryNext();
    }

    /**
     * From each port of this host to each of the peer's, but for those that are in use; those of one network first, and
     * one of each family.
     */
    private List<Way> ways() {
        List<Way> found = new ArrayList<>();
        SessionLink used = session.links().active();
        if (used.localAddress() == null || used.remoteAddress() == null) {
            return found; // the binding cannot tell
        }
        List<PortAddress> own = context.ownPorts();
        PortAddress usedPort = null;
        for (PortAddress each : own) {
            if (each.address().equals(used.localAddress().getAddress())) {
                usedPort = each;
            }
        }
        int usedByPeer = -1;
        for (InetSocketAddress each : links.addresses()) {
            if (each.getAddress().equals(used.remoteAddress().getAddress())) {
                usedByPeer = each.getPort();
            }
        }
        for (PortAddress from : own) {
            boolean inUse = usedPort != null && from.device().equals(usedPort.device())
                    && from.port() == usedPort.port();
            for (InetSocketAddress to : links.addresses()) {
                if (!inUse && to.getPort() != usedByPeer && from.address().getClass() == to.getAddress().getClass()) {
                    found.add(new Way(from, new InetSocketAddress(to.getAddress(), links.port()), to.getPort(),
                            isNear(from, to.getAddress())));
                }
            }
        }
        found.sort(Comparator.comparing(way -> !way.near));
        List<Way> different = new ArrayList<>();
        for (Way way : found) { // each may take its time to fail
            if (different.stream().noneMatch(way::isLike)) {
                different.add(way);
            }
        }
        return different;
    }

    /** Whether an address is in the network of one of this host's. */
    private static boolean isNear(PortAddress own, InetAddress other) {
        byte[] a = own.address().getAddress();
        byte[] b = other.getAddress();
        for (int bit = 0; bit < own.prefixLength(); bit++) {
            int mask = 0x80 >> bit % Byte.SIZE;
            if ((a[bit / Byte.SIZE] & mask) != (b[bit / Byte.SIZE] & mask)) {
                return false;
            }
        }
        return true;
    }
}
