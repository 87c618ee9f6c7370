/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.Streams;
import io.rsockets4j.core.settings.PortAddress;
import io.rsockets4j.core.stat.SessionSnapshot;
import io.rsockets4j.core.verbs.memory.MemoryHost;
import io.rsockets4j.core.verbs.memory.MemoryQueuePair;
import java.io.IOException;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions whose two links are on two ports of one device, so they share its poller and its completion queue. */
@Timeout(60)
class RdmaTwoPortsTest {
    private static final List<String> TWO = List.of(SessionSnapshot.STANDBY, SessionSnapshot.UP);

    private RdmaNetwork network = new RdmaNetwork("ring.bytes=65536").twoPorts();

    @AfterEach
    void assertNoViolations() {
        network.closeUnharmed();
    }

    private void use(RdmaNetwork other) {
        network.close();
        network = other;
    }

    private List<RdmaFabric> both() throws IOException {
        return List.of(network.initiator(), network.acceptor());
    }

    private void awaitLinks(List<String> states) throws Exception {
        Eventually.until("links that are " + states + " at both ends", () -> both().stream()
                .allMatch(fabric -> RdmaLinksTest.states(fabric).equals(states)));
    }

    /** Waits until a port of this number has the link in use, and the other one that which waits, at both ends. */
    private void awaitPorts(int used) throws Exception {
        Map<String, Integer> wanted = Map.of(SessionSnapshot.UP, used, SessionSnapshot.STANDBY, 3 - used);
        Eventually.until("links on ports " + wanted + " at both ends", () -> both().stream()
                .allMatch(fabric -> portsByState(fabric).equals(wanted)));
        for (RdmaFabric fabric : both()) {
            assertThat(fabric.sessions()).extracting(SessionSnapshot::device).containsOnly(
                    (fabric == network.initiator() ? network.near : network.far).device().name());
        }
    }

    /** The port in use, once the other one waits. On a machine that stands still for long, a link fails by itself. */
    private int awaitTwoPorts() throws Exception {
        awaitLinks(TWO);
        int used = RdmaLinksTest.inUse(network.initiator()).port();
        awaitPorts(used);
        return used;
    }

    private static Map<String, Integer> portsByState(RdmaFabric fabric) {
        Map<String, Integer> ports = new HashMap<>();
        fabric.sessions().forEach(link -> ports.put(link.state(), link.port()));
        assertThat(ports).as("ports of links that stand").doesNotContainEntry(SessionSnapshot.STANDBY, 0)
                .doesNotContainEntry(SessionSnapshot.UP, 0);
        return ports;
    }

    private void awaitInUse(int port) throws Exception {
        Eventually.until("port " + port + " is in use at both ends",
                () -> RdmaLinksTest.inUse(network.initiator()).port() == port
                        && RdmaLinksTest.inUse(network.acceptor()).port() == port);
    }

    private MemoryQueuePair queuePair(MemoryHost host, int port) {
        return network.network.queuePairs().stream()
                .filter(each -> each.host() == host && each.source().port() == port).findFirst().orElseThrow();
    }

    private String address(MemoryHost host, int port) {
        if (host == network.near) {
            return port == 1 ? RdmaNetwork.NEAR : RdmaNetwork.NEAR_SECOND;
        }
        return port == 1 ? RdmaNetwork.FAR : RdmaNetwork.FAR_SECOND;
    }

    // ---- a second link is made

    @Test
    void shouldMakeTheSecondLinkOnTheOtherPort() throws Exception {
        RdmaNetwork.Links links = network.links();
        awaitPorts(1);
        assertThat(network.network.queuePairs()).hasSize(4);
        SessionSnapshot second = network.initiator().sessions().stream()
                .filter(link -> link.state().equals(SessionSnapshot.STANDBY)).findFirst().orElseThrow();
        assertThat(second.local()).contains(RdmaNetwork.NEAR_SECOND);
        assertThat(second.remote()).contains(RdmaNetwork.FAR_SECOND);
        RdmaLinksTest.exchange(links, 100_000, 1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldMakeItWhereOnlyOneSideHasTwoPortsOfADevice(boolean portsAreNear) throws Exception {
        use(new RdmaNetwork("ring.bytes=65536").twoPortsOrDevices(portsAreNear));
        RdmaNetwork.Links links = network.links();
        awaitLinks(TWO);
        RdmaFabric withPorts = portsAreNear ? network.initiator() : network.acceptor();
        RdmaFabric withDevices = portsAreNear ? network.acceptor() : network.initiator();
        assertThat(withPorts.sessions()).extracting(SessionSnapshot::device)
                .containsOnly((portsAreNear ? network.near : network.far).device().name());
        assertThat(withPorts.sessions()).extracting(SessionSnapshot::port).containsExactlyInAnyOrder(1, 2);
        assertThat(withDevices.sessions()).extracting(SessionSnapshot::device).doesNotHaveDuplicates();
        RdmaLinksTest.exchange(links, 100_000, 1);
    }

    /** The port in use has another address, which would lead to the peer's other port. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNotMakeItOnThePortThatIsInUse(boolean near) throws Exception {
        use(new RdmaNetwork("ring.bytes=65536"));
        network.twoPorts();
        MemoryHost host = near ? network.near : network.far;
        String device = host.device().name();
        network.hasPorts(host,
                new PortAddress(device, 1, RdmaNetwork.address(address(host, 1)), 24),
                new PortAddress(device, 1, RdmaNetwork.address(address(host, 2)), 24));
        RdmaNetwork.Links links = network.links();
        for (int i = 0; i < 10; i++) { // all of it behind the acceptor's addresses
            RdmaLinksTest.exchange(links, 300_000, i);
            for (RdmaFabric fabric : both()) {
                assertThat(RdmaLinksTest.states(fabric)).containsExactly(SessionSnapshot.UP);
            }
        }
    }

    // ---- a port fails, and comes back

    /** What fails of the link in use. */
    enum Failure {
        /** The initiator's port goes down. */
        NEAR_PORT,
        /** The acceptor's port goes down: the initiator still knows of its address, and tries it in vain. */
        FAR_PORT,
        /** A queue pair of the initiator's fails, while the port goes on. */
        NEAR_QUEUE_PAIR,
        /** A queue pair of the acceptor's fails, while the port goes on. */
        FAR_QUEUE_PAIR
    }

    /** Has the link on a port fail. Returns what brings the port back. */
    private Runnable fail(Failure failure, int port) {
        MemoryHost host = failure == Failure.NEAR_PORT || failure == Failure.NEAR_QUEUE_PAIR ? network.near
                : network.far;
        if (failure == Failure.NEAR_QUEUE_PAIR || failure == Failure.FAR_QUEUE_PAIR) {
            queuePair(host, port).fail();
            return () -> { };
        }
        PortAddress down = network.down(host, address(host, port));
        return () -> network.up(host, down);
    }

    /** By turns each port fails: before anything has arrived, and in the midst. Then the other one carries all. */
    @ParameterizedTest
    @CsvSource({"NEAR_PORT, 0", "FAR_PORT, 0", "NEAR_QUEUE_PAIR, 0", "FAR_QUEUE_PAIR, 0", "NEAR_PORT, 1000",
        "FAR_PORT, 1000", "NEAR_QUEUE_PAIR, 1000", "FAR_QUEUE_PAIR, 1000"})
    void shouldNeitherLoseNorDoubleBytesWhenPortsFail(Failure failure, int directMinBytes) throws Exception {
        use(new RdmaNetwork("ring.bytes=65536", "direct.min.bytes=" + directMinBytes).twoPorts());
        List<RdmaNetwork.Links> all = network.links(4);
        for (int round = 0; round < 8; round++) {
            int port = awaitTwoPorts();
            boolean midst = round / 2 % 2 == 1;
            MemoryQueuePair used = queuePair(network.near, port);
            long carried = used.carried();
            network.network.pause(!midst);
            List<CompletableFuture<Void>> exchanges = new ArrayList<>();
            for (int i = 0; i < all.size(); i++) {
                exchanges.addAll(RdmaLinksTest.exchanging(all.get(i), 300_000, 2 * i));
            }
            Eventually.soon("the exchange is under way",
                    () -> midst ? used.carried() > carried + 20 : used.waitingBytes() > 0);
            Runnable back = fail(failure, port);
            network.network.pause(false);
            awaitInUse(3 - port);
            Traffic.join(exchanges); // by the other port alone, where this one is down
            back.run();
        }
        for (RdmaNetwork.Links links : all) {
            assertEndsHere(links.near(), links.far());
            assertEndsHere(links.far(), links.near());
        }
    }

    /** Nothing was written that was not read: no byte has come twice. */
    private static void assertEndsHere(Link from, Link to) throws IOException {
        from.shutdownOutput();
        assertThat(Streams.readByte(to)).isEqualTo(Link.EOF);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldUseAPortAgainThatHasComeBack(boolean near) throws Exception {
        MemoryHost host = near ? network.near : network.far;
        RdmaNetwork.Links links = network.links();
        awaitLinks(TWO);
        PortAddress first = network.down(host, address(host, 1));
        RdmaLinksTest.exchange(links, 100_000, 1);
        awaitInUse(2);
        awaitLinks(List.of(SessionSnapshot.UP));
        network.up(host, first);
        awaitPorts(2);
        network.down(host, address(host, 2));
        RdmaLinksTest.exchange(links, 100_000, 3);
        awaitInUse(1);
    }

    /** What the first link had registered with the device is given back, though the other link's device is the same. */
    @Test
    void shouldPinNoMoreAfterPortsHaveFailed() throws Exception {
        use(new RdmaNetwork("ring.bytes=8192").twoPorts()); // as all rings begin: none grows meanwhile
        RdmaNetwork.Links links = network.links();
        RdmaLinksTest.exchange(links, 10_000, 1);
        awaitLinks(TWO);
        long nearPinned = network.near.pinned();
        long farPinned = network.far.pinned();
        for (int round = 0; round < 4; round++) {
            PortAddress down = network.down(network.far, address(network.far, 1 + round % 2));
            RdmaLinksTest.exchange(links, 10_000, 2 * round);
            network.up(network.far, down);
            awaitLinks(TWO);
        }
        Eventually.until("all pins are back", () -> network.near.pinned() == nearPinned
                && network.far.pinned() == farPinned && network.near.domains() == 2 && network.far.domains() == 2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldResetConnectionsWhereTheDeviceOfBothPortsIsRemoved(boolean near) throws Exception {
        RdmaNetwork.Links links = network.links();
        awaitLinks(TWO);
        (near ? network.near : network.far).device().remove();
        Link end = near ? links.near() : links.far();
        assertThatThrownBy(() -> Streams.readByte(end)).isInstanceOf(SocketException.class);
        Eventually.until("no link is left", () -> network.initiator().sessions().isEmpty()
                && network.acceptor().sessions().isEmpty());
    }
}
