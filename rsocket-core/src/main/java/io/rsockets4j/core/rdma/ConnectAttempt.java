/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.fabric.LocalPort;
import io.rsockets4j.core.fabric.Outcome;
import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.verbs.CmEvent;
import io.rsockets4j.core.verbs.CmId;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Brings up a session, with its first connection, from the initiator's side: address, route, queue pair, connect,
 * HELLO. The connection manager's thread takes each step when the one before is answered; the connecting thread waits.
 */
final class ConnectAttempt implements CmThread.Handler, RdmaSession.Handshake {
    private final RdmaContext context;
    private final InetSocketAddress remote;
    private final LocalPort port; // null for a question
    private final int timeoutMillis;
    private final long nonce = ThreadLocalRandom.current().nextLong();
    private final Outcome<RdmaSession> established = new Outcome<>();
    private final Outcome<RdmaConnection> opened = new Outcome<>();
    private volatile CmId id;
    private volatile RdmaSession session; // written by the connection manager's thread
    private volatile RdmaConnection first; // as session
    private boolean invited; // to make a second link; by whoever polls
    private SecondLink secondLink; // null while the peer has not said where; the connection manager's thread

    ConnectAttempt(RdmaContext context, InetSocketAddress remote, LocalPort port, long deadlineNanos) {
        this.context = context;
        this.remote = remote;
        this.port = port;
        timeoutMillis = (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime()));
    }

    /**
     * Connects; a question hangs up as soon as it has its answer. Blocks until the deadline at the latest.
     *
     * @return null for a question
     * @throws RefusedException if nobody offers this path there
     * @throws IOException if it failed, or the peer does not answer; everything is cleaned up
     */
    RdmaLink connect(long deadlineNanos) throws IOException {
        RdmaLink link = null;
        id = context.cm().create(this);
        try {
            context.sessionPorts().resolve(id, null, remote, timeoutMillis);
            RdmaSession up = established.await(deadlineNanos);
            if (port != null) {
                link = open(up, deadlineNanos);
            }
            return link;
        } catch (IOException e) {
            throw e.getCause() instanceof RefusedException refused ? refused : e;
        } finally {
            if (link == null) {
                context.abandon(id, () -> session); // the connection manager's thread may be making it
            }
        }
    }

    private RdmaLink open(RdmaSession up, long deadlineNanos) throws IOException {
        InetSocketAddress source = id.localAddress();
        InetSocketAddress local = port.reserve(source == null ? null : source.getAddress());
        RdmaConnection connection = first;
        up.hello(nonce, context.hasSecondLinks(), connection, local, remote);
        context.await(connection, opened, deadlineNanos);
        RdmaLink link = new RdmaLink(context, connection, local, remote, port);
        connection.attach(link);
        return link;
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
                session = new RdmaSession(context.device(id), id, context.cm(), context.keepAlive(),
                        context.switchNanos(), this);
                if (port != null) {
                    openFirst();
                }
                id.connect();
            }
            case ESTABLISHED -> established.complete(session);
            case UNREACHABLE -> throw new PathException(Reason.TIMEOUT, "no answer from " + remote);
            case REJECTED -> throw Rejection.of(event.said(), remote);
            case ADDR_ERROR, ROUTE_ERROR -> throw new PathException(Reason.NO_ROUTE, "no RDMA device leads to "
                    + remote + " (" + event.type() + ", status " + event.status() + ")");
            case DISCONNECTED -> {
                session.poller().serveAll(); // perhaps HELLO came first
                opened.fail(new PathException(Reason.PEER_GONE, remote + " hung up before it said HELLO: its process"
                        + " has ended, or it speaks an older version of the protocol"));
                session.disconnected(id);
            }
            case TIMEWAIT_EXIT, ADDR_CHANGE -> { } // of no consequence
            default -> end(new IOException("connection manager: " + event.type() + ", status " + event.status()
                    + ", for " + remote));
        }
    }

    /** Before the peer is asked in vain. */
    private void openFirst() throws IOException {
        first = session.open(context.ringBytes(port.buffers()));
        if (first == null) {
            throw new IOException("the device that leads to " + remote + " was lost");
        }
    }

    private void end(IOException cause) throws IOException {
        if (session == null) {
            throw cause;
        }
        session.linkFailed(id, cause);
    }

    @Override
    public void hello(ByteBuffer message, int length) throws IOException {
        Hello peer = Hello.decode(message, length);
        if (peer.refusal() != 0) {
            throw RefusedException.of(peer.refusal());
        }
        RdmaConnection connection = first;
        if (peer.session() != nonce) {
            throw new ProtocolException("HELLO for another connection");
        }
        session.begin(peer, connection);
        opened.complete(connection);
    }

    @Override
    public void connect(Connect request) throws IOException {
        throw new ProtocolException("CONNECT from the side that was connected to");
    }

    @Override
    public void links(ByteBuffer message, int length) throws IOException {
        Links said = Links.decode(message, length);
        if (!context.hasSecondLinks() || invited) {
            throw new ProtocolException("LINKS, which nobody asked for");
        }
        invited = true;
        context.cm().execute(() -> {
            secondLink = new SecondLink(context, session, nonce, said);
            secondLink.make();
        });
    }

    @Override
    public void linkIsMissing() {
        if (secondLink != null) {
            secondLink.make();
        }
    }

    @Override
    public void failed(IOException cause) {
        if (!established.fail(cause) && !opened.fail(cause)) {
            context.sessions().end(session);
        }
    }

    @Override
    public void idle() {
        context.sessions().retireLater(session);
    }
}
