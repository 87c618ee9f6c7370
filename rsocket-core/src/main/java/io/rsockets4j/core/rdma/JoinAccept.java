/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.verbs.CmId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** Brings up a second link from the acceptor's side: queue pair, accept, and the initiator's JOIN. */
final class JoinAccept extends Joining {
    private static final Log LOG = Log.of(JoinAccept.class);

    private final JoinListener listener;
    private final InetAddress peer; // null where the binding cannot tell

    JoinAccept(RdmaContext context, JoinListener listener, CmId id) {
        super(context);
        this.listener = listener;
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
        RdmaSession session = listener.invited(join.session(), join.token());
        boolean takes = session != null && session.links().takesOne();
        say(!takes, join.session(), join.token());
        if (!takes) {
            throw new IOException("JOIN of a session that is not there, or goes to its other link");
        }
        join(session, join);
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
