/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.fabric.Streams;
import io.rsockets4j.core.flight.Recorded;
import io.rsockets4j.core.stat.SessionSnapshot;
import io.rsockets4j.core.verbs.PortGid;
import java.io.IOException;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
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
        assertThat(before).isBetween(1, QueueSizes.RECEIVES);
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
        assertThat(session.snapshot(session.links().active()).state()).isEqualTo(SessionSnapshot.DOWN);
        awaitNoSessions();
        Eventually.until("nothing is pinned for it",
                () -> session.snapshot(session.links().active()).pinnedBytes() == 0);
    }

    @Test
    void shouldRecordALinkFromItsBeginToItsEnd() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        String address = listening.address().toString();
        List<RecordedEvent> events = Recorded.during(address, () -> {
            RdmaLink near = network.connect(listening.address());
            RdmaLink far = listening.accept();
            assertThat(near.path()).isEqualTo(far.path());
            near.close(false);
            far.close(false);
            awaitNoSessions();
        });
        List<RecordedEvent> initiator = events.stream().filter(e -> address.equals(e.getString("remote"))).toList();
        List<RecordedEvent> acceptor = events.stream().filter(e -> address.equals(e.getString("local"))).toList();
        assertThat(initiator).map(Recorded::name).containsExactly("LinkUp", "LinkDown");
        assertThat(acceptor).map(Recorded::name).containsExactly("LinkUp", "LinkDown");
        // Java 17 has null for texts that threads have written to an earlier recording of this process
        assertThat(initiator.get(1).getString("reason")).isIn("it had no connection for a while", null);
        assertThat(acceptor.get(1).getString("reason")).isIn("the peer disconnected", null);
        assertThat(downs(events)).allSatisfy(event -> assertThat(event.getInt("connections")).isZero());
    }

    @Test
    void shouldRecordWhatALinkTookWithIt() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        String why = "a test's, at " + listening.address();
        List<RecordedEvent> events = Recorded.during(listening.address().toString(), () -> {
            RdmaLink near = network.connect(listening.address());
            network.connect(listening.address());
            near.connection().session().fail(new IOException(why));
            awaitNoSessions();
        });
        assertThat(downs(events)).hasSize(2).extracting(event -> event.getString("reason")).contains(why);
        assertThat(downs(events)).allSatisfy(event -> {
            assertThat(event.getInt("connections")).isEqualTo(2);
            assertThat(event.getLong("pinnedBytes")).isGreaterThan(4 * 8192);
        });
    }

    @Test
    void shouldRecordNoEndOfALinkThatWasNeverUp() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        assertThat(Recorded.during(listening.address().toString(), () -> {
            HandPeer silent = HandPeer.connect(network.near, listening.address());
            Eventually.until("its session is known", () -> !network.acceptor().sessions().isEmpty());
            silent.close();
            awaitNoSessions();
        })).isEmpty();
    }

    private static List<RecordedEvent> downs(List<RecordedEvent> events) {
        return events.stream().filter(event -> Recorded.name(event).equals("LinkDown")).toList();
    }

    private void awaitNoSessions() throws Exception {
        Eventually.until("the sessions are gone on both sides",
                () -> network.initiator().sessions().isEmpty() && network.acceptor().sessions().isEmpty());
    }

    private static SessionSnapshot only(RdmaFabric fabric) {
        List<SessionSnapshot> sessions = fabric.sessions();
        assertThat(sessions).hasSize(1);
        return sessions.get(0);
    }
}
