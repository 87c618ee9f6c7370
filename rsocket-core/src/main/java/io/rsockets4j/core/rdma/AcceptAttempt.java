/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.verbs.CmEvent;
import io.rsockets4j.core.verbs.CmId;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * Brings up a connection from the acceptor's side: queue pair, accept, and the initiator's HELLO, which must come in
 * time. On the connection manager's thread, but for HELLO, which is served by whoever polls.
 */
final class AcceptAttempt implements CmThread.Handler, RdmaConnection.Handshake {
    private static final Log LOG = Log.of(AcceptAttempt.class);

    private final RdmaFabric fabric;
    private final RdmaListener listener;
    private final CmId id;
    private volatile RdmaConnection connection;
    private volatile boolean greeted;

    private AcceptAttempt(RdmaFabric fabric, RdmaListener listener, CmId id) {
        this.fabric = fabric;
        this.listener = listener;
        this.id = id;
    }

    /** Answers a connect request. */
    static void begin(RdmaFabric fabric, RdmaListener listener, CmId id) {
        AcceptAttempt attempt = new AcceptAttempt(fabric, listener, id);
        fabric.cm().handle(id, attempt);
        try {
            attempt.connection = new RdmaConnection(fabric.device(id), listener.ringBytes(), id, attempt);
            fabric.cm().schedule(fabric.handshakeNanos(), attempt::expire);
            id.accept();
        } catch (IOException e) {
            fabric.warnOnce("rsockets4j: cannot accept RDMA connections: " + e.getMessage());
            attempt.abandon(e);
        }
    }

    private void expire() {
        if (!greeted) {
            abandon(new IOException("no HELLO came in time"));
        }
    }

    private void abandon(IOException cause) {
        LOG.log(System.Logger.Level.DEBUG, "rsockets4j: dropped an RDMA connection at " + listener + ": "
                + cause.getMessage());
        fabric.abandon(id, connection);
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
    public void hello(ByteBuffer message, int length) throws IOException {
        Hello peer = Hello.decode(message, length);
        InetSocketAddress claimed = peer.initiator();
        InetSocketAddress known = id.peerAddress();
        if (known != null && !known.getAddress().equals(claimed.getAddress())) {
            throw new ProtocolException("HELLO from " + known.getAddress() + " claims to be " + claimed);
        }
        if (!listener.takes(claimed.getAddress())) {
            connection.refuse(Hello.REFUSED_LISTENER, peer.acceptor());
            throw new IOException("the listener has closed, or a rule keeps " + claimed + " from it");
        }
        greeted = true;
        connection.hello(peer.connection(), claimed, peer.acceptor());
        connection.begin(peer);
        RdmaLink link = new RdmaLink(fabric, connection, listener.local(peer.acceptor()), claimed, null);
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
