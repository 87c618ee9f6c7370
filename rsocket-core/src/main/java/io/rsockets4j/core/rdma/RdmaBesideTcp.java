/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.fabric.AcceptQueue;
import io.rsockets4j.core.fabric.Fabric;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.ListenOffer;
import io.rsockets4j.core.fabric.LocalPort;
import io.rsockets4j.core.fabric.SpinPolicy;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.settings.Settings;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * Path rdma where nobody has named it: no program waits for it. The fabric is opened, listeners are offered and peers
 * are asked by {@link BesideThread}s. A peer's first connection goes by TCP; later ones go by RDMA if the peer has it.
 * Only peers at private addresses are asked, as others are hardly on a network of RDMA devices. Thread-safe.
 */
public final class RdmaBesideTcp implements Fabric {
    static final int MAX_PEERS = 4096;
    static final int ASKING = 8; // threads: a peer that does not answer holds up few others, and no listener
    private static final Log LOG = Log.of(RdmaBesideTcp.class);
    private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(1); // a peer's listener may be about to come
    private static final int LONGER = 4;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5); // the connect by TCP has the core first

    private final Callable<RdmaFabric> opener;
    private final Predicate<InetAddress> near;
    private final long rememberNanos;
    private final BesideThread listening = new BesideThread();
    private final BesideThread[] asking = new BesideThread[ASKING];
    private final Map<InetSocketAddress, Peer> peers = new ConcurrentHashMap<>();
    private final ReentrantLock opening = new ReentrantLock(); // held while the fabric is opened
    private volatile RdmaFabric opened; // written under opening
    private volatile PathException unavailable; // written under opening

    /** What is known of a peer. */
    private enum State { ASKED, OFFERS, NOBODY }

    /** With why, how long that counts, and until when, for NOBODY. */
    private record Peer(State state, Reason reason, long forNanos, long untilNanos) { }

    RdmaBesideTcp(Callable<RdmaFabric> opener, Predicate<InetAddress> near, long rememberNanos) {
        this.opener = opener;
        this.near = near;
        this.rememberNanos = rememberNanos;
        Arrays.setAll(asking, i -> new BesideThread());
    }

    /**
     * Does nothing yet.
     *
     * @param settings which binding, how large rings are, how long to remember who does not offer the path
     * @param spinPolicy shared by all waits of the process
     * @return to be opened once a program listens, or connects to a private address
     */
    public static RdmaBesideTcp of(Settings settings, SpinPolicy spinPolicy) {
        return new RdmaBesideTcp(() -> RdmaFabric.open(settings, spinPolicy), RdmaBesideTcp::isPrivate,
                settings.rememberNanos());
    }

    @Override
    public String name() {
        return RdmaFabric.NAME;
    }

    /**
     * The fabric, if it is open by now.
     *
     * @return null before its first use, and where it cannot be opened
     */
    public RdmaFabric opened() {
        return opened;
    }

    /** Addresses of networks that somebody runs: RFC 1918, RFC 6598, RFC 4193, and those of a link. */
    static boolean isPrivate(InetAddress address) {
        byte[] bytes = address.getAddress();
        boolean shared = bytes.length == 4 && bytes[0] == 100 && (bytes[1] & 0xc0) == 64;
        boolean unique = address instanceof Inet6Address && (bytes[0] & 0xfe) == 0xfc;
        return address.isSiteLocalAddress() || address.isLinkLocalAddress() || shared || unique;
    }

    // ---- connects

    @Override
    public Reason passedOver(InetSocketAddress remote) {
        if (unavailable != null || !near.test(remote.getAddress())) {
            return Reason.PREFERRED;
        }
        Peer known = peers.get(remote);
        if (known == null) {
            ask(remote, null, FIRST_NANOS);
            return Reason.ASKED;
        }
        if (known.state() == State.NOBODY && known.untilNanos() - System.nanoTime() <= 0) {
            ask(remote, known, known.forNanos() * LONGER);
        }
        return known.reason();
    }

    @Override
    public boolean knowsNobodyAt(InetSocketAddress remote) {
        if (unavailable != null || !near.test(remote.getAddress())) {
            return true;
        }
        Peer known = peers.get(remote);
        return known != null && known.state() == State.NOBODY && known.untilNanos() - System.nanoTime() > 0;
    }

    /** Unless another connect has it asked. A refusal counts for the given time. */
    private void ask(InetSocketAddress remote, Peer known, long forNanos) {
        if (peers.size() >= MAX_PEERS) {
            peers.clear(); // who connects to so many asks each rarely
        }
        long counts = Math.min(forNanos, Math.max(rememberNanos, FIRST_NANOS));
        Peer asked = new Peer(State.ASKED, known == null ? Reason.ASKED : known.reason(), counts, 0);
        boolean mine = known == null ? peers.putIfAbsent(remote, asked) == null : peers.replace(remote, known, asked);
        BesideThread thread = asking[Math.floorMod(remote.hashCode(), ASKING)];
        if (mine && !thread.ask(() -> learn(remote, asked))) {
            peers.remove(remote, asked); // another time
        }
    }

    private void learn(InetSocketAddress remote, Peer asked) {
        Peer answer = nobody(Reason.NOT_OFFERED, asked.forNanos());
        try {
            LockSupport.parkNanos(PAUSE_NANOS);
            if (open().isOffered(remote)) {
                answer = new Peer(State.OFFERS, null, 0, 0);
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "rsockets4j: " + remote + " was asked for rdma: " + e.getMessage());
            answer = nobody(toTell(PathException.reasonOf(e)), asked.forNanos());
        } finally {
            peers.replace(remote, asked, answer);
        }
    }

    /**
     * The reason to tell: what this process lacks, or else that the peer does not offer the path. Most peers do not, in
     * whichever way that shows.
     */
    private static Reason toTell(Reason found) {
        return found.kind() == Reason.Kind.HERE && found != Reason.FAILED ? found : Reason.NOT_OFFERED;
    }

    private static Peer nobody(Reason reason, long forNanos) {
        return new Peer(State.NOBODY, reason, forNanos, System.nanoTime() + forNanos);
    }

    /** Waits, as the peer is known to be there, or there is no other way. */
    @Override
    public Link connect(InetSocketAddress remote, LocalPort port, long deadlineNanos) throws IOException {
        try {
            Link link = open().connect(remote, port, deadlineNanos);
            if (link == null) {
                peers.computeIfPresent(remote, (peer, known) -> nobody(Reason.NOT_OFFERED, FIRST_NANOS));
            }
            return link;
        } catch (ClosedChannelException e) {
            throw e; // no fault of the peer's
        } catch (IOException e) {
            Reason reason = PathException.reasonOf(e);
            if (isLasting(reason)) {
                peers.computeIfPresent(remote, (peer, known) -> nobody(reason, Math.max(rememberNanos, FIRST_NANOS)));
            }
            throw e;
        }
    }

    /** Whether later connects had better not wait for the same end. */
    private static boolean isLasting(Reason reason) {
        return switch (reason) {
            case BACKLOG_FULL, PEER_BUSY -> false;
            case FAILED -> true;
            default -> reason.kind() == Reason.Kind.PEER;
        };
    }

    @Override
    public boolean mayWait(InetSocketAddress remote) {
        return !remote.getAddress().isLoopbackAddress();
    }

    /** Who listens there next is asked soon; a program that tries again and again has it asked once a second. */
    @Override
    public void nobodyAt(InetSocketAddress remote) {
        long soon = System.nanoTime() + FIRST_NANOS;
        peers.computeIfPresent(remote, (peer, known) -> known.state() != State.NOBODY ? known
                : new Peer(State.NOBODY, known.reason(), FIRST_NANOS,
                        soon - known.untilNanos() < 0 ? soon : known.untilNanos()));
    }

    // ---- listeners

    /** What cannot be offered is told to nobody, as nobody has asked for it. */
    @Override
    public ListenOffer listen(ListenRequest request, AcceptQueue queue) {
        if (unavailable != null || request.address().getAddress().isLoopbackAddress()) {
            return null;
        }
        LateOffer offer = new LateOffer();
        listening.execute(() -> {
            try {
                offer.begin(open(), request, queue);
            } catch (IOException e) {
                LOG.log(System.Logger.Level.DEBUG, "rsockets4j: not listening on rdma at " + request.address() + ": "
                        + e.getMessage());
            }
        });
        return offer;
    }

    /** Opens the fabric at the first call. Blocks for as long as that takes. */
    private RdmaFabric open() throws IOException {
        if (opened == null) {
            tryOpen();
        }
        PathException cause = unavailable;
        if (cause != null) {
            throw cause;
        }
        return opened;
    }

    private void tryOpen() {
        opening.lock();
        try {
            if (opened == null && unavailable == null) {
                opened = opener.call();
            }
        } catch (Exception e) {
            Reason reason = e instanceof IOException io ? PathException.reasonOf(io) : Reason.UNAVAILABLE;
            unavailable = new PathException(reason, "path rdma is not available: " + e.getMessage(), e);
            LOG.log(System.Logger.Level.INFO, "rsockets4j: " + unavailable.getMessage() + " (reason " + reason + ")");
        } finally {
            opening.unlock();
        }
    }
}
