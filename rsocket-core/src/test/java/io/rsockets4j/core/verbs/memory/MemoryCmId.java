/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.memory;

import io.rsockets4j.core.verbs.CmEvent;
import io.rsockets4j.core.verbs.CmId;
import io.rsockets4j.core.verbs.ProtectionDomain;
import io.rsockets4j.core.verbs.QueuePair;
import io.rsockets4j.core.verbs.QueuePairOptions;
import io.rsockets4j.core.verbs.VerbsDevice;
import io.rsockets4j.core.verbs.VerbsException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.locks.ReentrantLock;

/** An identifier. Everything is under the network's lock. */
final class MemoryCmId implements CmId {
    private enum State { IDLE, BOUND, LISTENING, ADDRESS, ROUTE, CONNECTING, REQUESTED, CONNECTED, OVER, DESTROYED }

    private static final int INVALID_SERVICE = 8; // as InfiniBand's REJ has it
    private static final int CONSUMER_REJECTED = 28;

    private final MemoryConnectionManager manager;
    private final MemoryNetwork network;
    private final ReentrantLock lock;
    private State state = State.IDLE;
    private InetSocketAddress local;
    private InetSocketAddress remote;
    private MemoryDevice device; // null for all of the host's
    private boolean ipv4Only;
    private int backlog;
    private MemoryCmId peer;
    private MemoryQueuePair queuePair;

    MemoryCmId(MemoryConnectionManager manager) {
        this.manager = manager;
        network = manager.host().network();
        lock = network.lock();
        lock.lock();
        try {
            network.add(this);
        } finally {
            lock.unlock();
        }
    }

    MemoryHost host() {
        return manager.host();
    }

    MemoryQueuePair queuePair() {
        return queuePair;
    }

    boolean isOn(MemoryDevice one) {
        return device == one;
    }

    /** Whether nothing goes between the two sides. */
    private boolean isCut() {
        return network.isCut(local.getAddress(), remote.getAddress());
    }

    private void event(CmEvent.Type type, int status) {
        event(type, status, (byte) 0);
    }

    private void event(CmEvent.Type type, int status, byte said) {
        if (state != State.DESTROYED) {
            manager.mailbox().add(new CmEvent(type, this, null, status, said));
        }
    }

    private void require(boolean condition, String verb) throws VerbsException {
        if (!condition) {
            throw Errno.EINVAL.of(verb);
        }
    }

    // ---- the connecting side

    @Override
    public void resolveAddress(InetSocketAddress source, InetSocketAddress destination, int timeoutMillis)
            throws VerbsException {
        lock.lock();
        try {
            require(state == State.IDLE && timeoutMillis > 0, "rdma_resolve_addr");
            ConnectFault fault = network.fault(destination.getAddress());
            if (fault == ConnectFault.NO_DEVICE || !host().isPresent()) {
                throw Errno.ENODEV.of("rdma_resolve_addr");
            }
            InetAddress from = sourceFor(source, destination.getAddress());
            MemoryDevice found = host().deviceWith(from);
            if (!found.isPresent()) {
                throw Errno.ENODEV.of("rdma_resolve_addr");
            }
            if (fault == ConnectFault.NO_ADDRESS || network.hostOf(destination.getAddress(), host()) == null) {
                event(CmEvent.Type.ADDR_ERROR, -Errno.ETIMEDOUT.number());
                return;
            }
            if (source != null && network.bound(host(), source) != null) {
                throw Errno.EADDRINUSE.of("rdma_resolve_addr");
            }
            local = new InetSocketAddress(from,
                    source == null || source.getPort() == 0 ? network.nextPort() : source.getPort());
            remote = destination;
            device = found;
            state = State.ADDRESS;
            event(CmEvent.Type.ADDR_RESOLVED, 0);
        } finally {
            lock.unlock();
        }
    }

    /** An address of this host. It talks to itself from the same address, as kernels do it. */
    private InetAddress sourceFor(InetSocketAddress asked, InetAddress destination) throws VerbsException {
        if (asked != null && !asked.getAddress().isAnyLocalAddress()) {
            if (network.hostOf(asked.getAddress(), host()) != host()) {
                throw Errno.EADDRNOTAVAIL.of("rdma_resolve_addr");
            }
            return asked.getAddress();
        }
        if (network.hostOf(destination, host()) == host()) {
            return destination;
        }
        InetAddress source = host().sourceFor(destination);
        if (source == null) {
            throw Errno.ENETUNREACH.of("rdma_resolve_addr");
        }
        return source;
    }

    @Override
    public void resolveRoute(int timeoutMillis) throws VerbsException {
        lock.lock();
        try {
            require(state == State.ADDRESS && timeoutMillis > 0, "rdma_resolve_route");
            if (network.fault(remote.getAddress()) == ConnectFault.NO_ROUTE) {
                event(CmEvent.Type.ROUTE_ERROR, -Errno.EHOSTUNREACH.number());
                return;
            }
            state = State.ROUTE;
            event(CmEvent.Type.ROUTE_RESOLVED, 0);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void connect() throws VerbsException {
        lock.lock();
        try {
            require(state == State.ROUTE && queuePair != null && !device.isRemoved(), "rdma_connect");
            state = State.CONNECTING;
            ConnectFault fault = network.fault(remote.getAddress());
            MemoryHost target = network.hostOf(remote.getAddress(), host());
            MemoryCmId heard = target == null ? null : network.bound(target, remote);
            if (fault == ConnectFault.SILENT || target != null && target.isVanished() || host().isVanished()) {
                return;
            }
            if (fault == ConnectFault.UNREACHABLE || target == null
                    || !target.deviceWith(remote.getAddress()).isPresent() || isCut()) {
                unreachable();
            } else if (fault == ConnectFault.REFUSED || heard == null || !heard.request(this)) {
                over(CmEvent.Type.REJECTED, INVALID_SERVICE);
            }
        } finally {
            lock.unlock();
        }
    }

    private void over(CmEvent.Type type, int status) {
        state = State.OVER;
        event(type, status);
    }

    private void unreachable() {
        over(CmEvent.Type.UNREACHABLE, -Errno.ETIMEDOUT.number());
    }

    // ---- the accepting side

    @Override
    public void bind(InetSocketAddress address, boolean newIpv4Only) throws VerbsException {
        lock.lock();
        try {
            require(state == State.IDLE, "rdma_bind_addr");
            boolean isAny = address.getAddress().isAnyLocalAddress();
            boolean known = isAny || network.hostOf(address.getAddress(), host()) == host();
            MemoryDevice found = isAny || !known ? null : host().deviceWith(address.getAddress());
            if (!known || !(isAny ? host().isPresent() : found.isPresent())) {
                throw Errno.EADDRNOTAVAIL.of("rdma_bind_addr");
            }
            InetSocketAddress wanted = address.getPort() != 0 ? address
                    : new InetSocketAddress(address.getAddress(), network.nextPort());
            if (network.bound(host(), wanted) != null) {
                throw Errno.EADDRINUSE.of("rdma_bind_addr");
            }
            local = wanted;
            device = found;
            ipv4Only = newIpv4Only;
            state = State.BOUND;
        } finally {
            lock.unlock();
        }
    }

    /** Whether an address, which may be a wildcard, meets the one that this is bound to. */
    boolean isBoundTo(InetSocketAddress address) {
        if (state != State.BOUND && state != State.LISTENING || address.getPort() != local.getPort()) {
            return false;
        }
        InetAddress own = local.getAddress();
        return own.equals(address.getAddress()) || address.getAddress().isAnyLocalAddress()
                || own.isAnyLocalAddress() && (!ipv4Only || address.getAddress() instanceof Inet4Address);
    }

    @Override
    public void listen(int newBacklog) throws VerbsException {
        lock.lock();
        try {
            require(state == State.BOUND, "rdma_listen");
            backlog = newBacklog;
            state = State.LISTENING;
        } finally {
            lock.unlock();
        }
    }

    /** A connect request comes in. Returns false to refuse. */
    private boolean request(MemoryCmId from) {
        if (state != State.LISTENING || backlog > 0
                && manager.mailbox().count(event -> event.listener() == this) >= backlog) {
            return false;
        }
        MemoryCmId id = new MemoryCmId(manager);
        id.local = from.remote;
        id.remote = from.local;
        id.device = host().deviceWith(from.remote.getAddress());
        id.peer = from;
        id.state = State.REQUESTED;
        from.peer = id;
        manager.mailbox().add(new CmEvent(CmEvent.Type.CONNECT_REQUEST, id, this, 0, (byte) 0));
        return true;
    }

    @Override
    public void accept() throws VerbsException {
        lock.lock();
        try {
            require(state == State.REQUESTED && queuePair != null && !device.isRemoved(), "rdma_accept");
            if (peer.state != State.CONNECTING) {
                throw Errno.ENOTCONN.of("rdma_accept");
            }
            queuePair.connect(peer.queuePair);
            if (isCut()) {
                peer.unreachable();
                unreachable();
                return;
            }
            peer.queuePair.connect(queuePair);
            state = State.CONNECTED;
            peer.state = State.CONNECTED;
            peer.event(CmEvent.Type.ESTABLISHED, 0);
            event(CmEvent.Type.ESTABLISHED, 0);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void reject(byte why) throws VerbsException {
        lock.lock();
        try {
            require(state == State.REQUESTED, "rdma_reject");
            rejectPeer(why);
            state = State.OVER;
        } finally {
            lock.unlock();
        }
    }

    private void rejectPeer(byte why) {
        if (peer.state == State.CONNECTING && isCut()) {
            peer.unreachable();
        } else if (peer.state == State.CONNECTING) {
            peer.state = State.OVER;
            peer.event(CmEvent.Type.REJECTED, CONSUMER_REJECTED, why);
        }
    }

    // ---- both

    @Override
    public VerbsDevice device() throws VerbsException {
        lock.lock();
        try {
            if (remote == null || !device.isPresent()) {
                throw Errno.ENODEV.of("rdma_cm_id.verbs");
            }
            return device;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public QueuePair createQueuePair(ProtectionDomain domain, QueuePairOptions options) throws VerbsException {
        lock.lock();
        try {
            boolean sane = remote != null && domain instanceof MemoryDomain own && own.device() == device
                    && options.completions() instanceof MemoryCompletionQueue queue && queue.device() == device
                    && options.sendRequests() > 0 && options.receiveRequests() > 0 && options.inlineBytes() >= 0;
            require(sane && queuePair == null && state != State.DESTROYED, "rdma_create_qp");
            if (!device.isPresent()) {
                throw Errno.ENODEV.of("rdma_create_qp");
            }
            queuePair = new MemoryQueuePair((MemoryDomain) domain, options, network.nextNumber(), local.getAddress(),
                    remote.getAddress());
            return queuePair;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void disconnect() throws VerbsException {
        lock.lock();
        try {
            if (state != State.CONNECTED && state != State.OVER || peer == null) {
                throw Errno.EINVAL.of("rdma_disconnect");
            }
            hangUp();
        } finally {
            lock.unlock();
        }
    }

    /** Both sides hear of it, unless the peer cannot. The peer's queue pair fails when the peer disconnects too. */
    private void hangUp() {
        if (queuePair != null) {
            queuePair.toError();
        }
        if (state == State.CONNECTED) {
            over(CmEvent.Type.DISCONNECTED, 0);
            if (peer.state == State.CONNECTED && !host().isVanished() && !peer.host().isVanished() && !isCut()) {
                peer.over(CmEvent.Type.DISCONNECTED, 0);
            }
        }
    }

    void deviceRemoved() {
        if (queuePair != null) {
            queuePair.toError();
        }
        event(CmEvent.Type.DEVICE_REMOVAL, 0);
    }

    @Override
    public InetSocketAddress localAddress() {
        lock.lock();
        try {
            return local;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public InetSocketAddress peerAddress() {
        lock.lock();
        try {
            return remote;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void destroy() {
        manager.checkOwner("rdma_destroy_id");
        lock.lock();
        try {
            if (state == State.DESTROYED) {
                return;
            }
            if (state == State.REQUESTED) {
                rejectPeer((byte) 0);
            }
            hangUp();
            state = State.DESTROYED;
            network.remove(this);
            manager.mailbox().take(event -> event.listener() == this).forEach(event -> event.id().destroy());
            manager.mailbox().take(event -> event.id() == this);
            if (queuePair != null) {
                queuePair.destroy();
            }
        } finally {
            lock.unlock();
        }
    }
}
