/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.bell.Bell;
import io.rsockets4j.core.bell.Futex;
import io.rsockets4j.core.fabric.AcceptQueue;
import io.rsockets4j.core.fabric.Fabric;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.ListenOffer;
import io.rsockets4j.core.fabric.LocalPort;
import io.rsockets4j.core.fabric.Outcome;
import io.rsockets4j.core.fabric.SourceMemory;
import io.rsockets4j.core.fabric.SpinPolicy;
import io.rsockets4j.core.host.DescriptorBudget;
import io.rsockets4j.core.host.HostAddresses;
import io.rsockets4j.core.host.MemoryBudget;
import io.rsockets4j.core.host.Ownership;
import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.settings.Settings;
import io.rsockets4j.core.shm.rendezvous.BellsFile;
import io.rsockets4j.core.shm.rendezvous.LocalPeer;
import io.rsockets4j.core.shm.rendezvous.Rendezvous;
import io.rsockets4j.core.thread.OwnThreads;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** Connections over shared memory between processes of one user in one network namespace. Thread-safe. */
public final class ShmFabric implements Fabric {
    /** This path's name. */
    public static final String NAME = ShmLink.PATH;

    private static final InetAddress LOOPBACK4 = InetAddress.getLoopbackAddress() instanceof Inet4Address four
            ? four : null;

    private static final long RETRY_NANOS = 5_000_000_000L;

    private final ShmContext context;
    private final Map<InetSocketAddress, Rendezvous.Entry> knownEntries = new ConcurrentHashMap<>();
    private final Map<String, Outcome<InitiatorSession>> sessions = new ConcurrentHashMap<>();
    private final Map<String, Long> retryAtNanos = new ConcurrentHashMap<>();
    private final ReentrantLock endpointLock = new ReentrantLock();
    private volatile Listeners listeners; // made with the endpoint, under endpointLock

    private ShmFabric(ShmContext context) {
        this.context = context;
    }

    /**
     * Opens the fabric: its directory and its daemon thread.
     *
     * @param settings where memory lives, how large rings are
     * @param spinPolicy shared by all waits of the process
     * @return ready to listen and to connect
     * @throws IOException if the directory cannot be used; the message says what to do
     * @throws IllegalStateException if the process ends already
     */
    public static ShmFabric open(Settings settings, SpinPolicy spinPolicy) throws IOException {
        return open(settings, spinPolicy, null, new HeldPorts());
    }

    /** The same, with a budget of its own, or null for that of the settings. */
    static ShmFabric open(Settings settings, SpinPolicy spinPolicy, MemoryBudget budget, HeldPorts heldPorts)
            throws IOException {
        Opening opening = new Opening();
        OwnThreads.atExit("rsockets4j-exit", opening); // before there is a file for it to remove
        return new ShmFabric(opening.open(settings, spinPolicy, budget, heldPorts));
    }

    /** Makes what the fabric shares, and takes it back as the process ends, be that in the midst of making it. */
    private static final class Opening implements Runnable {
        private ShmContext context; // guarded by this
        private boolean ended; // guarded by this

        synchronized ShmContext open(Settings settings, SpinPolicy spinPolicy, MemoryBudget budget,
                HeldPorts heldPorts) throws IOException {
            if (ended) {
                throw new IllegalStateException("this process ends");
            }
            Rendezvous rendezvous = Rendezvous.open(settings.shmDirectory(), settings.shmAcrossNamespaces());
            ServiceThread service = new ServiceThread(); // opens its selector while the bells are made
            BellsFile bells;
            try {
                bells = BellsFile.create(rendezvous.newPath(Rendezvous.BELLS), rendezvous.newPath(Rendezvous.DRAFT));
            } catch (IOException | RuntimeException | Error e) {
                service.end();
                throw e;
            }
            MemoryBudget memory = budget != null ? budget
                    : new MemoryBudget(rendezvous.directory(), settings.shmMaxBytes());
            context = new ShmContext(rendezvous, bells, service, spinPolicy, settings.rings(),
                    settings.handshakeNanos(), memory, heldPorts, new DescriptorBudget(),
                    new VirtualWaker(bells.page()),
                    new LentMemory(rendezvous, bells.name(), memory, settings.directMinBytes(true),
                            Runtime.getRuntime().maxMemory()));
            return context;
        }

        @Override
        public synchronized void run() {
            ended = true;
            if (context != null) {
                context.service().exit();
                context.virtualWaker().exit();
                context.lentMemory().exit();
                context.bells().remove();
            }
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Bell lendBell() {
        return Bell.take(context.bells().page());
    }

    @Override
    public SourceMemory share(int bytes) throws IOException {
        return context.lentMemory().make(bytes);
    }

    @Override
    public ListenOffer listen(ListenRequest request, AcceptQueue queue) throws IOException {
        return listen(request, queue, true);
    }

    @Override
    public ListenOffer announce(ListenRequest request, AcceptQueue queue) throws IOException {
        return listen(request, queue, false);
    }

    private ListenOffer listen(ListenRequest request, AcceptQueue queue, boolean listening) throws IOException {
        Futex.beginToLoad();
        return listeners().listen(request, queue, listening);
    }

    @Override
    public void nobodyAt(InetSocketAddress remote) {
        context.rendezvous().invalidateNegatives();
    }

    private Listeners listeners() throws IOException {
        if (listeners == null) {
            endpointLock.lock();
            try {
                if (listeners == null) {
                    long deadline = System.nanoTime() + context.handshakeNanos();
                    context.service().awaitOpen(deadline);
                    listeners = context.service().submit(new Endpoint.Opening(context)).await(deadline);
                }
            } finally {
                endpointLock.unlock();
            }
        }
        return listeners;
    }

    @Override
    public Link connect(InetSocketAddress remote, LocalPort port, long deadlineNanos) throws IOException {
        Rendezvous.Entry known = knownEntries.get(remote);
        if (known != null) {
            Link link = connect(known, remote, port, deadlineNanos);
            if (link != null) {
                return link;
            }
            knownEntries.remove(remote, known);
        }
        Rendezvous.Entry entry = context.rendezvous().lookUp(remote);
        if (entry == null || entry.equals(known) || !entry.isAcross() && !isLocal(remote.getAddress())) {
            return null;
        }
        Link link = connect(entry, remote, port, deadlineNanos);
        if (link != null) {
            knownEntries.put(remote, entry);
        }
        return link;
    }

    @Override
    public PathException whyNobody(InetSocketAddress remote) {
        try {
            Rendezvous rendezvous = context.rendezvous();
            LocalPeer peer = new LocalPeer(Path.of("/proc"), rendezvous.directory(),
                    Long.toString(rendezvous.namespaceId()), Ownership.userId());
            return isLocal(remote.getAddress()) ? peer.inspect(remote) : peer.inspectElsewhere(remote);
        } catch (IOException e) {
            return null; // it cannot be known
        }
    }

    @Override
    public boolean knowsNobodyAt(InetSocketAddress remote) {
        return !knownEntries.containsKey(remote) && context.rendezvous().knowsNobodyAt(remote);
    }

    /** The first connect to a process makes a session, and that process may be stopped. */
    @Override
    public boolean mayWait(InetSocketAddress remote) {
        Rendezvous.Entry known = knownEntries.get(remote);
        if (known != null && isPrompt(known)) {
            return false;
        }
        try {
            Rendezvous.Entry entry = context.rendezvous().lookUp(remote);
            return entry != null && !isPrompt(entry) && !isLeftAlone(entry.endpoint())
                    && (entry.isAcross() || isLocal(remote.getAddress()));
        } catch (IOException e) {
            return false; // connecting fails at once, and tells why
        }
    }

    private boolean isPrompt(Rendezvous.Entry target) {
        Outcome<InitiatorSession> begun = sessions.get(target.endpoint());
        InitiatorSession session = begun == null ? null : begun.valueNow();
        try {
            return session != null && !session.isEnding()
                    && session.isPrompt(target.listener(), target.generation());
        } catch (InternalError e) {
            session.faulted(e);
            return false;
        }
    }

    private Link connect(Rendezvous.Entry target, InetSocketAddress remote, LocalPort port, long deadlineNanos)
            throws IOException {
        long now = System.nanoTime();
        long deadline = now + Math.min(deadlineNanos - now, context.handshakeNanos());
        InitiatorSession session = session(target.endpoint(), deadline);
        try {
            if (!session.isListening(target.listener(), target.generation())) {
                return null;
            }
            if (session.isFull(target.listener())) {
                throw new PathException(Reason.BACKLOG_FULL, "the backlog of the listener at " + remote + " is full");
            }
            InetAddress source = target.isAcross() ? HostAddresses.sourceTo(remote) : sourceFor(remote.getAddress());
            if (source == null) {
                return null; // TCP will tell that no way leads there
            }
            InetSocketAddress local = port.reserve(source);
            if (target.isAcross() && local.getAddress().isLoopbackAddress()) {
                return null; // where the program has bound it to; TCP will tell that no way leads from there
            }
            Link link = session.connect(target, local, remote, port, deadline);
            Futex.beginToLoadOnceIdle(context.spinPolicy().coreFree());
            return link;
        } catch (InternalError e) {
            session.faulted(e);
            throw new PathException(Reason.PEER_GONE, "the peer has taken shared memory back");
        } catch (PathException e) {
            if (e.reason() == Reason.PEER_BUSY) {
                retryAtNanos.put(target.endpoint(), System.nanoTime() + RETRY_NANOS);
            }
            throw e;
        }
    }

    private InitiatorSession session(String endpointName, long deadline) throws IOException {
        if (!retryAtNanos.isEmpty()) {
            requireWorthTrying(endpointName);
        }
        Outcome<InitiatorSession> session = sessions.get(endpointName);
        InitiatorSession known = session == null ? null : session.valueNow();
        if (known != null) {
            if (!known.isEnding()) {
                return known;
            }
            sessions.remove(endpointName, session);
            session = null;
        }
        if (session == null) {
            context.service().awaitOpen(deadline);
            session = begin(endpointName);
        }
        return session.await(deadline);
    }

    private Outcome<InitiatorSession> begin(String endpointName) {
        Outcome<InitiatorSession> session = new Outcome<>();
        Outcome<InitiatorSession> others = sessions.putIfAbsent(endpointName, session);
        if (others != null) {
            return others;
        }
        context.service().execute(new Begin(this, endpointName, session));
        return session;
    }

    /** Begins a session, on the service thread. */
    private record Begin(ShmFabric fabric, String endpointName, Outcome<InitiatorSession> session)
            implements Runnable {
        @Override
        public void run() {
            try {
                InitiatorSession.begin(fabric.context, endpointName, session,
                        new Ended(fabric, endpointName, session));
            } catch (IOException | RuntimeException e) {
                fail(e);
            } catch (Error e) { // who waits hears of it, and so does the thread
                fail(new IOException(e));
                throw e;
            }
        }

        private void fail(Exception cause) {
            try {
                fabric.notBegun(endpointName, session, cause);
            } finally {
                session.fail(cause);
            }
        }
    }

    /** A session has ended, or the peer did not take it: nothing of it is to be found any more. Service thread. */
    private record Ended(ShmFabric fabric, String endpointName, Outcome<InitiatorSession> session)
            implements Runnable {
        @Override
        public void run() {
            fabric.remove(endpointName, session);
            if (session.valueNow() == null) {
                fabric.failed(endpointName);
            }
        }
    }

    /** A session could not be begun. Service thread. */
    private void notBegun(String endpointName, Outcome<InitiatorSession> session, Exception cause) {
        remove(endpointName, session);
        if (!(cause instanceof PathException)) { // those are of this side alone
            failed(endpointName);
        }
    }

    private void remove(String endpointName, Outcome<InitiatorSession> session) {
        sessions.remove(endpointName, session);
        knownEntries.values().removeIf(entry -> entry.endpoint().equals(endpointName));
    }

    /** What this fabric's sessions share, for tests. */
    ShmContext context() {
        return context;
    }

    /** An endpoint did not answer: its process has died without cleaning up, or it is stopped or full for a while. */
    private void failed(String endpointName) {
        if (!context.rendezvous().forgetIfDead(endpointName)) {
            retryAtNanos.put(endpointName, System.nanoTime() + RETRY_NANOS);
        }
    }

    /** Peers that did not answer are left alone for a while, so that not every connect waits for them. */
    private void requireWorthTrying(String endpointName) throws IOException {
        if (isLeftAlone(endpointName)) {
            throw new PathException(Reason.REMEMBERED, "a session with that peer failed a moment ago");
        }
    }

    private boolean isLeftAlone(String endpointName) {
        Long retryAt = retryAtNanos.get(endpointName);
        if (retryAt == null || retryAt - System.nanoTime() > 0) {
            return retryAt != null;
        }
        retryAtNanos.remove(endpointName, retryAt);
        return false;
    }

    /** The source address that the kernel would choose for a destination on this host. */
    private static InetAddress sourceFor(InetAddress remote) {
        return remote instanceof Inet4Address && remote.isLoopbackAddress() && LOOPBACK4 != null ? LOOPBACK4 : remote;
    }

    private static boolean isLocal(InetAddress address) throws IOException {
        return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
    }
}
