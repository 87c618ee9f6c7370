/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static io.rsockets4j.core.rdma.MessageDescriptor.FINISHED;
import static java.nio.channels.SelectionKey.OP_READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a peer says or does costs its own session, and no other. */
class RdmaHostilePeerTest extends BesideBystanders {
    private static final int RING = HandPeer.RING_BYTES;

    RdmaHostilePeerTest() {
        super(new RdmaNetwork("ring.bytes=" + RING));
    }

    /** What a peer does after the handshake. */
    interface Attack {
        void run(HandPeer peer) throws IOException;
    }

    // ---- before HELLO

    @Test
    void shouldDropAPeerThatNeverSaysHello() throws Exception {
        RdmaNetwork impatient = new RdmaNetwork("handshake.millis=100");
        RdmaNetwork.Listening offer = impatient.listen();
        try (HandPeer peer = HandPeer.connect(impatient, offer.address())) {
            peer.awaitDisconnect();
        }
        assertThat(offer.queue().poll()).isNull();
        impatient.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void shouldDropAPeerThatTalksNonsense(long seed) throws Exception {
        Random random = new Random(seed);
        byte[] nonsense = new byte[random.nextInt(MessageDescriptor.MESSAGE_BYTES + 1)];
        random.nextBytes(nonsense);
        try (HandPeer peer = HandPeer.connect(network, listening.address())) {
            peer.send(ByteBuffer.wrap(nonsense));
            peer.awaitDisconnect();
        }
        assertNobodyIsAccepted();
    }

    static Stream<Arguments> wildHellos() {
        return Stream.of(Arguments.of("size 0", 24, 4, 0), Arguments.of("a negative size", 24, 4, -RING),
                Arguments.of("a crooked size", 24, 4, RING + 1), Arguments.of("a giant size", 24, 4, 1 << 30),
                Arguments.of("address 0", 16, 8, 0), Arguments.of("an address at the end", 16, 8, -1),
                Arguments.of("no receives", 32, 4, 0), Arguments.of("version 9", 1, 1, 9),
                Arguments.of("another magic", 4, 4, 0), Arguments.of("a family of 9", 40, 2, 9),
                Arguments.of("port 0", 42, 2, 0), Arguments.of("somebody else's address", 44, 4, 0x01020304));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wildHellos")
    void shouldDropAPeerWhoseHelloIsWild(String what, int offset, int bytes, long value) throws Exception {
        try (HandPeer peer = HandPeer.connect(network, listening.address())) {
            peer.send(wild(HandPeer.encode(peer.hello(1, listening.address())), offset, bytes, value));
            peer.awaitDisconnect();
        }
        assertNobodyIsAccepted();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wildHellos")
    void shouldGiveUpOnAnAcceptorWhoseHelloIsWild(String what, int offset, int bytes, long value) throws Exception {
        if (what.startsWith("somebody")) {
            return; // an acceptor's word on the initiator's address counts for nothing
        }
        InetSocketAddress at = RdmaNetwork.newAddress();
        try (HandPeer peer = HandPeer.listen(network, at)) {
            CompletableFuture<RdmaLink> connect = Traffic.start("connector", () -> network.connect(at));
            Hello said = peer.accept().awaitHello();
            peer.send(wild(HandPeer.encode(peer.hello(said.session(), at)), offset, bytes, value));
            assertThatThrownBy(() -> connect.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(IOException.class);
            peer.awaitDisconnect();
        }
    }

    @Test
    void shouldGiveUpOnAnAcceptorThatNeverSaysHello() throws Exception {
        InetSocketAddress at = RdmaNetwork.newAddress();
        RdmaNetwork impatient = new RdmaNetwork("handshake.millis=1000");
        try (HandPeer peer = HandPeer.listen(impatient, at)) {
            CompletableFuture<RdmaLink> connect = Traffic.start("connector", () -> impatient.connect(at));
            peer.accept();
            assertThatThrownBy(() -> connect.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(IOException.class);
            peer.awaitDisconnect();
        }
        impatient.close();
    }

    @Test
    void shouldGiveUpOnAnAcceptorThatTalksToSomebodyElse() throws Exception {
        InetSocketAddress at = RdmaNetwork.newAddress();
        try (HandPeer peer = HandPeer.listen(network, at)) {
            CompletableFuture<RdmaLink> connect = Traffic.start("connector", () -> network.connect(at));
            Hello said = peer.accept().awaitHello();
            peer.send(HandPeer.encode(peer.hello(~said.session(), at)));
            assertThatThrownBy(() -> connect.get(20, TimeUnit.SECONDS)).hasStackTraceContaining("another connection");
        }
    }

    @Test
    void shouldSayThatAnAcceptorHasAnotherVersion() throws Exception {
        InetSocketAddress at = RdmaNetwork.newAddress();
        try (HandPeer peer = HandPeer.listen(network, at)) {
            CompletableFuture<RdmaLink> connect = Traffic.start("connector", () -> network.connect(at));
            Hello said = peer.accept().awaitHello();
            peer.send(HandPeer.encode(peer.hello(said.session(), at)).putInt(MessageDescriptor.HELLO_REFUSAL,
                    Hello.REFUSED_VERSION));
            assertFails(connect, "speaks no version", Reason.VERSION);
        }
    }

    /** As a process does that speaks version 2 alone. */
    @Test
    void shouldSayThatAnAcceptorHangsUpAtHello() throws Exception {
        InetSocketAddress at = RdmaNetwork.newAddress();
        CompletableFuture<RdmaLink> connect;
        try (HandPeer peer = HandPeer.listen(network, at)) {
            connect = Traffic.start("connector", () -> network.connect(at));
            peer.accept().awaitHello();
        }
        assertFails(connect, "speaks an older version", Reason.PEER_GONE);
    }

    @Test
    void shouldRefuseAnInitiatorThatHasOlderVersionsAlone() throws Exception {
        try (HandPeer peer = HandPeer.connect(network, listening.address())) {
            ByteBuffer hello = HandPeer.encode(peer.hello(1, listening.address()));
            peer.send(hello.put(MessageDescriptor.HELLO_MIN_VERSION, (byte) 1)
                    .put(MessageDescriptor.HELLO_MAX_VERSION, (byte) 2));
            assertThat(peer.awaitHello().refusal()).isEqualTo(Hello.REFUSED_VERSION);
            peer.awaitDisconnect();
        }
        assertNobodyIsAccepted();
    }

    private static void assertFails(CompletableFuture<RdmaLink> connect, String text, Reason reason) {
        assertThatThrownBy(() -> connect.get(20, TimeUnit.SECONDS)).hasStackTraceContaining(text)
                .extracting(failure -> PathException.reasonOf((IOException) failure.getCause())).isEqualTo(reason);
    }

    private static ByteBuffer wild(ByteBuffer hello, int offset, int bytes, long value) {
        for (int i = 0; i < bytes; i++) {
            hello.put(offset + i, (byte) (value >> 8 * (bytes - 1 - i)));
        }
        return hello;
    }

    private void assertNobodyIsAccepted() {
        assertThat(listening.queue().poll()).isNull();
    }

    // ---- after HELLO

    static Stream<Arguments> attacks() {
        return Stream.of(
                attack("a count of bytes that nobody sent", peer -> peer.send(HandPeer.state(0, 1, 128, 0))),
                attack("a negative count of bytes", peer -> peer.send(HandPeer.state(0, -1, 128, 0))),
                attack("fewer receives than before", peer -> peer.send(HandPeer.state(0, 0, 127, 0))),
                attack("more receives than can be", peer -> peer.send(HandPeer.state(0, 0, 1 << 20, 0))),
                attack("a wildly negative count of receives", peer -> peer.send(HandPeer.state(0, 0, 1L << 63, 0))),
                attack("an end before the bytes", peer -> peer.send(HandPeer.state(FINISHED, 0, 128, 1))),
                attack("data behind the end", peer -> {
                    peer.send(HandPeer.state(FINISHED, 0, 128, 0));
                    peer.write(0, 1, immediate(0));
                }),
                attack("data behind a reset", peer -> {
                    peer.send(HandPeer.state(MessageDescriptor.RESET | MessageDescriptor.CLOSED, 0, 128, 0));
                    peer.write(0, 1, immediate(0));
                }),
                attack("a state cut short", peer -> peer.send(HandPeer.state(0, 0, 128, 0).limit(31))),
                attack("a message of no bytes", peer -> peer.send(ByteBuffer.allocate(0))),
                attack("a message of type 77", peer -> peer.send(ByteBuffer.allocate(32).put(0, (byte) 77))),
                attack("data messages of no bytes", peer -> peer.send(data(0))),
                attack("data messages of less than no bytes", peer -> peer.send(data(-1))),
                attack("data messages of the greatest length", peer -> peer.send(data(Integer.MAX_VALUE))),
                attack("data messages beyond the ring", peer -> peer.send(data(RING + 1))),
                attack("more data than fits, in pieces", peer -> {
                    for (int i = 0; i < 5; i++) {
                        peer.write(0, RING / 4, immediate(0));
                    }
                }),
                attack("immediates of no bytes", peer -> peer.write(0, 0, immediate(0))),
                attack("data that grants fewer receives than before",
                        peer -> peer.write(0, 1, DataImmediate.of(0, HandPeer.RECEIVES - DataImmediate.CREDIT_UNIT))),
                attack("data that grants more receives than can be", peer -> peer.write(0, 1,
                        DataImmediate.of(0, 2 * HandPeer.RECEIVES))),
                attack("data messages of no known kind", peer -> peer.send(data(1).putInt(4, 1))),
                attack("data messages that grant more receives than can be", peer -> peer.send(
                        data(1).putInt(4, DataImmediate.of(0, 2 * HandPeer.RECEIVES)))),
                attack("data for a connection that is not there", peer -> peer.write(0, 1, immediate(1))),
                attack("data for a connection of the greatest number",
                        peer -> peer.write(0, 1, immediate(DataImmediate.NUMBERS - 1))),
                attack("a state of a connection that is not there", peer -> peer.send(HandPeer.state(1, 0, 0, 128, 0))),
                attack("a state of a connection with a negative number",
                        peer -> peer.send(HandPeer.state(-1, 0, 0, 128, 0))),
                attack("a connect with a number in use", peer -> peer.send(HandPeer.encode(connect(peer, 0)))),
                attack("a connect with a number that cannot be",
                        peer -> peer.send(HandPeer.encode(connect(peer, DataImmediate.NUMBERS)))),
                attack("an answer that nobody waits for", peer -> peer.send(peer.accept(0, 0))),
                attack("an answer for a connection that is not there", peer -> peer.send(peer.accept(1, 0))),
                attack("a grant of more receives than can be", peer -> peer.send(grant(1 << 20))),
                attack("a move to a ring that is not there", peer -> peer.send(HandPeer.move(0))),
                attack("a ring larger than can be", peer -> peer.send(HandPeer.offer(
                        new RemoteRing(peer.ring().address(), 2 * RING, peer.ring().key())))),
                attack("a wish for a ring of no size", peer -> peer.send(HandPeer.more(0))),
                attack("a wish for a ring of a size that cannot be", peer -> peer.send(HandPeer.more(3 * RING))),
                attack("immediates of no known kind", peer -> peer.write(0, 1, 0xf000_0001)),
                attack("a second HELLO", peer -> peer.send(HandPeer.encode(peer.hello(1, RdmaNetwork.newAddress())))));
    }

    private static Arguments attack(String name, Attack attack) {
        return Arguments.of(name, attack);
    }

    private static ByteBuffer data(int length) {
        return ByteBuffer.allocate(MessageDescriptor.DATA_BYTES).put(0, MessageDescriptor.DATA)
                .putInt(MessageDescriptor.DATA_IMMEDIATE, immediate(0)).putInt(MessageDescriptor.DATA_LENGTH, length);
    }

    private static ByteBuffer grant(long receives) {
        return ByteBuffer.allocate(MessageDescriptor.GRANT_BYTES).put(0, MessageDescriptor.GRANT)
                .putLong(MessageDescriptor.GRANT_RECEIVES, receives);
    }

    private static Connect connect(HandPeer peer, int number) {
        return new Connect(number, peer.ring(), peer.address(778), RdmaNetwork.newAddress());
    }

    private static int immediate(int number) {
        return DataImmediate.of(number, HandPeer.RECEIVES);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("attacks")
    void shouldResetAConnectionWhosePeerBreaksTheRules(String what, Attack attack) throws Exception {
        try (HandPeer peer = HandPeer.connect(network, listening.address())) {
            peer.greet(listening.address());
            RdmaLink link = listening.accept();
            CompletableFuture<Boolean> woken = Traffic.start("waiter", () -> awaitFailure(link));
            attack.run(peer);
            assertThat(woken.get(30, TimeUnit.SECONDS)).as("woken by the failure").isTrue();
            assertThat(link.connection().failure()).isInstanceOf(ProtocolException.class);
            assertThatThrownBy(() -> link.send(ByteBuffer.allocate(1))).hasMessage("Broken pipe");
            link.close(false);
            peer.awaitDisconnect();
        }
    }

    @Test
    void shouldBeAtThePortThatIsListenedOnWhateverThePeerClaims() throws Exception {
        try (HandPeer peer = HandPeer.connect(network, listening.address())) {
            peer.greet(new InetSocketAddress(listening.address().getAddress(), 1));
            RdmaLink link = listening.accept();
            assertThat(link.localAddress()).isEqualTo(listening.address());
            link.close(true);
        }
    }

    /** Waits without reading, so that an attack finds the ring as it is. */
    private static boolean awaitFailure(RdmaLink link) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (link.connection().failure() == null && System.nanoTime() - deadline < 0) {
            link.await(OP_READ, deadline);
        }
        return link.connection().failure() != null;
    }

    @Test
    void shouldResetAConnectionWhosePeerGaveAnotherKey() throws Exception {
        try (HandPeer peer = HandPeer.connect(network, listening.address())) {
            ByteBuffer hello = HandPeer.encode(peer.hello(1, listening.address()));
            peer.send(hello.putInt(MessageDescriptor.HELLO_RING_ADDRESS + 12, 0x0bad_0bad));
            peer.awaitHello();
            RdmaLink link = listening.accept();
            link.send(ByteBuffer.allocate(1));
            Eventually.until("the link fails", () -> link.connection().failure() != null);
            assertThat(link.connection().failure()).hasMessageContaining("remote access error");
            assertThatThrownBy(() -> link.receive(ByteBuffer.allocate(1))).hasMessage("Connection reset");
            link.close(false);
        }
    }

    /** A peer that grants nothing gets nothing but its first receives' worth; nothing is sent into the void. */
    @Test
    void shouldSendNoMoreThanThePeerHasGranted() throws Exception {
        try (HandPeer peer = HandPeer.connect(network, listening.address())) {
            peer.greet(listening.address());
            RdmaLink link = listening.accept();
            for (int i = 0; i < 4 * HandPeer.RECEIVES; i++) {
                link.send(ByteBuffer.allocate(1));
            }
            assertThat(link.connection().failure()).isNull();
            link.close(true);
        }
    }

    /** Nothing comes, and looks are seldom: a send queue that stalls has to wake the completion thread. */
    @Test
    void shouldWakeTheCompletionThreadWhenASendQueueStalls() throws Exception {
        try (HandPeer peer = HandPeer.connect(network, listening.address())) {
            peer.greet(listening.address());
            RdmaLink link = listening.accept();
            Stalls stalls = link.connection().session().poller().stalls();
            for (int i = 0; i < 2; i++) { // after the first one that thread waits for events alone
                Eventually.until("no stall is known", stalls::mayPollSeldom);
                stalls.begin();
                Eventually.until("the completion thread has the queue armed", () -> !stalls.areUnattended());
                stalls.end();
            }
            assertThat(link.connection().failure()).isNull();
            link.close(true);
        }
    }
}
