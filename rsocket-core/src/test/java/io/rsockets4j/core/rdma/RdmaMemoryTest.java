/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.verbs.VerbsDevice;
import io.rsockets4j.core.verbs.memory.MemoryHost;
import io.rsockets4j.core.verbs.memory.Violation;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is pinned for a peer, for how long, who may write there, and what the next one finds in it. */
class RdmaMemoryTest {
    private static final int RING = HandPeer.RING_BYTES;
    private static final int SECRET = 53;
    private static final PinBudget NO_LIMIT = new PinBudget(0, Long.MAX_VALUE);

    private final List<HandPeer> peers = new ArrayList<>();
    private RdmaNetwork network = new RdmaNetwork("ring.bytes=" + RING);

    @AfterEach
    void assertNoMistakes() {
        peers.forEach(HandPeer::close);
        network.close();
        assertThat(network.network.violations(Violation.Kind.CONCURRENT_USE)).isEmpty();
        assertThat(network.network.violations(Violation.Kind.USE_AFTER_DESTROY)).isEmpty();
    }

    private HandPeer connect(MemoryHost from, InetSocketAddress to) throws IOException {
        HandPeer peer = HandPeer.connect(from, to);
        peers.add(peer);
        return peer;
    }

    // ---- bytes of other connections

    @ParameterizedTest(name = "aborted: {0}")
    @ValueSource(booleans = {false, true})
    void shouldNotLetTheNextConnectionReadWhatCameForAnother(boolean aborted) throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        HandPeer peer = connect(network.near, listening.address());
        peer.greet(listening.address());
        RdmaLink first = listening.accept();
        RingSlot slot = first.connection().slot();
        RdmaLink other = connectAgain(peer, 1, listening); // the session goes on
        peer.write(0, SECRET, DataImmediate.of(0, HandPeer.RECEIVES)); // its memory has a HELLO there
        Eventually.until("the secret has come", () -> first.unread() == SECRET);
        first.close(aborted);
        peer.send(HandPeer.state(0, aborted ? MessageDescriptor.RESET | MessageDescriptor.CLOSED
                : MessageDescriptor.FINISHED | MessageDescriptor.CLOSED, 0, HandPeer.RECEIVES, SECRET));
        RdmaLink link = connectAgain(peer, 0, listening);
        assertThat(link.connection().slot()).isSameAs(slot);
        peer.send(ByteBuffer.allocate(MessageDescriptor.DATA_BYTES).put(0, MessageDescriptor.DATA)
                .putInt(MessageDescriptor.DATA_IMMEDIATE, DataImmediate.of(0, HandPeer.RECEIVES))
                .putInt(MessageDescriptor.DATA_LENGTH, SECRET));
        Eventually.until("what was not written has come", () -> link.unread() == SECRET);
        ByteBuffer read = ByteBuffer.allocate(SECRET);
        link.receive(read);
        assertThat(read.array()).containsOnly(0);
        link.close(true);
        other.close(true);
    }

    private static RdmaLink connectAgain(HandPeer peer, int number, RdmaNetwork.Listening listening)
            throws Exception {
        peer.send(HandPeer.encode(new Connect(number, peer.ring(), peer.address(778 + number), listening.address())));
        return listening.accept();
    }

    // ---- keys

    @Test
    void shouldNotLetAHostWriteWithTheKeyOfAnotherHost() throws Exception {
        MemoryHost third = network.network.host("third", RdmaNetwork.address("198.51.100.3"));
        RdmaNetwork.Listening listening = network.listen();
        HandPeer owner = connect(network.near, listening.address());
        Hello known = owner.greet(listening.address());
        RdmaLink victim = listening.accept();
        HandPeer thief = connect(third, listening.address());
        thief.greet(listening.address());
        RdmaLink own = listening.accept();
        thief.write(known.ring(), 0, 1, DataImmediate.of(0, HandPeer.RECEIVES));
        Eventually.until("the thief has lost its connection", () -> own.connection().failure() != null);
        assertThat(network.network.violations(Violation.Kind.ACCESS)).hasSize(1);
        owner.write(0, 1, DataImmediate.of(0, HandPeer.RECEIVES));
        Eventually.until("the owner's byte has come", () -> victim.unread() == 1);
        victim.close(true);
        own.close(true);
    }

    // ---- what is pinned

    @Test
    void shouldPinNothingForAPeerThatARuleDenies() throws Exception {
        InetSocketAddress address = RdmaNetwork.newAddress();
        InetAddress denied = RdmaNetwork.address("198.51.100.1");
        network.listen(address, 0, client -> !client.equals(denied));
        HandPeer.connectInVain(network.near, address);
        assertThat(network.connect(address)).isNull();
        assertThat(network.far.pinned()).isZero();
        assertThat(network.far.domains()).isZero();
    }

    @Test
    void shouldRefuseConnectsWhereTooManyHaveNotSaidHello() throws Exception {
        MemoryHost third = network.network.host("third", RdmaNetwork.address("198.51.100.3"));
        RdmaNetwork.Listening listening = network.listen();
        for (int i = 0; i < HalfOpen.MAX_OF_ONE; i++) {
            connect(network.near, listening.address());
        }
        HandPeer.connectInVain(network.near, listening.address());
        assertThatThrownBy(() -> network.connect(listening.address())).isInstanceOf(IOException.class)
                .extracting(failure -> PathException.reasonOf((IOException) failure)).isEqualTo(Reason.PEER_BUSY);
        connect(third, listening.address()).greet(listening.address());
        peers.get(0).greet(listening.address());
        connect(network.near, listening.address());
        HandPeer.connectInVain(network.near, listening.address());
        peers.get(1).send(ByteBuffer.allocate(1));
        peers.get(1).awaitDisconnect();
        Eventually.until("its memory is given back", () -> network.network.queuePairs().size()
                == 2 * (HalfOpen.MAX_OF_ONE + 1) + 1);
        connect(network.near, listening.address());
    }

    @Test
    void shouldBoundTheHalfOpenConnectionsOfAllHosts() {
        HalfOpen halfOpen = new HalfOpen();
        for (int i = 0; i < HalfOpen.MAX; i++) {
            assertThat(halfOpen.enter(RdmaNetwork.address("198.51.100." + i % 8))).isTrue();
        }
        assertThat(halfOpen.enter(null)).isFalse();
        halfOpen.leave(RdmaNetwork.address("198.51.100.0"));
        assertThat(halfOpen.enter(null)).isTrue();
    }

    @Test
    void shouldGiveBackWhatSilentPeersHavePinned() throws Exception {
        network.close();
        network = new RdmaNetwork("handshake.millis=100", "ring.bytes=" + RING).idle(50);
        RdmaNetwork.Listening listening = network.listen();
        for (int i = 0; i < 64; i++) {
            connect(network.near, listening.address());
        }
        assertThat(network.far.pinned()).isPositive();
        for (HandPeer peer : peers) {
            peer.awaitDisconnect();
        }
        Eventually.until("nothing is pinned", () -> network.far.pinned() == 0 && network.far.domains() == 0);
        assertThat(network.connect(listening.address())).isNotNull();
    }

    @Test
    void shouldKeepWhatIsInUseAndWhatWasInUseLately() throws Exception {
        LinkMemory link = new LinkMemory(device(), NO_LIMIT);
        SessionMemory memory = new SessionMemory(link, NO_LIMIT);
        long messages = network.near.pinned();
        RingSlot first = memory.take(RING, PinBudget.Use.CONNECTIONS);
        RingSlot second = memory.take(RING, PinBudget.Use.CONNECTIONS);
        long pinned = network.near.pinned();
        assertThat(memory.trim()).isTrue();
        memory.giveBack(first);
        assertThat(memory.trim()).isTrue();
        assertThat(memory.trim()).isTrue();
        memory.giveBack(second);
        assertThat(memory.trim()).as("in use until now").isTrue();
        assertThat(memory.take(RING, PinBudget.Use.CONNECTIONS)).as("the warmest").isSameAs(second);
        memory.giveBack(second);
        assertThat(memory.trim()).as("in use since").isTrue();
        assertThat(network.near.pinned()).isEqualTo(pinned);
        assertThat(memory.trim()).isFalse();
        assertThat(network.near.pinned()).isEqualTo(messages);
        memory.close();
        link.close();
        assertThat(network.near.pinned()).isZero();
        assertThat(network.near.domains()).isZero();
    }

    @Test
    void shouldLeaveNothingPinnedWhereThereIsNotEnoughForASession() {
        network.near.pinnable(4096);
        assertThatThrownBy(() -> new LinkMemory(device(), NO_LIMIT)).hasMessageContaining("memlock");
        assertThat(network.near.pinned()).isZero();
        assertThat(network.near.domains()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 4096, 3 << 19})
    void shouldLeaveNothingPinnedWhereThereIsNotEnough(long mayBePinned) throws Exception {
        LinkMemory link = new LinkMemory(device(), NO_LIMIT);
        SessionMemory memory = new SessionMemory(link, NO_LIMIT);
        long messages = network.near.pinned();
        network.near.pinnable(messages + mayBePinned);
        assertThatThrownBy(() -> memory.take(1 << 20, PinBudget.Use.CONNECTIONS)).hasMessageContaining("memlock");
        assertThat(network.near.pinned()).isEqualTo(messages);
        network.near.pinnable(Long.MAX_VALUE);
        assertThat(memory.take(1 << 20, PinBudget.Use.CONNECTIONS).ring().capacity()).isEqualTo(1 << 20);
    }

    private VerbsDevice device() {
        return network.near.device();
    }
}
