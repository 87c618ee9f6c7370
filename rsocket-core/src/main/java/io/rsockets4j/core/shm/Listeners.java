/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.fabric.AcceptQueue;
import io.rsockets4j.core.fabric.Fabric;
import io.rsockets4j.core.fabric.ListenOffer;
import io.rsockets4j.core.fabric.TcpWatch;
import io.rsockets4j.core.host.HostAddresses;
import io.rsockets4j.core.host.PortOwners;
import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.shm.rendezvous.Rendezvous;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/** The listeners of this process, and the sessions by which peers connect to them. Thread-safe. */
final class Listeners {
    private final ShmContext context;
    private final String endpoint; // name
    private final ReentrantLock lock = new ReentrantLock();
    private final Offer[] offers = new Offer[SessionDescriptor.MAX_LISTENERS]; // guarded by lock; by index
    private final List<Session> sessions = new CopyOnWriteArrayList<>(); // written under lock
    private final HostAddresses addresses = new HostAddresses();
    private final PortOwners ports = new PortOwners();
    private final AtomicInteger attendants = new AtomicInteger();
    private long generations; // guarded by lock

    Listeners(ShmContext context, String endpoint) throws IOException {
        this.context = context;
        this.endpoint = endpoint;
        this.generations = System.nanoTime() & 0xffff_ffffL; // not that of a former process with the same entry
    }

    /**
     * Offers a listener.
     *
     * @param listening whether TCP listens there, so that another process' entry of that name is out of date
     * @return null where there is such an entry, and TCP does not listen yet
     */
    ListenOffer listen(Fabric.ListenRequest request, AcceptQueue queue, boolean listening) throws IOException {
        lock.lock();
        try {
            int index = freeIndex();
            Rendezvous.Entry entry = new Rendezvous.Entry(endpoint, index, ++generations, request.receiveBytes());
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
            Offer offer = new Offer(request.address(), entry, all, queue, request.backlog());
            offers[index] = offer;
            announce(index, offer.announcement());
            return offer;
        } finally {
            lock.unlock();
        }
    }

    private int freeIndex() throws IOException {
        for (int index = 0; index < offers.length; index++) {
            if (offers[index] == null) {
                return index;
            }
        }
        throw new PathException(Reason.TOO_MANY, "more than " + offers.length + " listeners in one process");
    }

    private void announce(int listener, long announcement) {
        for (Session session : sessions) {
            announce(session, listener, announcement);
        }
    }

    /** Tells a peer about a listener: 0 when it is closed. Under the lock. */
    private static void announce(Session session, int listener, long announcement) {
        // release: a listener is ready before it is announced; pairs with InitiatorSession.announced
        try {
            session.memory().putRelease(SessionDescriptor.listener(listener), announcement);
        } catch (InternalError e) {
            session.faulted(e);
        }
    }

    /** Finds a listener that is still open. */
    Offer find(int index, long generation) {
        lock.lock();
        try {
            Offer offer = offers[index];
            return offer != null && offer.entry.generation() == generation ? offer : null;
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
    boolean believe(ConnectEntry entry, Offer listener, boolean across) {
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

    /** A peer may connect from now on: it hears of all listeners. */
    void add(Session session) {
        lock.lock();
        try {
            sessions.add(session);
            for (int index = 0; index < offers.length; index++) {
                if (offers[index] != null) {
                    announce(session, index, offers[index].announcement());
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** A session has ended. */
    void remove(Session session) {
        lock.lock();
        try {
            sessions.remove(session);
        } finally {
            lock.unlock();
        }
    }

    /** Removes all entries in the rendezvous directory. */
    void withdraw() {
        lock.lock();
        try {
            for (Offer offer : offers) {
                if (offer != null) {
                    offer.withdraw();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** A listening address that this process offers. Thread-safe; closing withdraws it. */
    final class Offer implements ListenOffer {
        private final Rendezvous.Entry entry;
        private final List<Path> published;
        private final AcceptQueue queue;
        private final InetSocketAddress address;
        private final int backlog;
        private boolean full; // guarded by lock

        private Offer(InetSocketAddress address, Rendezvous.Entry entry, List<Path> published, AcceptQueue queue,
                int backlog) {
            this.address = address;
            this.entry = entry;
            this.published = published;
            this.queue = queue;
            this.backlog = Math.min(backlog, SessionDescriptor.MAX_BACKLOG);
        }

        /** What sessions are told of it. Under the lock. */
        private long announcement() {
            long open = entry.generation() | (long) backlog << SessionDescriptor.LISTENER_BACKLOG;
            return full ? open | SessionDescriptor.LISTENER_FULL : open;
        }

        private boolean isAt(InetSocketAddress target) {
            return target.getPort() == address.getPort()
                    && (address.getAddress().isAnyLocalAddress() || target.getAddress().equals(address.getAddress()));
        }

        AcceptQueue queue() {
            return queue;
        }

        private boolean isOpen() {
            return offers[entry.listener()] == this;
        }

        private void withdraw() {
            for (Path path : published) {
                context.rendezvous().withdraw(path, entry);
            }
        }

        @Override
        public void attend() {
            attendants.incrementAndGet();
            for (Session session : sessions) {
                session.unparkService();
            }
        }

        @Override
        public void serve() {
            for (Session session : sessions) {
                session.serveIfRung();
            }
        }

        /** The last to leave has the service thread woken again. */
        @Override
        public void leave() {
            if (attendants.decrementAndGet() == 0) {
                for (Session session : sessions) {
                    session.parkService();
                    session.serveIfRung();
                }
            }
        }

        @Override
        public boolean mend() {
            boolean mended = false;
            for (Session session : sessions) {
                mended |= session.mend();
            }
            return mended;
        }

        @Override
        public void ringBell(int bell) {
            lock.lock();
            try {
                if (isOpen()) { // the number may be another listener's by now
                    context.bells().page().setListenerBell(entry.listener(), bell);
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void full(boolean isFull) {
            lock.lock();
            try {
                if (isOpen()) {
                    full = isFull;
                    announce(entry.listener(), announcement());
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public TcpWatch watch(ServerSocketChannel tcp, Runnable onClient) {
            return new ListenerWatch(context.service(), tcp, onClient);
        }

        @Override
        public void close() {
            lock.lock();
            try {
                if (!isOpen()) {
                    return;
                }
                ringBell(0);
                offers[entry.listener()] = null;
                announce(entry.listener(), 0);
                withdraw();
            } finally {
                lock.unlock();
            }
            serve(); // resets connects that nobody has looked at
        }
    }
}
