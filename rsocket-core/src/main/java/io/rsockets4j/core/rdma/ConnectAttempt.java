/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.LocalPort;
import io.rsockets4j.core.fabric.Outcome;
import io.rsockets4j.core.fabric.PathException;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.verbs.CmEvent;
import io.rsockets4j.core.verbs.CmId;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Brings up a connection from the initiator's side: address, route, queue pair, connect, HELLO. The connection
 * manager's thread takes each step when the one before is answered; the connecting thread waits.
 */
final class ConnectAttempt implements CmThread.Handler, RdmaConnection.Handshake {
    private final RdmaFabric fabric;
    private final InetSocketAddress remote;
    private final LocalPort port;
    private final int timeoutMillis;
    private final long number = ThreadLocalRandom.current().nextLong();
    private final Outcome<RdmaConnection> established = new Outcome<>();
    private final Outcome<RdmaConnection> greeted = new Outcome<>();
    private volatile CmId id;
    private volatile RdmaConnection connection; // written by the connection manager's thread

    ConnectAttempt(RdmaFabric fabric, InetSocketAddress remote, LocalPort port, long deadlineNanos) {
        this.fabric = fabric;
        this.remote = remote;
        this.port = port;
        timeoutMillis = (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime()));
    }

    /**
     * Connects. Blocks until the deadline at the latest.
     *
     * @throws RefusedException if nobody offers this path there
     * @throws IOException if it failed; everything is cleaned up
     */
    Link connect(long deadlineNanos) throws IOException {
        id = fabric.cm().create(this);
        try {
            id.resolveAddress(null, remote, timeoutMillis);
            RdmaConnection up = established.await(deadlineNanos);
            InetSocketAddress source = id.localAddress();
            InetSocketAddress local = port.reserve(source == null ? null : source.getAddress());
            up.hello(number, local, remote);
            awaitHello(up, deadlineNanos);
            RdmaLink link = new RdmaLink(fabric, up, local, remote, port);
            up.attach(link);
            return link;
        } catch (IOException e) {
            fabric.abandon(id, connection);
            throw e.getCause() instanceof RefusedException refused ? refused : e;
        } catch (Throwable e) {
            fabric.abandon(id, connection);
            throw e;
        }
    }

    /** The event that comes with it serves it: others who have polled until now may do so no more. */
    private void awaitHello(RdmaConnection up, long deadlineNanos) throws IOException {
        up.poller().arm(up.sleepers());
        try {
            greeted.await(deadlineNanos);
        } finally {
            up.poller().disarm(up.sleepers());
        }
    }

    @Override
    public void event(CmEvent event) {
        try {
            advance(event);
        } catch (Throwable e) { // whoever connects must not wait for the next event
            failed(e instanceof IOException io ? io : new IOException(e));
        }
    }

    @Override
    public void noMoreEvents(IOException cause) {
        try {
            end(cause);
        } catch (IOException e) {
            failed(e);
        }
    }

    private void advance(CmEvent event) throws IOException {
        switch (event.type()) {
            case ADDR_RESOLVED -> id.resolveRoute(timeoutMillis);
            case ROUTE_RESOLVED -> {
                connection = new RdmaConnection(fabric.device(id), remote.getAddress(),
                        fabric.ringBytes(port.buffers()), id, this);
                id.connect();
            }
            case ESTABLISHED -> established.complete(connection);
            case UNREACHABLE -> throw new PathException(Reason.TIMEOUT, "no answer from " + remote);
            case REJECTED -> throw rejected(event.said());
            case ADDR_ERROR, ROUTE_ERROR -> throw new PathException(Reason.NO_ROUTE, "no RDMA device leads to "
                    + remote + " (" + event.type() + ", status " + event.status() + ")");
            case DISCONNECTED -> connection.disconnected();
            case TIMEWAIT_EXIT, ADDR_CHANGE -> { } // of no consequence
            default -> end(new IOException("connection manager: " + event.type() + ", status " + event.status()
                    + ", for " + remote));
        }
    }

    private IOException rejected(byte said) {
        return said == HalfOpen.TOO_MANY
                ? new PathException(Reason.PEER_BUSY, remote + " has too many RDMA connections half open")
                : new RefusedException("nobody listens for RDMA at " + remote);
    }

    private void end(IOException cause) throws IOException {
        if (connection == null) {
            throw cause;
        }
        connection.fail(cause);
    }

    @Override
    public void hello(ByteBuffer message, int length) throws IOException {
        Hello peer = Hello.decode(message, length);
        if (peer.refusal() == Hello.REFUSED_VERSION) {
            throw new PathException(Reason.VERSION, remote + " speaks no version of the RDMA protocol that this side"
                    + " does: use the same rsockets4j on both sides");
        }
        if (peer.refusal() != 0) {
            throw new RefusedException("the listener at " + remote + " refuses, for reason " + peer.refusal());
        }
        if (peer.connection() != number) {
            throw new ProtocolException("HELLO for another connection");
        }
        connection.begin(peer);
        greeted.complete(connection);
    }

    @Override
    public void failed(IOException cause) {
        if (!established.fail(cause)) {
            greeted.fail(cause);
        }
    }
}
