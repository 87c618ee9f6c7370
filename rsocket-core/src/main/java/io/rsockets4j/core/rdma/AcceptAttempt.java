/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.verbs.CmEvent;
import io.rsockets4j.core.verbs.CmId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Brings up a connection from the acceptor's side: queue pair, accept, and the initiator's HELLO, which must come in
 * time. On the connection manager's thread, but for HELLO, which is served by whoever polls.
 */
final class AcceptAttempt implements CmThread.Handler, RdmaConnection.Handshake {
    private static final Log LOG = Log.of(AcceptAttempt.class);

    private final RdmaFabric fabric;
    private final RdmaListener listener;
    private final CmId id;
    private final InetAddress peer; // null where the binding cannot tell
    private final AtomicBoolean halfOpen = new AtomicBoolean(); // whether it is counted
    private volatile RdmaConnection connection;
    private volatile boolean greeted;

    /** An attempt that has not begun. */
    AcceptAttempt(RdmaFabric fabric, RdmaListener listener, CmId id) {
        this.fabric = fabric;
        this.listener = listener;
        this.id = id;
        InetSocketAddress known = id.peerAddress();
        peer = known == null ? null : known.getAddress();
    }

    /** Answers the connect request. Nothing is allocated or pinned for a peer that is not to have a connection. */
    void begin() {
        if (peer != null && !listener.takes(peer)) {
            refuse((byte) 0, "the listener has closed, or a rule keeps " + peer + " from it");
        } else if (!fabric.halfOpen().enter(peer)) {
            refuse(HalfOpen.TOO_MANY, "too many connections have not said HELLO");
        } else {
            halfOpen.set(true);
            accept();
        }
    }

    private void refuse(byte said, String why) {
        log(why);
        try {
            id.reject(said);
        } catch (IOException e) {
            log(e.getMessage());
        }
        id.destroy();
    }

    private void log(String why) {
        LOG.log(System.Logger.Level.DEBUG, "rsockets4j: dropped an RDMA connection at " + listener + ": " + why);
    }

    private void accept() {
        try {
            fabric.cm().handle(id, this);
            fabric.cm().schedule(fabric.handshakeNanos(), this::expire);
            connection = new RdmaConnection(fabric.device(id), peer, listener.ringBytes(), id, this);
            id.accept();
        } catch (Throwable e) {
            fabric.warnOnce("rsockets4j: cannot accept RDMA connections: " + e.getMessage());
            abandon(e);
        }
    }

    private void expire() {
        if (!greeted) {
            abandon(new IOException("no HELLO came in time"));
        }
    }

    private void abandon(Throwable cause) {
        log(cause.getMessage());
        fabric.abandon(id, connection);
        fabric.cm().execute(this::leaveHalfOpen); // once its memory is given back
    }

    private void leaveHalfOpen() {
        if (halfOpen.compareAndSet(true, false)) {
            fabric.halfOpen().leave(peer);
        }
    }

    @Override
    public void event(CmEvent event) {
        switch (event.type()) {
            case ESTABLISHED, TIMEWAIT_EXIT, ADDR_CHANGE -> { } // HELLO is what counts
            case DISCONNECTED -> connection.disconnected();
            default -> connection.fail(new IOException("connection manager: " + event.type() + ", status "
                    + event.status()));
        }
    }

    @Override
    public void noMoreEvents(IOException cause) {
        RdmaConnection begun = connection;
        if (begun != null) {
            begun.fail(cause);
        }
    }

    @Override
    public void hello(ByteBuffer message, int length) throws IOException {
        Hello hello = Hello.decode(message, length);
        InetSocketAddress claimed = hello.initiator();
        if (peer != null && !peer.equals(claimed.getAddress())) {
            throw new ProtocolException("HELLO from " + peer + " claims to be " + claimed);
        }
        if (!listener.takes(claimed.getAddress())) {
            connection.refuse(Hello.REFUSED_LISTENER, hello.acceptor());
            throw new IOException("the listener has closed, or a rule keeps " + claimed + " from it");
        }
        greeted = true;
        leaveHalfOpen();
        connection.hello(hello.connection(), claimed, hello.acceptor());
        connection.begin(hello);
        RdmaLink link = new RdmaLink(fabric, connection, listener.local(hello.acceptor()), claimed, null);
        connection.attach(link);
        if (!listener.offer(link)) {
            link.close(true);
        }
    }

    @Override
    public void failed(IOException cause) {
        abandon(cause);
    }
}
