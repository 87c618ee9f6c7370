/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.fabric.AcceptQueue;
import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.fabric.Fabric;
import io.rsockets4j.core.fabric.FakePort;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.SpinPolicy;
import io.rsockets4j.core.fabric.Streams;
import io.rsockets4j.core.host.EphemeralPorts;
import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.verbs.ConnectionManager;
import io.rsockets4j.core.verbs.memory.MemoryBinding;
import io.rsockets4j.core.verbs.memory.MemoryQueuePair;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many connections on one queue pair: how they begin, what each costs the others, how they and their session end. */
@Timeout(60)
class RdmaSessionTest {
    private static final int RING = 8192;
    private static final int LARGE = 1 << 20;
    private static final int SHORT_BYTES = 64; // of a message that is answered
    private static final int TURN_BYTES = 64 << 10; // of a stream at most
    private static final int MESSAGES_BYTES = 16 * MessageDescriptor.MESSAGE_BYTES; // what else is under way
    private static final int FIRST_SESSION_PORT = 61_000; // Linux gives TCP sockets 32,768 to 60,999
    private static final int ENDS = 2; // queue pairs of a session

    private RdmaNetwork network = new RdmaNetwork("ring.bytes=" + RING, "handshake.millis=3000");

    @AfterEach
    void assertNoViolations() {
        network.close();
        network.assertNoViolations();
    }

    private static void assertAlive(RdmaNetwork.Links links) throws Exception {
        Streams.writeByte(links.near(), 3);
        assertThat(Streams.readByte(links.far())).isEqualTo(3);
        Streams.writeByte(links.far(), 4);
        assertThat(Streams.readByte(links.near())).isEqualTo(4);
    }

    private int queuePairs() {
        return network.network.queuePairs().size();
    }

    // ---- the beginning

    @Test
    void shouldCarryAThousandConnectionsByOneQueuePair() throws Exception {
        List<RdmaNetwork.Links> all = network.links(1000);
        assertThat(queuePairs()).isEqualTo(ENDS);
        for (RdmaNetwork.Links links : all) {
            assertAlive(links);
            assertThat(links.far().remoteAddress()).isEqualTo(links.near().localAddress());
        }
    }

    @Test
    void shouldTakeAPortThatTheKernelGivesToNoListener() throws Exception {
        RdmaLink near = network.links().near();
        InetSocketAddress chosen = new SessionPorts(EphemeralPorts.ofKernel()).next(near.remoteAddress().getAddress());
        int first = chosen == null ? 0 : FIRST_SESSION_PORT; // or a range of this host's own, up to the end
        assertThat(near.connection().session().localAddress().getPort()).isGreaterThanOrEqualTo(first);
    }

    @Test
    void shouldConnectThoughAllPortsForSessionsAreTaken() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        ConnectionManager manager = new MemoryBinding(network.near).openConnectionManager();
        for (int port = 0xffff; port >= FIRST_SESSION_PORT; port--) {
            manager.createId().bind(new InetSocketAddress(RdmaNetwork.address("0.0.0.0"), port), true);
        }
        assertAlive(network.links(listening, 1).get(0));
    }

    @Test
    void shouldMakeOneSessionForConnectsInARush() throws Exception {
        network.close();
        network = new RdmaNetwork("ring.bytes=" + RING); // 1,000 threads take their time
        RdmaNetwork.Listening listening = network.listen();
        network.initiator();
        List<CompletableFuture<RdmaLink>> connects = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            connects.add(Traffic.start("connector", () -> network.connect(listening.address())));
        }
        for (CompletableFuture<RdmaLink> connect : connects) {
            assertThat(connect.get(30, TimeUnit.SECONDS)).isNotNull();
            listening.accept();
        }
        assertThat(queuePairs()).isEqualTo(ENDS);
    }

    @Test
    void shouldConnectBothWaysAtOnce() throws Exception {
        RdmaNetwork.Listening far = network.listen();
        InetSocketAddress nearAddress = new InetSocketAddress(RdmaNetwork.address("198.51.100.1"), 19_999);
        AcceptQueue nearQueue = new AcceptQueue(4096, new SpinPolicy(0, 2));
        nearQueue.add(network.initiator().listen(new Fabric.ListenRequest(nearAddress, false, false, 4096, 0),
                nearQueue));
        RdmaNetwork.Listening near = new RdmaNetwork.Listening(nearAddress, nearQueue);
        for (int i = 0; i < 20; i++) {
            CompletableFuture<RdmaLink> there = Traffic.start("there", () -> network.connect(far.address()));
            CompletableFuture<Link> back = Traffic.start("back",
                    () -> network.acceptor().connect(nearAddress, new FakePort(), Long.MAX_VALUE));
            assertAlive(new RdmaNetwork.Links(there.get(20, TimeUnit.SECONDS), far.accept()));
            assertAlive(new RdmaNetwork.Links((RdmaLink) back.get(20, TimeUnit.SECONDS), near.accept()));
        }
        assertThat(queuePairs()).isEqualTo(2 * ENDS);
    }

    @Test
    void shouldFindAnotherListenerOfTheSameProcessBehindAnAddress() throws Exception {
        RdmaNetwork.Listening first = network.listen();
        RdmaNetwork.Links kept = network.links(first, 1).get(0);
        first.queue().close();
        assertThat(network.connect(first.address())).as("nobody listens").isNull();
        RdmaNetwork.Listening second = network.listen(first.address());
        assertAlive(network.links(second, 1).get(0));
        assertAlive(kept);
    }

    @Test
    void shouldRefuseSingleConnectsOfASessionByRule() throws Exception {
        boolean[] denies = new boolean[1];
        RdmaNetwork.Listening listening = network.listen(RdmaNetwork.newAddress(), 0, client -> !denies[0]);
        RdmaNetwork.Links kept = network.links(listening, 1).get(0);
        denies[0] = true;
        assertThat(network.connect(listening.address())).isNull();
        denies[0] = false;
        assertAlive(network.links(listening, 1).get(0));
        assertAlive(kept);
    }

    @Test
    void shouldLetConnectsWaitForRoomInTheBacklog() throws Exception {
        InetSocketAddress address = RdmaNetwork.newAddress();
        AcceptQueue queue = new AcceptQueue(1, new SpinPolicy(0, 2));
        queue.add(network.acceptor().listen(new Fabric.ListenRequest(address, false, false, 1, 0), queue));
        network.connect(address);
        network.connect(address);
        assertThatThrownBy(() -> network.connect(address)).isInstanceOf(IOException.class)
                .extracting(failure -> PathException.reasonOf((IOException) failure)).isEqualTo(Reason.BACKLOG_FULL);
        assertThat(queue.poll()).isNotNull();
        assertThat(network.connect(address)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldCostOnlyTheConnectForWhichThereIsNoMemory(boolean atTheInitiator) throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        RdmaNetwork.Links kept = network.links(listening, 1).get(0);
        (atTheInitiator ? network.near : network.far).pinnable(0);
        List<RdmaLink> more = new ArrayList<>();
        assertThatThrownBy(() -> {
            for (int i = 0; i < 1000; i++) {
                more.add(network.connect(listening.address()));
            }
        }).isInstanceOf(IOException.class).extracting(failure -> PathException.reasonOf((IOException) failure))
                .isEqualTo(atTheInitiator ? Reason.MEMLOCK : Reason.REFUSED);
        for (RdmaLink near : more) {
            assertAlive(new RdmaNetwork.Links(near, listening.accept()));
        }
        assertAlive(kept);
        (atTheInitiator ? network.near : network.far).pinnable(Long.MAX_VALUE);
        assertAlive(network.links(listening, 1).get(0));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldSayWhyThereIsNoMemoryForASession(boolean atTheInitiator) throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        (atTheInitiator ? network.near : network.far).pinnable(MessageBuffers.BYTES - (atTheInitiator ? 0 : 1));
        assertThatThrownBy(() -> network.connect(listening.address())).isInstanceOf(IOException.class)
                .extracting(failure -> PathException.reasonOf((IOException) failure))
                .isEqualTo(atTheInitiator ? Reason.MEMLOCK : Reason.REFUSED);
        Eventually.until("nothing is pinned", () -> network.near.pinned() == 0 && network.far.pinned() == 0);
        (atTheInitiator ? network.near : network.far).pinnable(Long.MAX_VALUE);
        assertAlive(network.links(listening, 1).get(0));
    }

    // ---- connects that fail

    /** The session ends while a connect waits in it; there is no other one to be had. */
    @Test
    void shouldFailConnectsOfASessionThatEnds() throws Exception {
        InetSocketAddress at = RdmaNetwork.newAddress();
        CompletableFuture<RdmaLink> second;
        try (HandPeer peer = HandPeer.listen(network, at)) {
            beginSession(peer, at);
            second = Traffic.start("second", () -> network.connect(at));
            assertThat(peer.awaitMessage().get(0)).isEqualTo(MessageDescriptor.CONNECT);
        }
        assertThat(second.get(20, TimeUnit.SECONDS)).as("nobody listens").isNull();
    }

    @Test
    void shouldTellThePeerThatAConnectWasGivenUpThoughItAnswersLater() throws Exception {
        network.close();
        network = new RdmaNetwork("ring.bytes=" + RING, "handshake.millis=1000");
        InetSocketAddress at = RdmaNetwork.newAddress();
        try (HandPeer peer = HandPeer.listen(network, at)) {
            RdmaLink kept = beginSession(peer, at);
            assertThatThrownBy(() -> network.connect(at)).hasMessageContaining("did not answer in time");
            ByteBuffer asked = peer.awaitMessage();
            assertThat(asked.get(0)).isEqualTo(MessageDescriptor.CONNECT);
            int number = asked.getInt(MessageDescriptor.NUMBER);
            ByteBuffer told = peer.awaitMessage();
            assertThat(told.get(0)).isEqualTo(MessageDescriptor.STATE);
            assertThat(told.getInt(MessageDescriptor.NUMBER)).isEqualTo(number);
            assertThat(told.get(MessageDescriptor.STATE_FLAGS)).isEqualTo((byte) RdmaConnection.GIVEN_UP);
            peer.send(peer.accept(number, 0));
            peer.send(HandPeer.state(number, MessageDescriptor.CLOSED, 0, HandPeer.RECEIVES, 0));
            CompletableFuture<RdmaLink> third = Traffic.start("third", () -> network.connect(at));
            ByteBuffer again = peer.awaitMessage();
            peer.send(peer.accept(again.getInt(MessageDescriptor.NUMBER), Hello.REFUSED_FULL));
            assertThatThrownBy(() -> third.get(20, TimeUnit.SECONDS)).hasMessageContaining("backlog");
            assertThat(kept.connection().failure()).isNull();
        }
    }

    /** The peer must not open what it was not asked for. */
    @Test
    void shouldEndASessionWhosePeerAnswersForAnotherConnection() throws Exception {
        InetSocketAddress at = RdmaNetwork.newAddress();
        try (HandPeer peer = HandPeer.listen(network, at)) {
            RdmaLink link = beginSession(peer, at);
            Traffic.start("second", () -> network.connect(at));
            ByteBuffer asked = peer.awaitMessage();
            peer.send(peer.accept(asked.getInt(MessageDescriptor.NUMBER) - 1, 0));
            Eventually.until("the session ends", () -> link.connection().failure() != null);
            assertThat(link.connection().failure()).hasMessageContaining("which nobody asked for");
        }
    }

    // ---- each for itself

    @Test
    void shouldResetOneConnectionAlone() throws Exception {
        List<RdmaNetwork.Links> all = network.links(3);
        all.get(1).near().close(true);
        assertThatThrownBy(() -> Streams.readByte(all.get(1).far())).isInstanceOf(SocketException.class)
                .hasMessage("Connection reset");
        assertAlive(all.get(0));
        assertAlive(all.get(2));
        all.get(1).far().close(false);
        assertThat(queuePairs()).isEqualTo(ENDS);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNotLetAStalledReaderHoldUpOthers(boolean immediate) throws Exception {
        network.close();
        network = new RdmaNetwork("ring.bytes=" + RING, "rdma.immediate=" + immediate);
        List<RdmaNetwork.Links> all = network.links(101);
        RdmaNetwork.Links stalled = all.get(50);
        CompletableFuture<Void> writes = Traffic.sending(stalled.near(), 4 * RING, 100, 1);
        Eventually.until("the ring is full", () -> stalled.near().creditBytes() == 0);
        for (int round = 0; round < 5; round++) {
            for (RdmaNetwork.Links links : all) {
                if (links != stalled) {
                    assertAlive(links);
                }
            }
        }
        assertThat(writes).isNotDone();
        Traffic.receive(stalled.far(), 4 * RING, 1000, 1);
        writes.get(20, TimeUnit.SECONDS);
    }

    /** All of a session goes out in order: what a stream has posted is what a short message waits for. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNotLetAStreamHoldUpShortMessages(boolean immediate) throws Exception {
        network.close();
        network = new RdmaNetwork("ring.bytes=" + LARGE, "direct.min.bytes=0", "rdma.immediate=" + immediate);
        List<RdmaNetwork.Links> all = network.links(2);
        RdmaNetwork.Links stream = all.get(0);
        RdmaNetwork.Links asks = all.get(1);
        Traffic.join(List.of(Traffic.sending(stream.near(), 2 * LARGE, LARGE, 0), // its ring grows
                Traffic.receiving(stream.far(), 2 * LARGE, LARGE, 0)));
        for (int round = 1; round <= 5; round++) {
            roundTrip(asks, round, () -> { });
            Eventually.until("there is room for most of a ring", () -> {
                stream.near().isReady(OP_WRITE);
                return stream.near().creditBytes() >= LARGE / 2;
            });
            network.network.pause(true);
            int accepted = stream.near().send(ByteBuffer.allocateDirect(LARGE));
            assertThat(accepted).isGreaterThanOrEqualTo(LARGE / 2);
            roundTrip(asks, round, () -> {
                assertThat(nearQueuePair().waitingBytes()).as("posted ahead of a short message, and that")
                        .isLessThanOrEqualTo(DataLine.WINDOW_BYTES + TURN_BYTES + SHORT_BYTES + MESSAGES_BYTES);
                network.network.pause(false);
            });
            Streams.read(stream.far(), ByteBuffer.allocateDirect(accepted));
        }
    }

    private static void roundTrip(RdmaNetwork.Links links, int value, Runnable underWay) throws IOException {
        ByteBuffer message = ByteBuffer.allocate(SHORT_BYTES).put(0, (byte) value);
        Streams.write(links.near(), message.duplicate());
        underWay.run();
        assertThat(Streams.read(links.far(), ByteBuffer.allocate(SHORT_BYTES))).isEqualTo(message);
        Streams.write(links.far(), message.duplicate());
        assertThat(Streams.read(links.near(), ByteBuffer.allocate(SHORT_BYTES))).isEqualTo(message);
    }

    private MemoryQueuePair nearQueuePair() {
        return network.network.queuePairs().stream().filter(pair -> pair.host() == network.near).findFirst()
                .orElseThrow();
    }

    /** Numbers and memory are used again at once, while the network is late with what the one before had sent. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldUseNumbersAgain(boolean aborts) throws Exception {
        network.network.delay(7, 0, TimeUnit.MICROSECONDS.toNanos(300));
        RdmaNetwork.Listening listening = network.listen();
        RdmaNetwork.Links kept = network.links(listening, 1).get(0);
        int greatest = 0;
        for (int i = 0; i < 100; i++) {
            RdmaNetwork.Links links = network.links(listening, 1).get(0);
            greatest = Math.max(greatest, links.near().connection().number());
            CompletableFuture<Void> sends = Traffic.sending(links.near(), 1000, 100, i);
            Traffic.receive(links.far(), 1000, 300, i);
            sends.get(20, TimeUnit.SECONDS);
            links.near().send(ByteBuffer.allocate(500)); // on its way when both close
            links.near().close(aborts);
            links.far().close(false);
        }
        assertThat(greatest).isLessThan(50);
        assertAlive(kept);
    }

    /** An initiator that has had the last message may use the number again, whether or not the acceptor knows that. */
    @Test
    void shouldLetTheInitiatorUseANumberAgain() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        try (HandPeer peer = HandPeer.connect(network, listening.address())) {
            peer.greet(listening.address());
            for (int i = 0; i < 40; i++) {
                peer.send(HandPeer.state(MessageDescriptor.FINISHED | MessageDescriptor.CLOSED, 0,
                        HandPeer.RECEIVES, 0));
                listening.accept().close(false);
                ByteBuffer last = peer.awaitMessage();
                while (last.get(0) != MessageDescriptor.STATE) {
                    last = peer.awaitMessage();
                }
                peer.send(HandPeer.encode(new Connect(0, peer.ring(), peer.address(800 + i), listening.address())));
            }
            RdmaLink link = listening.accept();
            assertThat(link.connection().failure()).isNull();
            link.close(true);
        }
    }

    // ---- the end

    @Test
    void shouldEndAllConnectionsOfAProcessThatDies() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        List<RdmaNetwork.Links> all = network.links(listening, 100);
        List<CompletableFuture<Integer>> readers = new ArrayList<>();
        for (RdmaNetwork.Links links : all.subList(0, 10)) {
            readers.add(Traffic.start("reader", () -> Streams.readByte(links.near())));
        }
        network.network.queuePairs().get(0).fail();
        for (CompletableFuture<Integer> reader : readers) {
            assertThatThrownBy(() -> reader.get(20, TimeUnit.SECONDS)).hasMessageContaining("Connection reset");
        }
        for (RdmaNetwork.Links links : all) {
            Eventually.until("the far end knows", () -> links.far().connection().isPeerClosed());
            links.near().close(false);
            links.far().close(false);
        }
        Eventually.until("all queue pairs are gone", () -> queuePairs() == 0);
        Eventually.until("nothing is pinned", () -> network.near.pinned() == 0 && network.far.pinned() == 0);
        assertAlive(network.links(listening, 1).get(0));
    }

    @Test
    void shouldEndASessionOnceItHasHadNoConnectionForATime() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        for (RdmaNetwork.Links links : network.links(listening, 3)) {
            links.near().close(false);
            links.far().close(false);
        }
        Eventually.until("all queue pairs are gone", () -> queuePairs() == 0);
        Eventually.until("nothing is pinned", () -> network.near.pinned() == 0 && network.far.pinned() == 0);
        assertAlive(network.links(listening, 1).get(0));
    }

    @Test
    void shouldTakeNoWritesByTheKeyOfASessionThatHasEnded() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        RemoteRing known;
        RdmaLink link;
        try (HandPeer peer = HandPeer.connect(network, listening.address())) {
            known = peer.greet(listening.address()).ring();
            link = listening.accept();
        }
        Eventually.until("the memory is given back", () -> network.far.pinned() == 0); // though the program has its end
        try (HandPeer thief = HandPeer.connect(network, listening.address())) {
            thief.greet(listening.address());
            RdmaLink own = listening.accept();
            thief.write(known, 0, 1, DataImmediate.of(0, HandPeer.RECEIVES));
            Eventually.until("the thief has lost its session", () -> own.connection().failure() != null);
            own.close(false);
        }
        link.close(false);
    }

    @Test
    void shouldAcceptNothingOnceItHasEnded() throws Exception {
        RdmaNetwork.Links links = network.links();
        RdmaSession session = links.far().connection().session();
        session.fail(new IOException("a test's"));
        assertThat(session.open(7, RING)).isNull();
    }

    @Test
    void shouldTellTheConnectionsOfASessionThatThisSideGivesUp() throws Exception {
        RdmaNetwork.Links links = network.links();
        links.far().connection().session().release();
        assertThat(links.far().connection().failure()).hasMessageContaining("given the RDMA session up");
        Eventually.until("the other side hears of it", () -> links.near().connection().isPeerClosed()
                || links.near().connection().failure() != null);
    }

    @Test
    void shouldEndASessionWhosePeerTellsOfAConnectionThatItHasNotAccepted() throws Exception {
        InetSocketAddress at = RdmaNetwork.newAddress();
        try (HandPeer peer = HandPeer.listen(network, at)) {
            RdmaLink link = beginSession(peer, at);
            Traffic.start("second", () -> network.connect(at));
            int number = peer.awaitMessage().getInt(MessageDescriptor.NUMBER);
            peer.send(HandPeer.state(number, MessageDescriptor.CLOSED, 0, HandPeer.RECEIVES, 0));
            Eventually.until("the session ends", () -> link.connection().failure() != null);
            assertThat(link.connection().failure()).hasMessageContaining("before ACCEPT");
        }
    }

    /** The first connect to a peer, which answers as it should. */
    private RdmaLink beginSession(HandPeer peer, InetSocketAddress at) throws Exception {
        CompletableFuture<RdmaLink> first = Traffic.start("first", () -> network.connect(at));
        Hello said = peer.accept().awaitHello();
        peer.send(HandPeer.encode(peer.hello(said.session(), at)));
        return first.get(20, TimeUnit.SECONDS);
    }
}
