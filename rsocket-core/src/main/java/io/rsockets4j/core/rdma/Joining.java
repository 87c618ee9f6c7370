/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.stat.SessionSnapshot;
import io.rsockets4j.core.verbs.CmEvent;
import io.rsockets4j.core.verbs.CmId;
import io.rsockets4j.core.verbs.VerbsException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A link that is to be the second one of a session: from its identifier until both sides have said JOIN. On the
 * connection manager's thread, but for messages, which are served by whoever polls.
 */
abstract class Joining implements CmThread.Handler, SessionLink.Owner {
    private final RdmaContext context;
    private final AtomicBoolean ended = new AtomicBoolean(); // joined, or given up
    private volatile CmId id;
    private volatile SessionLink link; // written by the connection manager's thread
    private volatile RdmaSession session; // once it has joined

    Joining(RdmaContext context) {
        this.context = context;
    }

    final RdmaContext context() {
        return context;
    }

    final CmId id() {
        return id;
    }

    /** The identifier of the link, before anything else; it has so long to come up. */
    final void begin(CmId own, long limitNanos) {
        id = own;
        context.cm().schedule(limitNanos, () -> giveUp(new IOException("no JOIN came in time")));
    }

    /** Creates the queue pair; the identifier knows its device. */
    final void create() throws IOException {
        link = new SessionLink(context.device(id), id, this);
        link.serve();
    }

    /** Says JOIN, before any other message. */
    final void say(boolean refused, long number, long token) throws VerbsException {
        Join own = new Join(refused, link.device().hasImmediate(), (int) link.receives().posted(), number, token);
        link.postFirst(own.encode(link.memory().messages().sent()));
    }

    /** Both sides have said JOIN: from now on the link is the session's, if that has a use for it. By who polls. */
    final void join(RdmaSession to, Join peer) {
        if (!ended.compareAndSet(false, true)) {
            return; // it was given up
        }
        link.peerSays(peer.receives(), peer.immediate());
        session = to;
        if (to.links().add(link)) {
            context.cm().execute(this::joined);
        } else {
            session = null;
            context.cm().execute(() -> end(new IOException("the session has no use for it")));
        }
    }

    /** It is the session's. The connection manager's thread. */
    abstract void joined();

    /** It has not come up, and is gone. The connection manager's thread. */
    abstract void givenUp(IOException cause);

    /** Ends the attempt, unless it has ended. Any thread. */
    final void giveUp(IOException cause) {
        if (ended.compareAndSet(false, true)) {
            context.cm().execute(() -> end(cause));
        }
    }

    private void end(IOException cause) {
        if (link != null) {
            link.close(() -> { });
            link.memory().close();
        } else {
            context.cm().forget(id);
            id.destroy();
        }
        givenUp(cause);
    }

    @Override
    public void event(CmEvent event) {
        RdmaSession joined = session;
        switch (event.type()) {
            case ESTABLISHED, TIMEWAIT_EXIT, ADDR_CHANGE -> { } // JOIN is what counts
            case DISCONNECTED -> {
                if (joined != null) {
                    joined.disconnected(id);
                } else {
                    giveUp(new IOException("the peer hung up"));
                }
            }
            default -> noMoreEvents(new IOException("connection manager: " + event.type() + ", status "
                    + event.status()));
        }
    }

    @Override
    public void noMoreEvents(IOException cause) {
        RdmaSession joined = session;
        if (joined != null) {
            joined.linkFailed(id, cause);
        } else {
            giveUp(cause);
        }
    }

    // ---- completions before it has joined

    @Override
    public void sent(SessionLink by, int value) { }

    @Override
    public void data(SessionLink by, int immediate, int length) throws IOException {
        throw new ProtocolException("data before JOIN");
    }

    @Override
    public void receivesPosted(SessionLink by) { }

    @Override
    public boolean hasEnded() {
        return ended.get();
    }

    @Override
    public void failed(SessionLink by, IOException cause) {
        giveUp(cause);
    }

    @Override
    public void failedAfter(SessionLink by, Throwable cause) {
        giveUp(cause instanceof IOException known ? known : new IOException(cause));
    }

    @Override
    public SessionSnapshot snapshot(SessionLink by) {
        return by.snapshot(SessionSnapshot.NO_SESSION, SessionSnapshot.OPENING, 0, 0, by.memory().bytes());
    }

    @Override
    public void deliver(SessionLink by, long deadlineNanos) { }
}
