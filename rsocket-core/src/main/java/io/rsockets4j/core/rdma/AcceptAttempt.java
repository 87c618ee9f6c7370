/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.verbs.CmEvent;
import io.rsockets4j.core.verbs.CmId;
import io.rsockets4j.core.verbs.VerbsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Brings up a session from the acceptor's side: queue pair, accept, and the initiator's HELLO, which must come in time;
 * then answers the initiator's further connects. On the connection manager's thread, but for messages, which are served
 * by whoever polls.
 */
final class AcceptAttempt implements CmThread.Handler, RdmaSession.Handshake {
    private static final Log LOG = Log.of(AcceptAttempt.class);

    private static final long REFUSED_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final InetSocketAddress NOBODY = new InetSocketAddress(0);

    private final RdmaContext context;
    private final List<RdmaListener> listeners; // of the fabric
    private final JoinListener joins;
    private final RdmaListener listener;
    private final CmId id;
    private final InetAddress peer; // null where the binding cannot tell
    private final AtomicBoolean halfOpen = new AtomicBoolean(); // whether it is counted
    private volatile RdmaSession session;
    private InetAddress host; // of the initiator; by whoever polls
    private volatile boolean helloCame;

    /**
     * An attempt that has not begun.
     *
     * @param listeners whose connects the session may carry later
     * @param joins where its second link comes in
     * @param listener whom the first connect is for
     */
    AcceptAttempt(RdmaContext context, List<RdmaListener> listeners, JoinListener joins, RdmaListener listener,
            CmId id) {
        this.context = context;
        this.listeners = listeners;
        this.joins = joins;
        this.listener = listener;
        this.id = id;
        InetSocketAddress known = id.peerAddress();
        peer = known == null ? null : known.getAddress();
    }

    /** Answers the connect request. Nothing is allocated or pinned for a peer that is not to have a connection. */
    void begin() {
        if (peer != null && !listener.takes(peer)) {
            refuse(Rejection.NOBODY, "the listener has closed, or a rule keeps " + peer + " from it");
        } else if (!context.halfOpen().enter(peer)) {
            refuse(Rejection.TOO_MANY, "too many connections have not said HELLO");
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
            context.cm().handle(id, this);
            session = new RdmaSession(context.device(id), id, context.cm(), context.keepAlive(),
                    context.switchNanos(), this);
            context.cm().schedule(context.handshakeNanos(), this::expire);
            id.accept();
        } catch (Throwable e) {
            context.warnOnce("rsockets4j: cannot accept RDMA connections: " + e.getMessage());
            if (session == null) {
                context.cm().forget(id);
                refuse(Rejection.NO_MEMORY, e.getMessage());
                leaveHalfOpen();
            } else {
                abandon(e);
            }
        }
    }

    private void expire() {
        if (!helloCame) {
            abandon(new IOException("no HELLO came in time"));
        }
    }

    private void abandon(Throwable cause) {
        log(cause.getMessage());
        joins.forget(session);
        context.abandon(id, () -> session);
        context.cm().execute(this::leaveHalfOpen); // once its memory is given back
    }

    private void leaveHalfOpen() {
        if (halfOpen.compareAndSet(true, false)) {
            context.halfOpen().leave(peer);
        }
    }

    @Override
    public void event(CmEvent event) {
        switch (event.type()) {
            case ESTABLISHED, TIMEWAIT_EXIT, ADDR_CHANGE -> { } // HELLO is what counts
            case DISCONNECTED -> session.disconnected(id);
            default -> session.linkFailed(id, new IOException("connection manager: " + event.type() + ", status "
                    + event.status()));
        }
    }

    @Override
    public void noMoreEvents(IOException cause) {
        RdmaSession begun = session;
        if (begun != null) {
            begun.linkFailed(id, cause);
        }
    }

    @Override
    public void hello(ByteBuffer message, int length) throws IOException {
        Hello hello;
        try {
            hello = Hello.decode(message, length);
        } catch (PathException e) {
            refuse(Hello.REFUSED_VERSION, listener.local(NOBODY), e.getMessage());
            return;
        }
        InetSocketAddress claimed = hello.initiator();
        if (peer != null && !peer.equals(claimed.getAddress())) {
            throw new ProtocolException("HELLO from " + peer + " claims to be " + claimed);
        }
        int refusal = refusal(listener, claimed.getAddress());
        RdmaConnection first = refusal == 0 ? open(0, listener) : null;
        if (first == null) {
            refuse(refusal == 0 ? Hello.REFUSED_MEMORY : refusal, hello.acceptor(), "refused for reason " + refusal);
            return;
        }
        host = claimed.getAddress();
        helloCame = true;
        leaveHalfOpen();
        session.hello(hello.session(), context.hasSecondLinks(), first, claimed, hello.acceptor());
        session.begin(hello, first);
        if (hello.links() && context.hasSecondLinks()) {
            context.cm().execute(() -> joins.invite(session, hello.session()));
        }
        offer(listener, first, listener.local(hello.acceptor()), claimed);
    }

    /** Says no, and leaves it to the peer to hang up, for a time: what this side sends is lost once it does. */
    private void refuse(int why, InetSocketAddress acceptor, String log) throws IOException {
        log(log);
        session.refuse(why, acceptor);
        context.cm().schedule(REFUSED_NANOS, this::expire);
    }

    /** 0, or why the client is not to have a connection. */
    private static int refusal(RdmaListener listener, InetAddress client) {
        if (listener == null || !listener.takes(client)) {
            return Hello.REFUSED_LISTENER;
        }
        return listener.isFull() ? Hello.REFUSED_FULL : 0;
    }

    private void offer(RdmaListener to, RdmaConnection connection, InetSocketAddress acceptor,
            InetSocketAddress initiator) {
        RdmaLink link = new RdmaLink(context, connection, acceptor, initiator, null);
        connection.attach(link);
        if (!to.offer(link)) {
            link.close(true);
        }
    }

    @Override
    public void connect(Connect request) throws IOException {
        if (host == null) {
            throw new ProtocolException("CONNECT after a HELLO that was refused");
        }
        InetSocketAddress initiator = request.initiator();
        RdmaListener to = RdmaListener.at(request.acceptor(), listeners);
        int refusal = initiator.getAddress().equals(host) ? refusal(to, host) : Hello.REFUSED_LISTENER;
        RdmaConnection connection = refusal == 0 ? open(request.number(), to) : null;
        if (connection == null) {
            refuse(request.number(), refusal == 0 ? Hello.REFUSED_MEMORY : refusal);
            return;
        }
        connection.begin(request.ring());
        try {
            connection.out().open(answer(connection), false);
        } catch (VerbsException e) {
            if (session.fail(e)) {
                throw e;
            }
        }
        offer(to, connection, request.acceptor(), initiator);
    }

    /** Null where there is no memory for it, or the session has ended. */
    private RdmaConnection open(int number, RdmaListener to) {
        try {
            return session.open(number, to.ringBytes());
        } catch (IOException e) {
            context.warnOnce("rsockets4j: cannot accept RDMA connections: " + e.getMessage());
            return null;
        }
    }

    private void refuse(int number, int why) throws IOException {
        log("refused for reason " + why);
        session.sends().messageIsDue(out -> answer(out, number, why, RemoteRing.NONE));
    }

    /** The ring's key is another one on another link. */
    private static OutgoingMessage answer(RdmaConnection connection) {
        return out -> answer(out, connection.number(), 0, connection.slot().forPeer());
    }

    private static int answer(ByteBuffer out, int number, int refusal, RemoteRing ring) {
        out.put(MessageDescriptor.TYPE, MessageDescriptor.ACCEPT);
        out.put(MessageDescriptor.ACCEPT_REFUSAL, (byte) refusal);
        out.putInt(MessageDescriptor.NUMBER, number);
        ring.encode(out, MessageDescriptor.ACCEPT_RING_ADDRESS);
        return MessageDescriptor.ACCEPT_BYTES;
    }

    @Override
    public void links(ByteBuffer message, int length) throws IOException {
        throw new ProtocolException("LINKS from the side that connected");
    }

    /** The initiator makes it. */
    @Override
    public void linkIsMissing() { }

    @Override
    public void failed(IOException cause) {
        abandon(cause);
    }

    /** The initiator ends the session. */
    @Override
    public void idle() { }
}
