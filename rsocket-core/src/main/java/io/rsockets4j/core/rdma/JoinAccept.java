/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.verbs.CmId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Map;

/** Brings up a second link from the acceptor's side: queue pair, accept, and the initiator's JOIN. */
final class JoinAccept extends Joining {
    private static final Log LOG = Log.of(JoinAccept.class);

    /** A session that may have a second link. */
    record Invited(RdmaSession session, long number) { }

    private final Map<Long, Invited> byToken;
    private final InetAddress peer; // null where the binding cannot tell

    /**
     * An attempt that has not begun.
     *
     * @param byToken the sessions that may have a second link, by what their peers know
     * @param id of the connect request
     */
    JoinAccept(RdmaContext context, Map<Long, Invited> byToken, CmId id) {
        super(context);
        this.byToken = byToken;
        InetSocketAddress known = id.peerAddress();
        peer = known == null ? null : known.getAddress();
    }

    /** Answers the connect request, which the count of those that are half open has let in. */
    void accept(CmId id) {
        context().cm().handle(id, this);
        begin(id, context().handshakeNanos());
        try {
            create();
            id.accept();
        } catch (IOException e) {
            giveUp(e);
        }
    }

    InetAddress peer() {
        return peer;
    }

    @Override
    public void message(SessionLink by, ByteBuffer message, int length) throws IOException {
        Join join = Join.decode(message, length);
        RdmaSession session = invited(join.session(), join.token());
        boolean takes = session != null && session.links().takesOne();
        say(!takes, join.session(), join.token());
        if (!takes) {
            throw new IOException("JOIN of a session that is not there, or goes to its other link");
        }
        join(session, join);
    }

    /** The session that may have a second link, by what its peer knows; null if there is none. By whoever polls. */
    private RdmaSession invited(long number, long token) {
        Invited invited = byToken.get(token);
        return invited == null || invited.number != number ? null : invited.session;
    }

    @Override
    void joined() {
        context().halfOpen().leave(peer);
    }

    @Override
    void givenUp(IOException cause) {
        context().halfOpen().leave(peer);
        LOG.log(System.Logger.Level.DEBUG, "rsockets4j: dropped a second RDMA link of " + peer + ": "
                + cause.getMessage());
    }
}
