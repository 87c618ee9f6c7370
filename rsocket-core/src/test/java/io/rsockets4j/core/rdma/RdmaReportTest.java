/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.fabric.Streams;
import io.rsockets4j.core.stat.SessionSnapshot;
import io.rsockets4j.core.verbs.PortGid;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What reports say of sessions. */
@Timeout(60)
class RdmaReportTest {
    private final RdmaNetwork network = new RdmaNetwork("ring.bytes=8192");

    @AfterEach
    void close() {
        network.close();
    }

    @Test
    void shouldTellOfASessionOnBothSides() throws Exception {
        assertThat(network.initiator().sessions()).isEmpty();
        RdmaNetwork.Listening listening = network.listen();
        RdmaLink near = network.connect(listening.address());
        RdmaLink far = listening.accept();
        network.connect(listening.address());
        listening.accept();
        SessionSnapshot initiator = only(network.initiator());
        SessionSnapshot acceptor = only(network.acceptor());
        assertThat(initiator.remote()).isEqualTo(listening.address().toString()).isEqualTo(acceptor.local());
        assertThat(acceptor.remote()).startsWith("/198.51.100.1:").isEqualTo(initiator.local());
        assertThat(initiator.device()).isEqualTo(near.connection().session().device().name());
        assertThat(List.of(initiator.state(), acceptor.state())).containsOnly(SessionSnapshot.UP);
        assertThat(List.of(initiator.connections(), acceptor.connections())).containsOnly(2);
        assertThat(initiator.pinnedBytes()).isEqualTo(network.near.pinned()).isGreaterThan(4 * 8192);
        assertThat(acceptor.pinnedBytes()).isEqualTo(network.far.pinned());
        assertThat(new PortGid(initiator.port(), initiator.gid()))
                .isEqualTo(network.network.queuePairs().get(0).source());
        assertThat(new PortGid(acceptor.port(), acceptor.gid()))
                .isEqualTo(network.network.queuePairs().get(1).source());
        near.close(false);
        far.close(false);
        Eventually.until("one connection is left",
                () -> only(network.initiator()).connections() == 1 && only(network.acceptor()).connections() == 1);
    }

    @Test
    void shouldTellHowManyMessagesThePeerStillTakes() throws Exception {
        RdmaNetwork.Links links = network.links();
        Eventually.until("nothing is under way", () -> links.near().connection().session().sends().isQuiet());
        network.network.pause(true);
        int before = only(network.initiator()).credit();
        assertThat(before).isBetween(1, ReceiveQueue.CAPACITY);
        for (int i = 0; i < 10; i++) {
            Streams.writeByte(links.near(), i);
        }
        assertThat(only(network.initiator()).credit()).isEqualTo(before - 10);
    }

    @Test
    void shouldTellOfAPeerThatHasNotSaidHello() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        HandPeer silent = HandPeer.connect(network.near, listening.address());
        Eventually.until("its session is known", () -> !network.acceptor().sessions().isEmpty());
        SessionSnapshot session = only(network.acceptor());
        assertThat(session.state()).isEqualTo(SessionSnapshot.OPENING);
        assertThat(List.of(session.port(), session.connections(), session.credit())).containsOnly(0);
        assertThat(session.gid()).isEqualTo(PortGid.NO_GID);
        assertThat(session.pinnedBytes()).isPositive();
        silent.close();
    }

    @Test
    void shouldForgetSessionsThatHaveEnded() throws Exception {
        RdmaNetwork.Links links = network.links();
        RdmaSession session = links.near().connection().session();
        session.fail(new IOException("a test's"));
        assertThat(session.snapshot().state()).isEqualTo(SessionSnapshot.DOWN);
        Eventually.until("it is gone on both sides",
                () -> network.initiator().sessions().isEmpty() && network.acceptor().sessions().isEmpty());
        assertThat(session.snapshot().pinnedBytes()).isZero();
    }

    private static SessionSnapshot only(RdmaFabric fabric) {
        List<SessionSnapshot> sessions = fabric.sessions();
        assertThat(sessions).hasSize(1);
        return sessions.get(0);
    }
}
