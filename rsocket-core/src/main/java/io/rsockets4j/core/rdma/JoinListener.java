/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.settings.PortAddress;
import io.rsockets4j.core.verbs.CmEvent;
import io.rsockets4j.core.verbs.CmId;
import io.rsockets4j.core.verbs.VerbsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where the peers of accepted sessions make their second links: one port of this process, on all devices, from the
 * first session on that can have one. The connection manager's thread, but where it says so.
 */
final class JoinListener implements CmThread.Handler {
    private static final Log LOG = Log.of(JoinListener.class);
    private static final int BACKLOG = 64;
    private static final int PORT_TRIES = 8;

    /** What makes tokens: who knows one must not find out others. Loaded where there are two ports. */
    private static final SecureRandom RANDOM = new SecureRandom();

    private final RdmaContext context;
    private final Map<Long, JoinAccept.Invited> byToken = new ConcurrentHashMap<>();
    private CmId id; // null until it listens

    JoinListener(RdmaContext context) {
        this.context = context;
    }

    /** Tells the peer of a session where it can make a second link, if this host has two ports. */
    void invite(RdmaSession session, long number) {
        List<InetSocketAddress> addresses = addresses(session.localAddress());
        if (addresses.isEmpty() || session.hasEnded()) {
            return;
        }
        try {
            listen();
            long token = RANDOM.nextLong();
            byToken.put(token, new JoinAccept.Invited(session, number));
            if (session.hasEnded()) { // perhaps before it was put there
                forget(session);
            }
            Links links = new Links(id.localAddress().getPort(), token, addresses);
            send(session, links);
        } catch (IOException e) { // the session stays as it is
            LOG.log(System.Logger.Level.DEBUG, "rsockets4j: an RDMA session stays with one link: " + e.getMessage());
        }
    }

    private static void send(RdmaSession session, Links links) {
        try {
            session.sends().messageIsDue(links::encode);
        } catch (IOException e) {
            session.fail(e);
        }
    }

    /** The addresses of this host's ports, first that of the session's; none if it has one port, or cannot tell. */
    private List<InetSocketAddress> addresses(InetSocketAddress used) {
        List<PortAddress> own = context.ownPorts();
        PortAddress first = null;
        for (PortAddress each : own) {
            if (used != null && each.address().equals(used.getAddress())) {
                first = each;
            }
        }
        List<InetSocketAddress> addresses = new ArrayList<>();
        if (first != null) {
            List<String> ports = new ArrayList<>(List.of(name(first)));
            addresses.add(new InetSocketAddress(first.address(), 0));
            for (PortAddress each : own) {
                String port = name(each);
                if (!port.equals(name(first)) && addresses.size() < Links.MAX_ADDRESSES) {
                    if (!ports.contains(port)) {
                        ports.add(port);
                    }
                    addresses.add(new InetSocketAddress(each.address(), ports.indexOf(port)));
                }
            }
        }
        return addresses.size() < 2 ? List.of() : addresses;
    }

    private static String name(PortAddress port) {
        return port.device() + '/' + port.port();
    }

    private void listen() throws IOException {
        for (int tries = PORT_TRIES; id == null; tries--) {
            CmId bound = context.cm().create(this);
            try {
                InetAddress any = new InetSocketAddress(0).getAddress();
                InetSocketAddress wildcard = context.sessionPorts().next(any);
                bound.bind(wildcard == null ? new InetSocketAddress(any, 0) : wildcard, false);
                bound.listen(BACKLOG);
                id = bound;
            } catch (IOException e) {
                context.cm().destroy(bound);
                if (tries == 0 || !(e instanceof VerbsException refused) || !refused.isAddressInUse()) {
                    throw e;
                }
            }
        }
    }

    /** A session has ended. Any thread. */
    void forget(RdmaSession session) {
        byToken.values().removeIf(invited -> invited.session() == session);
    }

    @Override
    public void event(CmEvent event) {
        if (event.type() != CmEvent.Type.CONNECT_REQUEST) {
            return;
        }
        JoinAccept accept = new JoinAccept(context, byToken, event.id());
        if (!byToken.isEmpty() && context.halfOpen().enter(accept.peer())) {
            accept.accept(event.id());
            return;
        }
        try {
            event.id().reject(Rejection.TOO_MANY);
        } catch (IOException e) { // it hears nothing
            LOG.log(System.Logger.Level.DEBUG, "rsockets4j: " + e.getMessage());
        }
        event.id().destroy();
    }

    @Override
    public void noMoreEvents(IOException cause) { }
}
