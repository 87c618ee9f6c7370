/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.verbs.CmEvent;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Brings up a second link from the initiator's side: address, route, queue pair, connect, JOIN. */
final class JoinAttempt extends Joining {
    private static final int MAX_STEP_MILLIS = 2000; // to find an address, or a route
    /** As a host that is down does not answer for a minute, and there is time to try again. */
    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final RdmaSession session;
    private final long number;
    private final long token;
    private final Runnable made;
    private final Consumer<IOException> failed;
    private final int timeoutMillis;

    /**
     * An attempt that has not begun.
     *
     * @param context whose handshakes take so long at most
     * @param session that is to have the link
     * @param number of the session
     * @param token as the peer wants it
     * @param made for when it stands, on the connection manager's thread
     * @param failed for when it has failed and is gone, on the same thread
     */
    JoinAttempt(RdmaContext context, RdmaSession session, long number, long token, Runnable made,
            Consumer<IOException> failed) {
        super(context);
        this.session = session;
        this.number = number;
        this.token = token;
        this.made = made;
        this.failed = failed;
        timeoutMillis = (int) Math.min(MAX_STEP_MILLIS, Math.max(1, context.handshakeNanos() / 1_000_000));
    }

    /** Begins, from an address of this host to one of the peer's. */
    void begin(InetAddress from, InetSocketAddress to) throws IOException {
        begin(context().cm().create(this), Math.min(MAX_NANOS, context().handshakeNanos()));
        try {
            context().sessionPorts().resolve(id(), from, to, timeoutMillis);
        } catch (IOException e) {
            giveUp(e);
        }
    }

    @Override
    public void event(CmEvent event) {
        try {
            switch (event.type()) {
                case ADDR_RESOLVED -> id().resolveRoute(timeoutMillis);
                case ROUTE_RESOLVED -> {
                    create();
                    id().connect();
                }
                case ESTABLISHED -> say(false, number, token);
                default -> super.event(event);
            }
        } catch (IOException e) {
            giveUp(e);
        }
    }

    @Override
    public void message(SessionLink by, ByteBuffer message, int length) throws IOException {
        Join join = Join.decode(message, length);
        if (join.refused() || join.session() != number) {
            throw new IOException("the peer does not want a second link");
        }
        join(session, join);
    }

    @Override
    void joined() {
        made.run();
    }

    @Override
    void givenUp(IOException cause) {
        failed.accept(cause);
    }
}
