/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.fabric.AcceptQueue;
import io.rsockets4j.core.fabric.BufferSizes;
import io.rsockets4j.core.fabric.Fabric;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.ListenOffer;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.verbs.CmEvent;
import io.rsockets4j.core.verbs.CmId;
import io.rsockets4j.core.verbs.VerbsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** A listening address that this process offers over RDMA. Thread-safe. */
final class RdmaListener implements ListenOffer, CmThread.Handler {
    private static final Log LOG = Log.of(RdmaListener.class);
    private static final int MAX_REQUESTS = 1024;
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final RdmaContext context;
    private final List<RdmaListener> listeners; // of the fabric
    private final BiConsumer<RdmaListener, CmId> requests; // answers them
    private final InetSocketAddress address;
    private final int ringBytes;
    private final AcceptQueue queue;
    private final CmId id;
    private volatile boolean closed;
    private volatile boolean full;

    /**
     * Binds and listens.
     *
     * @param listeners those that are open, with this one until it closes
     * @param requests answers connect requests, on the connection manager's thread
     * @throws IOException if the address is none of an RDMA device, or the port is taken
     */
    RdmaListener(RdmaContext context, Fabric.ListenRequest request, AcceptQueue queue, List<RdmaListener> listeners,
            BiConsumer<RdmaListener, CmId> requests) throws IOException {
        this.context = context;
        this.listeners = listeners;
        this.requests = requests;
        this.address = request.address();
        this.ringBytes = context.ringBytes(new BufferSizes(0, request.receiveBytes()));
        this.queue = queue;
        id = listen(request.ipv4Only());
        listeners.add(this);
    }

    /** Sessions of this process hold ports as well, which the kernel also gives to TCP sockets. */
    private CmId listen(boolean ipv4Only) throws IOException {
        try {
            return bindAndListen(ipv4Only);
        } catch (VerbsException e) {
            if (!e.isAddressInUse()) {
                throw e;
            }
            context.sessions().endIdle();
            return bindAndListen(ipv4Only);
        }
    }

    private CmId bindAndListen(boolean ipv4Only) throws IOException {
        CmId bound = context.cm().create(this);
        try {
            bound.bind(address, ipv4Only);
            bound.listen(MAX_REQUESTS); // this side answers each at once; the program's backlog is the queue's business
            return bound;
        } catch (IOException e) {
            context.cm().destroy(bound);
            throw e;
        }
    }

    /** The one of these that connects to an address are for, which is not a wildcard; null if there is none. */
    static RdmaListener at(InetSocketAddress asked, List<RdmaListener> listeners) {
        for (RdmaListener listener : listeners) {
            if (listener.serves(asked)) {
                return listener;
            }
        }
        return null;
    }

    private boolean serves(InetSocketAddress asked) {
        return !closed && asked.getPort() == address.getPort()
                && (address.getAddress().isAnyLocalAddress() || address.getAddress().equals(asked.getAddress()));
    }

    /** Whether connects are to wait for room. */
    boolean isFull() {
        return full;
    }

    @Override
    public void full(boolean newFull) {
        full = newFull;
    }

    /** Whether a client is to have a connection: while it is open, and no rule is against it. */
    boolean takes(InetAddress client) {
        return !closed && queue.admits(RdmaLink.PATH, client);
    }

    /** The size of the rings that accepted connections offer. */
    int ringBytes() {
        return ringBytes;
    }

    boolean offer(Link link) {
        return queue.offer(link);
    }

    /** The accepting end's address: what the initiator asked for, with the port that is really listened on. */
    InetSocketAddress local(InetSocketAddress asked) {
        return asked.getPort() == address.getPort() ? asked
                : new InetSocketAddress(asked.getAddress(), address.getPort());
    }

    @Override
    public void event(CmEvent event) {
        if (event.type() == CmEvent.Type.CONNECT_REQUEST) {
            requests.accept(this, event.id());
        } else if (event.type() == CmEvent.Type.DEVICE_REMOVAL) {
            context.warnOnce("rsockets4j: an RDMA device was removed; " + this + " goes on without it");
        }
    }

    /** Peers are to be refused, rather than to wait for nobody. */
    @Override
    public void noMoreEvents(IOException cause) {
        closed = true;
        listeners.remove(this);
        context.cm().destroy(id);
    }

    @Override
    public void attend() {
        context.poll(); // connects come as events, their HELLOs as completions
    }

    @Override
    public void serve() {
        context.poll();
    }

    @Override
    public void leave() {
        context.arm();
    }

    @Override
    public void arm() {
        context.arm();
    }

    @Override
    public void close() {
        closed = true;
        listeners.remove(this);
        try {
            // whoever closes may bind the same address again at once
            context.cm().destroy(id).await(System.nanoTime() + CLOSE_NANOS);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "rsockets4j: " + this + " is not closed yet: its port stays taken", e);
        }
    }

    @Override
    public String toString() {
        return "listener on " + address;
    }
}
