/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.fabric.AcceptQueue;
import io.rsockets4j.core.fabric.Fabric;
import io.rsockets4j.core.fabric.PathException;
import io.rsockets4j.core.fabric.TcpWatch;
import io.rsockets4j.core.host.HostAddresses;
import io.rsockets4j.core.host.MappedFile;
import io.rsockets4j.core.host.PortOwners;
import io.rsockets4j.core.host.UnixSockets;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.shm.rendezvous.Rendezvous;
import io.rsockets4j.core.thread.OwnThreads;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The Unix-domain socket by which other processes reach the listeners of this one, and those listeners. Made when the
 * process first listens; goes with the process.
 */
final class Endpoint implements ServiceThread.Handler, Runnable {
    private static final Log LOG = Log.of(Endpoint.class);
    private static final int BACKLOG = 1024;
    private static final long RETRY_NANOS = 1_000_000_000L;
    private static final long FULL_NANOS = 10_000_000;

    private final ShmContext context;
    private final Path path;
    private final ServerSocketChannel server;
    private final ReentrantLock lock = new ReentrantLock();
    private final ShmListener[] listeners = new ShmListener[SessionDescriptor.MAX_LISTENERS]; // guarded by lock
    private final List<AcceptorSession> sessions = new CopyOnWriteArrayList<>(); // written under lock
    private final Handshakes handshakes; // service thread
    private final HostAddresses addresses = new HostAddresses();
    private final PortOwners ports;
    private final AtomicInteger attendants = new AtomicInteger();
    private long generations; // guarded by lock

    private Endpoint(ShmContext context, Path path, ServerSocketChannel server) throws IOException {
        this.ports = new PortOwners();
        this.context = context;
        this.path = path;
        this.server = server;
        this.handshakes = new Handshakes(context, this);
        this.generations = System.nanoTime() & 0xffff_ffffL; // not that of a former process with the same entry
    }

    /** What {@link #open} is for the service thread. */
    record Opening(ShmContext context) implements Callable<Endpoint> {
        @Override
        public Endpoint call() throws IOException {
            return open(context);
        }
    }

    /** Opens the endpoint. Service thread. */
    private static Endpoint open(ShmContext context) throws IOException {
        Path path = context.rendezvous().newPath(Rendezvous.ENDPOINT);
        ServerSocketChannel server = UnixSockets.openServer();
        try {
            context.rendezvous().sweep(context.bells().name());
            UnixSockets.show(server, path, context.rendezvous().newPath(Rendezvous.DRAFT), BACKLOG);
            server.configureBlocking(false);
            Endpoint endpoint = new Endpoint(context, path, server);
            context.service().register(server, SelectionKey.OP_ACCEPT, endpoint);
            OwnThreads.atExit("rsockets4j-cleanup", endpoint);
            return endpoint;
        } catch (IOException | IllegalStateException e) { // the latter as the process ends
            server.close();
            MappedFile.unlink(path);
            throw e;
        }
    }

    // ---- listeners

    /**
     * Offers a listener.
     *
     * @param listening whether TCP listens there, so that an entry of somebody else's there is a thing of the past
     * @return null where there is such an entry, and TCP does not listen yet
     */
    ShmListener listen(Fabric.ListenRequest request, AcceptQueue queue, boolean listening) throws IOException {
        lock.lock();
        try {
            int index = freeIndex();
            Rendezvous.Entry entry = new Rendezvous.Entry(path.getFileName().toString(), index, ++generations,
                    request.receiveBytes());
            Path published = context.rendezvous().publish(request.address(), request.ipv4Only(), entry, listening);
            if (published == null) {
                return null;
            }
            List<Path> all;
            try {
                all = context.rendezvous().publishAcross(request.address(), request.ipv4Only(), entry);
            } catch (IOException | RuntimeException | Error e) {
                context.rendezvous().withdraw(published, entry);
                throw e;
            }
            all.add(published);
            ShmListener listener = new ShmListener(this, request.address(), entry, all, queue, request.backlog());
            listeners[index] = listener;
            announce(index, listener.announcement());
            return listener;
        } finally {
            lock.unlock();
        }
    }

    private void announce(int listener, long announcement) {
        for (AcceptorSession session : sessions) {
            session.announce(listener, announcement);
        }
    }

    /** Connects to a listener are to wait, or need not any more. */
    void full(ShmListener listener, boolean isFull) {
        lock.lock();
        try {
            if (listeners[listener.index()] == listener) {
                listener.setFull(isFull);
                announce(listener.index(), listener.announcement());
            }
        } finally {
            lock.unlock();
        }
    }

    private int freeIndex() throws IOException {
        for (int index = 0; index < listeners.length; index++) {
            if (listeners[index] == null) {
                return index;
            }
        }
        throw new PathException(Reason.TOO_MANY, "more than " + listeners.length + " listeners in one process");
    }

    void close(ShmListener listener) {
        lock.lock();
        try {
            if (listeners[listener.index()] == listener) {
                listeners[listener.index()] = null;
                ringBell(listener.index(), 0);
                announce(listener.index(), 0);
                listener.withdraw(context.rendezvous());
            }
        } finally {
            lock.unlock();
        }
    }

    void ringBell(int listener, int bell) {
        context.bells().page().setListenerBell(listener, bell);
    }

    TcpWatch watch(ServerSocketChannel tcp, Runnable onClient) {
        return new ListenerWatch(context.service(), tcp, onClient);
    }

    /** Finds a listener that is still open. */
    ShmListener listener(int index, long generation) {
        lock.lock();
        try {
            ShmListener listener = listeners[index];
            return listener != null && listener.generation() == generation ? listener : null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Whether the addresses that a peer claims can be true: both are this host's, the one is the listener's, and the
     * other is not known to be another user's. Any thread.
     *
     * @param across whether the peer is in another network namespace: then its address must be none of this one's, and
     *     neither side's a loopback address, which means another place there
     */
    boolean believes(ConnectEntry entry, ShmListener listener, boolean across) {
        InetSocketAddress from = entry.initiator();
        InetSocketAddress to = entry.acceptor();
        if (!listener.isAt(to) || !addresses.isOwn(to.getAddress())) {
            return false;
        }
        return across
                ? HostAddresses.isRoutable(to.getAddress()) && addresses.mayBeAcross(from.getAddress())
                        && from.getPort() != 0
                : addresses.isOwn(from.getAddress()) && ports.mayBeOurs(from.getAddress(), from.getPort());
    }

    /** A thread begins to look after the connects of all sessions; see {@link ShmListener#attend}. */
    void attend() {
        attendants.incrementAndGet();
        for (AcceptorSession session : sessions) {
            session.unparkService();
        }
    }

    void serve() {
        for (AcceptorSession session : sessions) {
            session.serveIfRung();
        }
    }

    boolean mend() {
        boolean mended = false;
        for (AcceptorSession session : sessions) {
            mended |= session.mend();
        }
        return mended;
    }

    /** The last to leave has the service thread rung again. */
    void leave() {
        if (attendants.decrementAndGet() == 0) {
            for (AcceptorSession session : sessions) {
                session.parkService();
                session.serveIfRung();
            }
        }
    }

    // ---- sessions

    @Override
    public void ready() {
        try {
            while (handshakes.hasRoom()) {
                SocketChannel channel = server.accept();
                if (channel == null) {
                    return;
                }
                handshakes.begin(channel);
            }
            context.service().pause(server, FULL_NANOS); // others wait where the kernel holds them
        } catch (IOException e) { // too many open files, most likely: peers wait or go by TCP
            LOG.log(System.Logger.Level.WARNING, "rsockets4j: no new process can connect over shm for a while: " + e);
            context.service().pause(server, RETRY_NANOS);
        }
    }

    @Override
    public void failed(IOException cause) {
        throw new AssertionError("ready handles its exceptions", cause);
    }

    /** A peer has said HELLO. Service thread. */
    AcceptorSession accept(FrameChannel control, Frame.Hello hello) throws IOException {
        AcceptorSession session = AcceptorSession.accept(context, this, control, hello);
        lock.lock();
        try {
            sessions.add(session);
            for (ShmListener listener : listeners) {
                if (listener != null) {
                    session.announce(listener.index(), listener.announcement());
                }
            }
        } finally {
            lock.unlock();
        }
        return session;
    }

    void remove(AcceptorSession session) {
        lock.lock();
        try {
            sessions.remove(session);
        } finally {
            lock.unlock();
        }
    }

    /** At exit: removes what this process has put into the directory. */
    @Override
    public void run() {
        lock.lock();
        try {
            for (ShmListener listener : listeners) {
                if (listener != null) {
                    listener.withdraw(context.rendezvous());
                }
            }
        } finally {
            lock.unlock();
        }
        MappedFile.unlink(path);
    }
}
