/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.verbs.CmEvent.Type;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every binding does with its connection manager. */
public abstract class VerbsConnectionContractTest {
    private ConnectionManager initiators;
    private ConnectionManager acceptors;
    private InetSocketAddress address;

    /** The binding, loaded. */
    protected abstract VerbsBinding binding() throws IOException;

    /** An address of an RDMA device of this host. */
    protected abstract InetAddress address() throws IOException;

    @BeforeEach
    void open() throws IOException {
        initiators = binding().openConnectionManager();
        acceptors = binding().openConnectionManager();
        address = VerbsPair.freePort(address());
    }

    @AfterEach
    void close() {
        initiators.close();
        acceptors.close();
    }

    @Test
    void shouldRejectConnectsWhereNobodyListens() throws IOException {
        CmId id = VerbsPair.resolve(initiators, address);
        new VerbsPeer(id, 0);
        id.connect();
        assertThat(VerbsPair.expect(initiators, Type.REJECTED).id()).isSameAs(id);
        id.destroy();
    }

    @Test
    void shouldTellThePeerOfARejection() throws IOException {
        CmId listener = VerbsPair.listen(acceptors, address);
        CmId id = VerbsPair.resolve(initiators, address);
        new VerbsPeer(id, 0);
        id.connect();
        CmEvent request = VerbsPair.expect(acceptors, Type.CONNECT_REQUEST);
        assertThat(request.listener()).isSameAs(listener);
        request.id().reject((byte) 7);
        request.id().destroy(); // bindings that cannot reject do so now
        assertThat(VerbsPair.expect(initiators, Type.REJECTED).said()).isIn((byte) 7, (byte) 0);
        id.destroy();
        listener.destroy();
    }

    @Test
    void shouldKnowBothAddressesOrNone() throws IOException {
        try (VerbsPair pair = new VerbsPair(binding(), address, 0)) {
            InetSocketAddress local = pair.acceptor.id.localAddress();
            InetSocketAddress peer = pair.acceptor.id.peerAddress();
            assertThat(local == null || local.equals(address)).as("%s", local).isTrue();
            InetSocketAddress initiator = pair.initiator.id.localAddress();
            assertThat(peer == null || initiator == null || peer.equals(initiator)).as("%s", peer).isTrue();
            assertThat(pair.initiator.id.device()).isSameAs(pair.acceptor.id.device());
        }
    }

    @Test
    void shouldListenAgainOnceDestroyed() throws IOException {
        CmId first = VerbsPair.listen(acceptors, address);
        assertThatThrownBy(() -> VerbsPair.listen(acceptors, address)).isInstanceOf(VerbsException.class);
        first.destroy();
        VerbsPair.listen(acceptors, address).destroy();
    }

    @Test
    void shouldEndAWaitByWakeup() throws IOException {
        acceptors.wakeup();
        assertThat(acceptors.await(20_000)).isNull();
        assertThat(acceptors.await(0)).isNull();
    }

    @Test
    void shouldRefuseToDisconnectWhatWasNeverConnected() throws IOException {
        CmId id = VerbsPair.resolve(initiators, address);
        assertThatThrownBy(id::disconnect).isInstanceOf(IOException.class);
        id.destroy();
    }
}
