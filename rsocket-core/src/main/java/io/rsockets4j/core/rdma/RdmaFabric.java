/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.fabric.AcceptQueue;
import io.rsockets4j.core.fabric.BufferSizes;
import io.rsockets4j.core.fabric.Fabric;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.ListenOffer;
import io.rsockets4j.core.fabric.LocalPort;
import io.rsockets4j.core.fabric.Outcome;
import io.rsockets4j.core.fabric.SpinPolicy;
import io.rsockets4j.core.fabric.VirtualThreads;
import io.rsockets4j.core.host.EphemeralPorts;
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
import io.rsockets4j.core.verbs.VerbsDevice;
import io.rsockets4j.core.verbs.VerbsUnavailableException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** Connections over RDMA, between hosts or within one. Thread-safe. */
public final class RdmaFabric implements Fabric {
    /** This path's name. */
    public static final String NAME = "rdma";

    private static final Log LOG = Log.of(RdmaFabric.class);
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10); // at most twice that, memory stays pinned
    private static final long SESSION_IDLE_NANOS = TimeUnit.SECONDS.toNanos(1); // it holds a port of the host
    private static final long SWITCH_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long EXIT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Settings settings;
    private final SpinPolicy spinPolicy;
    private final long idleNanos;
    private final long switchNanos;
    private final CmThread cm;
    private final HalfOpen halfOpen = new HalfOpen();
    private final PinBudget budget;
    private final KeepAlive keepAlive;
    private final SessionPorts sessionPorts = new SessionPorts(EphemeralPorts.ofKernel());
    private final Map<VerbsDevice, RdmaDevice> devices = new ConcurrentHashMap<>();
    private final ReentrantLock deviceLock = new ReentrantLock(); // held while a device is taken into use
    private final Sessions sessions = new Sessions(this);
    private final List<RdmaListener> listeners = new CopyOnWriteArrayList<>();
    private final Lingering lingering;
    private final Supplier<List<PortAddress>> ownPorts;
    private final JoinListener joins = new JoinListener(this);
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    private RdmaFabric(Settings settings, SpinPolicy spinPolicy, CmThread cm, long idleNanos, long switchNanos,
            long pinnableBytes, Supplier<List<PortAddress>> ownPorts) {
        this.settings = settings;
        this.spinPolicy = spinPolicy;
        this.cm = cm;
        this.idleNanos = idleNanos;
        this.switchNanos = switchNanos;
        this.ownPorts = ownPorts;
        budget = new PinBudget(settings.rdmaMaxBytes(), pinnableBytes);
        keepAlive = new KeepAlive(cm, settings.keepAliveNanos());
        lingering = new Lingering(cm);
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
        return open(settings, spinPolicy, load(settings.rdmaBinding()), IDLE_NANOS, SWITCH_NANOS,
                MemoryLimit.bytes(), PortAddresses::all);
    }

    /**
     * Opens the fabric over a loaded binding; memory that nobody has used for a time is not kept.
     *
     * @param switchNanos how long both sides may take to go over to another link
     * @param pinnableBytes how much the system lets this process pin, Long.MAX_VALUE for all
     * @param ownPorts the addresses that the ports of this host's devices have
     */
    static RdmaFabric open(Settings settings, SpinPolicy spinPolicy, VerbsBinding binding, long idleNanos,
            long switchNanos, long pinnableBytes, Supplier<List<PortAddress>> ownPorts) throws IOException {
        RdmaFabric fabric = new RdmaFabric(settings, spinPolicy, new CmThread(binding.openConnectionManager()),
                idleNanos, switchNanos, pinnableBytes, ownPorts);
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

    CmThread cm() {
        return cm;
    }

    /** The sessions whose peers have not said HELLO. */
    HalfOpen halfOpen() {
        return halfOpen;
    }

    SessionPorts sessionPorts() {
        return sessionPorts;
    }

    /** Whether sessions may have a second link. */
    boolean hasSecondLinks() {
        return settings.rdmaLinks() > 1;
    }

    /** The addresses that the ports of this host's devices have now. */
    List<PortAddress> ownPorts() {
        return ownPorts.get();
    }

    /** Where second links of accepted sessions come in. */
    JoinListener joins() {
        return joins;
    }

    KeepAlive keepAlive() {
        return keepAlive;
    }

    /** How long both sides may take to go over to another link. */
    long switchNanos() {
        return switchNanos;
    }

    SpinPolicy spinPolicy() {
        return spinPolicy;
    }

    long handshakeNanos() {
        return settings.handshakeNanos();
    }

    /**
     * The size that the rings of this side may have. Both directions then use the smaller of the two sides' sizes, and
     * none is smaller than usual, because this side knows what was asked for at one end alone.
     */
    int ringBytes(BufferSizes asked) {
        return settings.rings().capacity(0, Math.max(asked.sendBytes(), asked.receiveBytes()));
    }

    /** Whether writes that may go straight into buffers of the peer's take no other way. */
    boolean directOnly() {
        return settings.directOnly();
    }

    /** From which size on bytes go straight from and into buffers of the program's, or those of extended sockets. */
    int directMinBytes(boolean registered) {
        return settings.directMinBytes(registered);
    }

    /** What the connections of an identifier's device share. */
    RdmaDevice device(CmId id) throws IOException {
        VerbsDevice device = id.device();
        RdmaDevice known = devices.get(device);
        if (known != null && !known.hasEnded()) {
            return known;
        }
        deviceLock.lock();
        try {
            known = devices.get(device);
            if (known == null || known.hasEnded()) {
                known = new RdmaDevice(device, settings.rdmaImmediate(), cm, idleNanos, budget);
                devices.put(device, known);
            }
            return known;
        } finally {
            deviceLock.unlock();
        }
    }

    @Override
    public ListenOffer listen(ListenRequest request, AcceptQueue queue) throws IOException {
        if (request.address().getAddress().isLoopbackAddress()) {
            return null; // no device has it
        }
        return new RdmaListener(this, request, queue);
    }

    @Override
    public Link connect(InetSocketAddress remote, LocalPort port, long deadlineNanos) throws IOException {
        if (remote.getAddress().isLoopbackAddress()) {
            return null;
        }
        long deadline = Math.min(deadlineNanos - System.nanoTime(), settings.handshakeNanos()) + System.nanoTime();
        try {
            return sessions.connect(remote, port, deadline);
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
        long deadline = System.nanoTime() + settings.handshakeNanos();
        try {
            new ConnectAttempt(this, remote, null, deadline).connect(deadline);
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
        devices.values().forEach(device -> device.links().forEach(link -> all.add(link.snapshot())));
        all.sort(Comparator.comparingLong(SessionSnapshot::openedAtMillis));
        return all;
    }

    /** Looks for completions of all devices. */
    void poll() {
        devices.values().forEach(RdmaDevice::poll);
    }

    /** The calling thread looks no more. */
    void arm() {
        devices.values().forEach(RdmaDevice::arm);
    }

    /** A listener begins, or ends. */
    void offers(RdmaListener listener, boolean begins) {
        if (begins) {
            listeners.add(listener);
        } else {
            listeners.remove(listener);
        }
    }

    /** The listener for connects to an address; null if there is none. */
    RdmaListener listener(InetSocketAddress asked) {
        for (RdmaListener listener : listeners) {
            if (listener.serves(asked)) {
                return listener;
            }
        }
        return null;
    }

    /**
     * Waits for a peer's answer: first by looking for it, as long as a spin may take; then by the event that comes with
     * it.
     *
     * @param connection that is to be opened
     * @param answer what is waited for
     * @param deadlineNanos a {@link System#nanoTime} value
     */
    void await(RdmaConnection connection, Outcome<RdmaConnection> answer, long deadlineNanos) throws IOException {
        CompletionPoller poller = connection.session().poller();
        long end = System.nanoTime() + (VirtualThreads.isVirtual() ? 0 : spinPolicy.maxNanos());
        while (!answer.isDone() && System.nanoTime() - end < 0) {
            poller.poll();
            Thread.onSpinWait();
        }
        if (!answer.isDone()) {
            poller.arm(connection.sleepers());
        }
        try {
            answer.await(deadlineNanos);
        } finally {
            poller.forget(connection.sleepers());
        }
    }

    /** An attempt has failed: destroys its identifier, and its session if it has one already. Any thread. */
    void abandon(CmId id, Supplier<RdmaSession> session) {
        cm.execute(() -> {
            cm.forget(id);
            RdmaSession made = session.get();
            if (made != null) {
                made.release();
            } else {
                id.destroy();
            }
        });
    }

    /** A session that this side has made is over. Any thread. */
    void end(RdmaSession session) {
        sessions.forget(session);
        cm.execute(session::release);
    }

    /** A session that this side has made has no connection: it ends after a time, unless it has one again. */
    void retireLater(RdmaSession session) {
        if (session.beginRetiring()) {
            long uses = session.uses();
            cm.schedule(Math.min(idleNanos, SESSION_IDLE_NANOS), () -> {
                if (session.retire(uses)) {
                    end(session);
                } else {
                    retireLater(session);
                }
            });
        }
    }

    /** Ends the sessions that have no connection, as they hold ports. Returns when they are given back. */
    void endIdleSessions() throws IOException {
        sessions.endIdle();
        Outcome<Void> ended = new Outcome<>();
        cm.execute(() -> ended.complete(null)); // behind their ends
        ended.await(System.nanoTime() + EXIT_NANOS);
    }

    /** A link is closed: the port stays taken until nothing is left to deliver and the peer has closed too. */
    void linger(RdmaConnection connection, LocalPort port) {
        lingering.add(connection, port);
    }

    /**
     * The virtual machine ends: waits a moment for the peers' devices to have everything, as TCP sends on. Then no
     * thread of the fabric sleeps where the machine's end would wait for it.
     */
    void exit() {
        long deadline = System.nanoTime() + EXIT_NANOS;
        for (RdmaDevice device : devices.values()) {
            device.links().forEach(link -> link.deliver(deadline));
        }
        devices.values().forEach(RdmaDevice::exit);
        cm.exit();
    }

    /** Logs a message that many connections may cause, once. */
    void warnOnce(String message) {
        if (warned.add(message)) {
            LOG.log(System.Logger.Level.WARNING, message);
        }
    }

    /** The same with the reason of the first time, where reasons differ by their figures. */
    void warnOnce(String message, IOException reason) {
        if (warned.add(message)) {
            LOG.log(System.Logger.Level.WARNING, message + reason.getMessage());
        }
    }
}
