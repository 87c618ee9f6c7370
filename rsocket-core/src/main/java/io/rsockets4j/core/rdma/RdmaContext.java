/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.fabric.BufferSizes;
import io.rsockets4j.core.fabric.LocalPort;
import io.rsockets4j.core.fabric.Outcome;
import io.rsockets4j.core.fabric.SpinPolicy;
import io.rsockets4j.core.fabric.VirtualThreads;
import io.rsockets4j.core.host.EphemeralPorts;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.settings.PortAddress;
import io.rsockets4j.core.settings.Settings;
import io.rsockets4j.core.verbs.CmId;
import io.rsockets4j.core.verbs.VerbsDevice;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * What everything in this fabric shares: the connection manager's thread, the devices in use, what counts and watches
 * connections of all of them, and what the settings say. Thread-safe; methods run on the caller's thread.
 */
final class RdmaContext {
    private static final Log LOG = Log.of("io.rsockets4j.core.rdma.RdmaFabric"); // they speak as one

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
    private final Sessions sessions;
    private final Lingering lingering;
    private final Supplier<List<PortAddress>> ownPorts;
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    /**
     * Uses no device yet.
     *
     * @param settings what the user wants
     * @param spinPolicy shared by all waits of the process
     * @param cm the connection manager's thread
     * @param idleNanos how long memory is kept that nobody uses
     * @param switchNanos how long both sides may take to go over to another link
     * @param pinnableBytes how much the system lets this process pin, Long.MAX_VALUE for all
     * @param ownPorts the addresses that the ports of this host's devices have
     */
    RdmaContext(Settings settings, SpinPolicy spinPolicy, CmThread cm, long idleNanos, long switchNanos,
            long pinnableBytes, Supplier<List<PortAddress>> ownPorts) {
        this.settings = settings;
        this.spinPolicy = spinPolicy;
        this.cm = cm;
        this.idleNanos = idleNanos;
        this.switchNanos = switchNanos;
        this.ownPorts = ownPorts;
        budget = new PinBudget(settings.rdmaMaxBytes(), pinnableBytes);
        keepAlive = new KeepAlive(cm, settings.keepAliveNanos());
        sessions = new Sessions(cm, idleNanos);
        lingering = new Lingering(cm);
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

    /** Those that this process has made. */
    Sessions sessions() {
        return sessions;
    }

    /** Whether sessions may have a second link. */
    boolean hasSecondLinks() {
        return settings.rdmaLinks() > 1;
    }

    /** The addresses that the ports of this host's devices have now. */
    List<PortAddress> ownPorts() {
        return ownPorts.get();
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

    /** Those that are in use now. */
    Collection<RdmaDevice> devices() {
        return devices.values();
    }

    /** Looks for completions of all devices. */
    void poll() {
        devices.values().forEach(RdmaDevice::poll);
    }

    /** The calling thread looks no more. */
    void arm() {
        devices.values().forEach(RdmaDevice::arm);
    }

    /**
     * Waits for a peer's answer: first by looking for it, as long as a spin may take; then by the event that comes with
     * it, in front of the completion thread if that place is free.
     *
     * @param connection that is to be opened
     * @param answer what is waited for
     * @param deadlineNanos a {@link System#nanoTime} value
     */
    void await(RdmaConnection connection, Outcome<RdmaConnection> answer, long deadlineNanos) throws IOException {
        CompletionPoller poller = connection.session().poller();
        boolean virtual = VirtualThreads.isVirtual();
        long end = System.nanoTime() + (virtual ? 0 : spinPolicy.maxNanos());
        while (!answer.isDone() && System.nanoTime() - end < 0) {
            poller.poll();
            Thread.onSpinWait();
        }
        if (!answer.isDone() && !virtual) {
            awaitInFront(connection.session(), poller, answer, deadlineNanos);
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

    /** Returns once the answer is there, and where this thread is to wait for it elsewhere. */
    private static void awaitInFront(RdmaSession session, CompletionPoller poller, Outcome<RdmaConnection> answer,
            long deadlineNanos) {
        CompletionFront front = session.device().front();
        if (front == null || !front.enter(poller)) {
            return;
        }
        try {
            answer.wakes(front); // where another thread serves it
            boolean goesOn = true;
            while (goesOn && !answer.isDone() && session.poller() == poller
                    && !Thread.currentThread().isInterrupted()) {
                poller.armInFront();
                goesOn = !answer.isDone() && front.sleep(deadlineNanos);
            }
        } finally {
            answer.wakes(null);
            front.leave(poller);
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

    /** A link is closed: the port stays taken until nothing is left to deliver and the peer has closed too. */
    void linger(RdmaConnection connection, LocalPort port) {
        lingering.add(connection, port);
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
