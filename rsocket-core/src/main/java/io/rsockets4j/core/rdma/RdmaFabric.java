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
import io.rsockets4j.core.settings.PortAddress;
import io.rsockets4j.core.settings.PortAddresses;
import io.rsockets4j.core.settings.RdmaPorts;
import io.rsockets4j.core.settings.Settings;
import io.rsockets4j.core.stat.SessionSnapshot;
import io.rsockets4j.core.thread.OwnThreads;
import io.rsockets4j.core.verbs.CmId;
import io.rsockets4j.core.verbs.VerbsBinding;
import io.rsockets4j.core.verbs.VerbsBindings;
import io.rsockets4j.core.verbs.VerbsUnavailableException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** Connections over RDMA, between hosts or within one. Thread-safe. */
public final class RdmaFabric implements Fabric {
    /** This path's name. */
    public static final String NAME = RdmaLink.PATH;

    private static final Log LOG = Log.of(RdmaFabric.class);
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10); // at most twice that, memory stays pinned
    private static final long SWITCH_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long EXIT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final RdmaContext context;
    private final Initiator initiator;
    private final List<RdmaListener> listeners = new CopyOnWriteArrayList<>();
    private final Requests requests;

    /** Answers the connect requests of all listeners. The connection manager's thread. */
    private record Requests(RdmaContext context, List<RdmaListener> listeners, JoinListener joins)
            implements BiConsumer<RdmaListener, CmId> {
        @Override
        public void accept(RdmaListener listener, CmId id) {
            new AcceptAttempt(context, listeners, joins, listener, id).begin();
        }
    }

    private RdmaFabric(RdmaContext context) {
        this.context = context;
        initiator = new Initiator(context);
        requests = new Requests(context, listeners, new JoinListener(context));
    }

    /**
     * Opens the fabric: a binding to the verbs, and the connection manager's thread.
     *
     * @param settings which binding, how large rings are
     * @param spinPolicy shared by all waits of the process
     * @return ready to listen and to connect
     * @throws IOException if RDMA cannot be used here; the message says why and what to do
     */
    public static RdmaFabric open(Settings settings, SpinPolicy spinPolicy) throws IOException {
        if (settings.rdmaBinding().equals(VerbsBindings.AUTO) && !RdmaPorts.anyDevice()) {
            throw new PathException(Reason.NO_DEVICE, "this host has no RDMA device: nothing is in " + RdmaPorts.DEVICES
                    + ". Load its driver, or for a software one: rdma link add rxe0 type rxe netdev eth0");
        }
        CmThread cm = new CmThread(load(settings.rdmaBinding()).openConnectionManager());
        return open(settings, spinPolicy, cm, IDLE_NANOS, SWITCH_NANOS, MemoryLimit.bytes(), PortAddresses::all);
    }

    /**
     * Opens the fabric over a connection manager; memory that nobody has used for a time is not kept.
     *
     * @param cm of the binding to use
     * @param switchNanos how long both sides may take to go over to another link
     * @param pinnableBytes how much the system lets this process pin, Long.MAX_VALUE for all
     * @param ownPorts the addresses that the ports of this host's devices have
     */
    static RdmaFabric open(Settings settings, SpinPolicy spinPolicy, CmThread cm, long idleNanos, long switchNanos,
            long pinnableBytes, Supplier<List<PortAddress>> ownPorts) {
        RdmaFabric fabric = new RdmaFabric(
                new RdmaContext(settings, spinPolicy, cm, idleNanos, switchNanos, pinnableBytes, ownPorts));
        OwnThreads.atExit("rsockets4j-rdma-linger", fabric::exit);
        return fabric;
    }

    private static VerbsBinding load(String name) throws IOException {
        try {
            return VerbsBindings.load(name);
        } catch (VerbsUnavailableException e) {
            throw new PathException(Reason.NO_BINDING, e.getMessage(), e);
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public ListenOffer listen(ListenRequest request, AcceptQueue queue) throws IOException {
        if (request.address().getAddress().isLoopbackAddress()) {
            return null; // no device has it
        }
        return new RdmaListener(context, request, queue, listeners, requests);
    }

    @Override
    public Link connect(InetSocketAddress remote, LocalPort port, long deadlineNanos) throws IOException {
        if (remote.getAddress().isLoopbackAddress()) {
            return null;
        }
        long deadline = Math.min(deadlineNanos - System.nanoTime(), context.handshakeNanos()) + System.nanoTime();
        try {
            return initiator.connect(remote, port, deadline);
        } catch (RefusedException e) {
            LOG.log(System.Logger.Level.DEBUG, "rsockets4j: " + e.getMessage());
            return null;
        }
    }

    /**
     * Asks a peer whether it has this path, without a connection. Blocks for {@code handshake.millis} at most.
     *
     * @throws IOException if it does not answer, or no device leads there
     */
    boolean isOffered(InetSocketAddress remote) throws IOException {
        long deadline = System.nanoTime() + context.handshakeNanos();
        try {
            new ConnectAttempt(context, remote, null, deadline).connect(deadline);
            return true;
        } catch (RefusedException e) {
            return false;
        }
    }

    /** Without a device on the way, or a listener, it takes milliseconds to find out. */
    @Override
    public boolean asksPeer(InetSocketAddress remote) {
        return !remote.getAddress().isLoopbackAddress();
    }

    /**
     * The sessions of this process, those that others made with it among them.
     *
     * @return as of now, the oldest first
     */
    public List<SessionSnapshot> sessions() {
        List<SessionSnapshot> all = new ArrayList<>();
        context.devices().forEach(device -> device.links().forEach(link -> all.add(link.snapshot())));
        all.sort(Comparator.comparingLong(SessionSnapshot::openedAtMillis));
        return all;
    }

    /**
     * The virtual machine ends: waits a moment for the peers' devices to have everything, as TCP sends on. Then no
     * thread of the fabric sleeps where the machine's end would wait for it.
     */
    void exit() {
        long deadline = System.nanoTime() + EXIT_NANOS;
        for (RdmaDevice device : context.devices()) {
            device.links().forEach(link -> link.deliver(deadline));
        }
        context.devices().forEach(RdmaDevice::exit);
        context.cm().exit();
    }
}
