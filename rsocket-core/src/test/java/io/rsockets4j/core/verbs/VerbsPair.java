/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.verbs.CmEvent.Type;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Two connected peers, on one host or two, each with a connection manager of its own; one thread serves both. */
final class VerbsPair implements AutoCloseable {
    private static final int STEP_MILLIS = 20_000;

    final ConnectionManager initiators;
    final ConnectionManager acceptors;
    final CmId listener;
    final VerbsPeer initiator;
    final VerbsPeer acceptor;

    VerbsPair(VerbsBinding binding, InetSocketAddress address, int inlineBytes) throws IOException {
        this(binding, null, binding, address, inlineBytes);
    }

    /** Connects from a source, or null for what is chosen, to another host. */
    VerbsPair(VerbsBinding from, InetSocketAddress source, VerbsBinding to, InetSocketAddress address, int inlineBytes)
            throws IOException {
        initiators = from.openConnectionManager();
        acceptors = to.openConnectionManager();
        listener = listen(acceptors, address);
        CmId id = resolve(initiators, source, address);
        initiator = new VerbsPeer(id, inlineBytes);
        id.connect();
        CmEvent request = expect(acceptors, Type.CONNECT_REQUEST);
        acceptor = new VerbsPeer(request.id(), inlineBytes);
        request.id().accept();
        assertThat(expect(initiators, Type.ESTABLISHED).id()).isSameAs(id);
        assertThat(expect(acceptors, Type.ESTABLISHED).id()).isSameAs(request.id());
    }

    static CmId listen(ConnectionManager manager, InetSocketAddress address) throws IOException {
        CmId listener = manager.createId();
        listener.bind(address, address.getAddress() instanceof java.net.Inet4Address);
        listener.listen(16);
        return listener;
    }

    /** An identifier that may connect. */
    static CmId resolve(ConnectionManager manager, InetSocketAddress address) throws IOException {
        return resolve(manager, null, address);
    }

    static CmId resolve(ConnectionManager manager, InetSocketAddress source, InetSocketAddress address)
            throws IOException {
        CmId id = manager.createId();
        id.resolveAddress(source, address, STEP_MILLIS);
        assertThat(expect(manager, Type.ADDR_RESOLVED).id()).isSameAs(id);
        id.resolveRoute(STEP_MILLIS);
        assertThat(expect(manager, Type.ROUTE_RESOLVED).id()).isSameAs(id);
        return id;
    }

    /** The next event, which must be of this type. */
    static CmEvent expect(ConnectionManager manager, Type type) throws IOException {
        CmEvent event = manager.await(STEP_MILLIS);
        assertThat(event).as("event %s", type).isNotNull();
        assertThat(event.type()).as("%s", event).isEqualTo(type);
        return event;
    }

    /** Waits for an event of this type, whatever comes before. */
    static CmEvent skipTo(ConnectionManager manager, Type type) throws IOException {
        CmEvent event = manager.await(STEP_MILLIS);
        while (event != null && event.type() != type) {
            event = manager.await(STEP_MILLIS);
        }
        assertThat(event).as("event %s", type).isNotNull();
        return event;
    }

    @Override
    public void close() {
        initiator.id.destroy();
        acceptor.id.destroy();
        listener.destroy();
        initiators.close();
        acceptors.close();
    }

    static InetSocketAddress freePort(InetAddress address) throws IOException {
        try (java.net.ServerSocket socket = new java.net.ServerSocket(0, 1, address)) {
            return new InetSocketAddress(address, socket.getLocalPort());
        }
    }
}
