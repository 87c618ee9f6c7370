/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.bell.BellPage;
import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.Streams;
import io.rsockets4j.core.host.UnixSockets;
import io.rsockets4j.core.host.Words;
import io.rsockets4j.core.shm.ring.ReceiveRing;
import io.rsockets4j.core.shm.ring.RingPair;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a connecting process does with a listening one that answers wrongly, late or never. */
class InitiatorHandshakeTest {
    private static final long LIMIT_SECONDS = 15;
    private static final String NAME = "0".repeat(32) + ".bells";

    @TempDir
    private Path directory;
    private ShmFabric fabric;
    private HandAcceptor hand;

    @BeforeEach
    void listen() throws IOException {
        hand = HandAcceptor.listen(directory);
        fabric = Fabrics.open(directory, "handshake.millis=1500", "ring.bytes=8192");
    }

    @AfterEach
    void fabricConnectsToOthersAndLeavesNoFiles() throws Exception {
        hand.close();
        Fabrics.Listening other = Fabrics.listen(Fabrics.open(directory));
        Link link = Fabrics.connect(fabric, other.address());
        assertThat(link).isNotNull();
        link.close(false);
        other.accept().close(false);
        other.queue().close();
        assertThat(Fabrics.files(directory, ".shared")).isEmpty();
    }

    @Test
    void shouldConnectToAPeerThatDoesEverythingRight() throws Exception {
        CompletableFuture<ShmLink> connecting = connect();
        hand.establish();
        ShmLink link = get(connecting);
        ConnectEntry entry = hand.onlyConnect();
        assertThat(entry.acceptor()).isEqualTo(hand.address).isEqualTo(link.remoteAddress());
        assertThat(entry.initiator()).isEqualTo(link.localAddress());
        assertThat(Fabrics.files(directory, ".shared")).as("both hold the files").isEmpty();
        Streams.writeByte(link, 5);
        ByteBuffer dst = ByteBuffer.allocate(1);
        Words control = RingPair.control(hand.slots.words(entry.slot()).control(), 0);
        ByteBuffer ring = hand.slots.ring(entry.slot(), 0, hand.slots.ringBytes());
        assertThat(new ReceiveRing(control, ring).read(dst)).isEqualTo(1);
        assertThat(dst.get(0)).isEqualTo((byte) 5);
        link.close(false);
    }

    @Test
    void shouldKnowThatAConnectWaitsUntilThePeerHasAnswered() throws Exception {
        assertThat(fabric.mayWait(hand.address)).isTrue();
        CompletableFuture<ShmLink> connecting = connect();
        hand.hearHello();
        assertThat(fabric.mayWait(hand.address)).isTrue();
        hand.map().send(hand.welcome());
        get(connecting).close(false);
        assertThat(fabric.mayWait(hand.address)).isFalse();
        assertThat(fabric.mayWait(new InetSocketAddress(hand.address.getAddress(), 1))).as("nobody").isFalse();
    }

    @Test
    void shouldNotWaitForEverForAnAnswer() {
        assertFails(" answer", () -> hand.hearHello());
    }

    @Test
    void shouldTellWhyItWasRefused() {
        assertFails("refused by the peer: for no reason", () -> hand.hearHello().send(Frame.refused("for no reason")));
    }

    @Test
    void shouldFailWhenThePeerHangsUp() {
        assertFails("", () -> hand.hearHello().control.close());
    }

    @Test
    void shouldFailWhenThePeerHangsUpInTheMiddleOfItsAnswer() {
        assertFails("", () -> hand.hearHello().map().send(hand.welcome().limit(20)).control.close());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 65_535})
    void shouldRefuseAVersionThatItDidNotOffer(int version) {
        assertFails("the peer chose version " + version,
                () -> hand.hearHello().send(Frame.welcome(new Frame.Welcome(version, hand.bells.name()))));
    }

    static List<ByteBuffer> wrongAnswers() {
        return List.of(Frame.slotsMapped(1), Frame.slotsRefused("why"), Frame.slots(0, "x"),
                Frame.welcome(new Frame.Welcome(Frame.VERSION, NAME)).put(5, (byte) 'X'),
                Frame.welcome(new Frame.Welcome(Frame.VERSION, NAME)).limit(9).putInt(0, 5),
                ByteBuffer.allocate(5).putInt(0, 1), ByteBuffer.allocate(4).putInt(0, -1),
                ByteBuffer.allocate(4).putInt(0, Integer.MAX_VALUE));
    }

    @ParameterizedTest
    @MethodSource("wrongAnswers")
    void shouldFailOnAWrongAnswer(ByteBuffer answer) {
        assertFails("", () -> hand.hearHello().send(answer));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x.bells", "../0123456789abcdef0123456789abcdef.bells",
        "0123456789abcdef0123456789abcdef.shared", "0123456789abcdef0123456789abcdef.bells\n"})
    void shouldFailOnImpossibleNamesOfBells(String name) {
        assertFails("unexpected WELCOME",
                () -> hand.hearHello().map().send(Frame.welcome(new Frame.Welcome(Frame.VERSION, name))));
    }

    @Test
    void shouldFailWhereThePeersBellsAreMissing() {
        assertFails(hand.bells.name(), () -> {
            Files.delete(hand.rendezvous.path(hand.bells.name()));
            hand.hearHello().map().send(hand.welcome());
        });
    }

    @Test
    void shouldFailWhereThePeersBellsHaveTheWrongSize() {
        assertFails("expected " + BellPage.BYTES, () -> {
            Files.write(hand.rendezvous.path(hand.bells.name()), new byte[BellPage.BYTES - 1]);
            hand.hearHello().map().send(hand.welcome());
        });
    }

    @Test
    void shouldNotBlameALivingPeerThatHangsUpWithoutReading() {
        assertFails("", () -> {
            hand.control = hand.server.accept();
            hand.control.configureBlocking(false);
            try (Selector selector = UnixSockets.openSelector()) {
                hand.control.register(selector, SelectionKey.OP_READ);
                selector.select(); // closing unread bytes resets the other end
            }
            hand.control.close();
        });
        assertThat(hand.endpoint).exists();
        assertThat(hand.entry).exists();
    }

    @Test
    void shouldLeaveAPeerAloneForAWhileThatDidNotAnswer() throws Exception {
        assertFails(" answer", () -> hand.hearHello());
        Eventually.until("the session has ended too",
                () -> failure().equals("a session with that peer failed a moment ago"));
        assertThat(hand.entry).as("it may be stopped").exists();
        assertThat(fabric.mayWait(hand.address)).as("not asked at all").isFalse();
    }

    private String failure() {
        try {
            throw new AssertionError("connected " + Fabrics.connect(fabric, hand.address));
        } catch (IOException e) {
            return e.getMessage();
        }
    }

    @Test
    void shouldRemoveWhatADeadPeerHasLeft() throws Exception {
        hand.close();
        assertThatThrownBy(() -> Fabrics.connect(fabric, hand.address)).isInstanceOf(IOException.class);
        assertThat(hand.endpoint).doesNotExist();
        assertThat(hand.entry).doesNotExist();
        assertThat(Fabrics.connect(fabric, hand.address)).as("nobody is there: TCP").isNull();
    }

    @Test
    void shouldRemoveAnEntryWhoseEndpointIsGone() throws Exception {
        hand.close();
        Files.delete(hand.endpoint);
        assertThatThrownBy(() -> Fabrics.connect(fabric, hand.address)).isInstanceOf(IOException.class);
        assertThat(hand.entry).doesNotExist();
        assertThat(Fabrics.connect(fabric, hand.address)).isNull();
    }

    @Test
    void shouldNotHangOnAPeerThatAcceptsNobody() throws Exception {
        try (HandAcceptor full = HandAcceptor.listen(directory, 1)) {
            for (int i = 0; i < 3; i++) { // those before wait in its backlog until it is full
                assertFailsInTime(openFabric(), full.address);
            }
            assertFailsInTime(fabric, full.address);
            assertConnectsToOthers();
        }
    }

    private static void assertFailsInTime(ShmFabric fabric, InetSocketAddress address) {
        CompletableFuture<ShmLink> connecting = CompletableFuture.supplyAsync(() -> connect(fabric, address));
        assertThatThrownBy(() -> connecting.get(LIMIT_SECONDS, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class).cause().isInstanceOf(IOException.class);
    }

    private void assertConnectsToOthers() throws Exception {
        CompletableFuture<ShmLink> connecting = connect();
        hand.establish();
        get(connecting).close(false);
    }

    private interface Script {
        void run() throws Exception;
    }

    /** A connect to the hand-written peer fails within its limit, leaves no files, and no session behind. */
    private void assertFails(String message, Script script) {
        CompletableFuture<ShmLink> connecting = connect();
        assertThatThrownBy(() -> {
            script.run();
            connecting.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        }).isInstanceOf(ExecutionException.class).cause().isInstanceOf(IOException.class)
                .hasMessageContaining(message);
    }

    private CompletableFuture<ShmLink> connect() {
        return CompletableFuture.supplyAsync(() -> connect(fabric, hand.address));
    }

    private ShmFabric openFabric() {
        try {
            return Fabrics.open(directory, "handshake.millis=1500", "ring.bytes=8192");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ShmLink connect(ShmFabric fabric, InetSocketAddress address) {
        try {
            return Fabrics.connect(fabric, address);
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    private static ShmLink get(CompletableFuture<ShmLink> connecting) throws Exception {
        return connecting.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }
}
