/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.direct.OwnAdverts;
import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.Streams;
import io.rsockets4j.core.log.LogCapture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads into whose buffers the peer writes straight: in order, once, and never after they have ended. */
@Timeout(60)
class RdmaDirectTest {
    private static final int RING = HandPeer.RING_BYTES;

    private final RdmaNetwork network = new RdmaNetwork("ring.bytes=" + RING, "direct.min.bytes=1");
    private final LogCapture log = LogCapture.of(RdmaFabric.class);

    @AfterEach
    void close() {
        log.close();
        network.close();
    }

    static ByteBuffer bytes(int length, int first) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(length);
        for (int i = 0; i < length; i++) {
            buffer.put((byte) (first + i));
        }
        return buffer.flip();
    }

    static ByteBuffer offer(Link link, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(length);
        assertThat(link.receive(buffer)).isZero();
        link.offer(buffer, false);
        return buffer;
    }

    static void awaitAdvert(RdmaLink at) throws Exception {
        Eventually.until("the advert comes", () -> {
            at.isReady(OP_READ);
            return at.connection().out().isAdvertised();
        });
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 5000", "5000, 1", "5000, 5000", "8192, 8192", "20000, 8192", "300000, 300000"})
    void shouldWriteStraightIntoABufferThatWaits(int room, int length) throws Exception {
        RdmaNetwork.Links links = network.links();
        long pinned = network.far.pinned();
        long pinnedNear = network.near.pinned();
        ByteBuffer buffer = offer(links.far(), room);
        assertThat(network.far.pinned()).isEqualTo(pinned + room);
        awaitAdvert(links.near());
        Streams.write(links.near(), bytes(length, 3));
        assertThat(network.near.pinned()).isEqualTo(pinnedNear);
        assertThat(Streams.readSome(links.far(), buffer)).isEqualTo(Math.min(room, length));
        assertThat(network.far.pinned()).isEqualTo(pinned);
        assertThat(buffer.flip()).isEqualTo(bytes(Math.min(room, length), 3));
        assertThat(links.far().directBytesReceived()).isEqualTo(Math.min(room, length));
        assertThat(links.near().directBytesSent()).isEqualTo(Math.min(room, length));
        if (length > room) {
            assertThat(Streams.read(links.far(), ByteBuffer.allocate(length - room)))
                    .isEqualTo(bytes(length - room, 3 + room));
        }
    }

    @Test
    void shouldCountWhatGoesThroughTheNetwork() throws Exception {
        RdmaNetwork.Links links = network.links();
        long near = links.near().messagesSent();
        long far = links.far().messagesSent();
        Streams.write(links.near(), bytes(10, 1));
        assertThat(Streams.read(links.far(), ByteBuffer.allocate(10))).isEqualTo(bytes(10, 1));
        assertThat(links.near().messagesSent()).isEqualTo(near + 1);
        assertThat(links.far().messagesSent()).isEqualTo(far);
        ByteBuffer buffer = offer(links.far(), 10);
        awaitAdvert(links.near());
        assertThat(links.far().messagesSent()).isEqualTo(far + 1);
        Streams.write(links.near(), bytes(10, 1));
        assertThat(Streams.readSome(links.far(), buffer)).isEqualTo(10);
        assertThat(links.near().messagesSent()).isEqualTo(near + 2);
    }

    @Test
    void shouldGoByTheRingWhenBytesCrossTheAdvert() throws Exception {
        RdmaNetwork.Links links = network.links();
        network.network.pause(true);
        Streams.writeByte(links.near(), 7);
        ByteBuffer buffer = offer(links.far(), 100);
        network.network.pause(false);
        assertThat(Streams.readSome(links.far(), buffer)).isEqualTo(1);
        assertThat(buffer.get(0)).isEqualTo((byte) 7);
        Eventually.until("the stale advert comes", links.near().connection().out()::isAdvertised);
        Streams.write(links.near(), bytes(10, 1));
        assertThat(Streams.read(links.far(), ByteBuffer.allocateDirect(10))).isEqualTo(bytes(10, 1));
        assertThat(links.far().directBytesReceived()).isZero();
        assertThat(network.network.violations()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"1, true", "2, true", "3, false", "4, true", "5, false", "6, true"})
    void shouldKeepTheOrderHoweverTheNetworkDelays(long seed, boolean immediate) throws Exception {
        RdmaNetwork net = new RdmaNetwork("ring.bytes=" + RING, "direct.min.bytes=1", "rdma.immediate=" + immediate);
        net.network.delay(seed, 0, TimeUnit.MICROSECONDS.toNanos(20 << seed));
        RdmaNetwork.Links links = net.links();
        int bytes = 40 * RING;
        int piece = 64 << 2 * (int) (seed % 5);
        Traffic.join(List.of(Traffic.sending(links.near(), bytes, piece, 1),
                Traffic.receiving(links.far(), bytes, 3 * RING, 1),
                Traffic.sending(links.far(), bytes, 2 * RING, 2),
                Traffic.receiving(links.near(), bytes, piece, 2)));
        assertThat(links.far().directBytesReceived() + links.near().directBytesReceived()).isPositive();
        assertThat(net.network.violations()).isEmpty();
        net.close();
    }

    @Test
    void shouldTakeABufferBackFromAPeerThatHasNotUsedIt() throws Exception {
        RdmaNetwork.Links links = network.links();
        long pinned = network.far.pinned();
        ByteBuffer buffer = offer(links.far(), 100);
        awaitAdvert(links.near());
        assertThat(links.far().takeBack()).isZero();
        assertThat(network.far.pinned()).isEqualTo(pinned);
        assertThat(links.near().connection().out().isAdvertised()).isFalse();
        Streams.write(links.near(), bytes(10, 1));
        assertThat(Streams.read(links.far(), ByteBuffer.allocate(10))).isEqualTo(bytes(10, 1));
        assertThat(buffer).isEqualTo(ByteBuffer.allocate(100));
        assertThat(network.network.violations()).isEmpty();
    }

    @Test
    void shouldGoByTheRingWhereNothingMayBePinnedAndSaySoOnce() throws Exception {
        RdmaNetwork.Links links = network.links();
        RdmaNetwork.Links others = network.links();
        network.far.pinnable(0);
        long before = System.nanoTime();
        assertThat(isOfferedStraight(links, 100)).isFalse();
        assertThat(isOfferedStraight(others, 200)).isFalse();
        assertThat(log.lines()).singleElement(InstanceOfAssertFactories.STRING)
                .startsWith("WARNING rsockets4j: reads go by the ring, not straight into the program's buffers:"
                        + " cannot pin 100 bytes for RDMA: the limit on locked memory");
        network.far.pinnable(Long.MAX_VALUE);
        Eventually.until("buffers are tried again", () -> isOfferedStraight(links, 100));
        assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(Refusal.NANOS);
    }

    /** Reads a few bytes, never around a ring's end, with a buffer for more. Returns whether that was registered. */
    private static boolean isOfferedStraight(RdmaNetwork.Links links, int room) throws Exception {
        ByteBuffer buffer = offer(links.far(), room);
        boolean straight = links.far().connection().session().memory().lentBytes() == room;
        Streams.write(links.near(), bytes(16, 1));
        assertThat(Streams.readSome(links.far(), buffer)).isEqualTo(16);
        assertThat(buffer.flip()).isEqualTo(bytes(16, 1));
        return straight;
    }

    @Test
    void shouldRegisterNothingOnceTheSessionHasEnded() throws Exception {
        SessionMemory memory = network.links().far().connection().session().memory();
        memory.close();
        assertThat(memory.lend(bytes(10, 1), true)).isNull();
        assertThat(memory.lentBytes()).isZero();
    }

    @Test
    void shouldEndWithTheStream() throws Exception {
        RdmaNetwork.Links links = network.links();
        long pinned = network.far.pinned();
        ByteBuffer buffer = offer(links.far(), 100);
        awaitAdvert(links.near());
        links.near().shutdownOutput();
        assertThat(Streams.readSome(links.far(), buffer)).isEqualTo(Link.EOF);
        assertThat(network.far.pinned()).isEqualTo(pinned);
    }

    @Test
    void shouldLetGoOfTheBufferInAClose() throws Exception {
        RdmaNetwork.Links links = network.links();
        long pinned = network.far.pinned();
        offer(links.far(), 100);
        awaitAdvert(links.near());
        links.far().beginClose();
        links.far().close(false);
        assertThat(network.far.pinned()).isEqualTo(pinned);
        assertThat(network.network.violations()).isEmpty();
    }

    // ---- writes straight from the program's buffer

    /** A write of so many bytes that has begun while the network stands still, into a buffer that waits for more. */
    private ByteBuffer lend(RdmaNetwork.Links links, int length) throws Exception {
        awaitAdvert(links.near());
        network.network.pause(true);
        long pinned = network.near.pinned();
        ByteBuffer source = bytes(length, 5);
        links.near().lend(source, null);
        assertThat(network.near.pinned()).isEqualTo(pinned + length);
        assertThat(links.near().send(source)).isZero();
        assertThat(links.near().isReady(OP_WRITE)).isFalse();
        return source;
    }

    @Test
    void shouldKeepTheBufferUntilThePeersDeviceHasAll() throws Exception {
        RdmaNetwork.Links links = network.links();
        ByteBuffer buffer = offer(links.far(), 200_000);
        ByteBuffer source = lend(links, 150_000);
        network.network.pause(false);
        Streams.write(links.near(), source);
        assertThat(source.hasRemaining()).isFalse();
        assertThat(Streams.readSome(links.far(), buffer)).isEqualTo(150_000);
        assertThat(buffer.flip()).isEqualTo(bytes(150_000, 5));
        assertThat(links.near().directBytesSent()).isEqualTo(150_000);
        assertThat(network.network.violations()).isEmpty();
    }

    /** However small the ring is that nothing is written to. */
    @Test
    void shouldSendWhatIsLentInLargePieces() throws Exception {
        RdmaNetwork.Links links = network.links();
        int length = 4 * SendSide.MAX_CHUNK_BYTES;
        ByteBuffer buffer = offer(links.far(), length);
        awaitAdvert(links.near());
        long messages = links.near().messagesSent();
        ByteBuffer source = bytes(length, 5);
        links.near().lend(source, null);
        Streams.write(links.near(), source);
        assertThat(links.near().messagesSent() - messages).isEqualTo(4);
        assertThat(Streams.readSome(links.far(), buffer)).isEqualTo(length);
        assertThat(buffer.flip()).isEqualTo(bytes(length, 5));
    }

    @Test
    void shouldWaitInAReclaimForWhatIsUnderWay() throws Exception {
        RdmaNetwork.Links links = network.links();
        assertThat(endUnderWay(links, links.near()::reclaim)).isEqualTo(60);
        Streams.write(links.near(), bytes(10, 1));
        assertThat(Streams.read(links.far(), ByteBuffer.allocate(10))).isEqualTo(bytes(10, 1));
    }

    @Test
    void shouldLetGoOfTheBufferOfAWriteInAClose() throws Exception {
        RdmaNetwork.Links links = network.links();
        endUnderWay(links, () -> {
            links.near().beginClose();
            links.near().close(false);
            return null;
        });
        assertThat(network.network.violations()).isEmpty();
    }

    /** Ends a write of 60 bytes that is under way; they arrive all the same, and its buffer is free. */
    private <T> T endUnderWay(RdmaNetwork.Links links, Callable<T> end) throws Exception {
        long pinned = network.near.pinned();
        ByteBuffer buffer = offer(links.far(), 100);
        lend(links, 60);
        CompletableFuture<T> ended = Traffic.start("ender", end);
        network.network.pause(false);
        T result = ended.get(20, TimeUnit.SECONDS);
        assertThat(network.near.pinned()).isEqualTo(pinned);
        assertThat(Streams.readSome(links.far(), buffer)).isEqualTo(60);
        return result;
    }

    @Test
    void shouldTakeTheBufferFromADeviceThatDoesNotFinish() throws Exception {
        RdmaNetwork.Links links = network.links();
        long pinned = network.near.pinned();
        offer(links.far(), 100);
        ByteBuffer source = lend(links, 60);
        links.near().reclaim();
        assertThat(network.near.pinned()).isLessThan(pinned + 60);
        assertThat(links.near().connection().failure()).isNotNull();
        assertThatThrownBy(() -> links.near().send(source)).hasMessage("Broken pipe");
        network.network.pause(false);
    }

    @Test
    void shouldFinishAWriteWhosePeerTakesItsBufferBack() throws Exception {
        RdmaNetwork.Links links = network.links();
        offer(links.far(), 100);
        ByteBuffer source = lend(links, 60);
        CompletableFuture<Integer> back = Traffic.start("taker", links.far()::takeBack);
        network.network.pause(false);
        Streams.write(links.near(), source);
        assertThat(back.get(20, TimeUnit.SECONDS)).isEqualTo(60);
        assertThat(network.network.violations()).isEmpty();
    }

    @Test
    void shouldFailAWriteWhosePeerRefusesIt() throws Exception {
        RdmaNetwork.Links links = network.links();
        offer(links.far(), 100);
        ByteBuffer source = lend(links, 60);
        links.far().takeBack(); // in vain: its device refuses what comes now
        network.network.pause(false);
        assertThatThrownBy(() -> Streams.write(links.near(), source)).hasMessage("Broken pipe");
        assertThat(links.near().reclaim()).isZero();
    }

    @Test
    void shouldSendByTheRingWhereNothingMayBePinnedAndSaySoOnce() throws Exception {
        RdmaNetwork.Links links = network.links();
        RdmaNetwork.Links others = network.links();
        network.near.pinnable(0);
        long before = System.nanoTime();
        assertThat(isLentStraight(links, 16)).isFalse();
        assertThat(isLentStraight(others, 32)).isFalse();
        assertThat(log.lines()).singleElement(InstanceOfAssertFactories.STRING)
                .startsWith("WARNING rsockets4j: writes go by a ring, not straight from the program's buffers:"
                        + " cannot pin 16 bytes for RDMA: the limit on locked memory");
        network.near.pinnable(Long.MAX_VALUE);
        Eventually.until("buffers are tried again", () -> isLentStraight(links, 16));
        assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(Refusal.NANOS);
    }

    /** Writes bytes to a buffer that waits for more. Returns whether they were sent from where they were. */
    private static boolean isLentStraight(RdmaNetwork.Links links, int length) throws Exception {
        ByteBuffer buffer = offer(links.far(), 100);
        if (links.far().connection().in().advertised() > 0) { // less often where the peer uses none
            awaitAdvert(links.near());
        }
        ByteBuffer source = bytes(length, 1);
        links.near().lend(source, null);
        boolean straight = links.near().connection().session().memory().lentBytes() == length;
        Streams.write(links.near(), source);
        assertThat(Streams.readSome(links.far(), buffer)).isEqualTo(length);
        assertThat(buffer.flip()).isEqualTo(bytes(length, 1));
        return straight;
    }

    // ---- a peer made by hand

    /** A connection whose other end is made by hand, and what it was told of a buffer. */
    private record Hand(HandPeer peer, RdmaLink link, ByteBuffer buffer, RemoteRing advert) {
        void write(int offset, int length, int flags) throws IOException {
            peer.write(advert, offset, length, DataImmediate.of(0, HandPeer.RECEIVES) | flags);
        }

        void withdrawn() throws IOException {
            peer.send(ByteBuffer.allocate(MessageDescriptor.WITHDRAW_BYTES).put(0, MessageDescriptor.WITHDRAWN));
        }
    }

    private Hand hand(HandPeer peer, RdmaNetwork.Listening listening) throws Exception {
        peer.greet(listening.address());
        RdmaLink link = listening.accept();
        ByteBuffer buffer = offer(link, 100);
        ByteBuffer message = peer.awaitMessage();
        assertThat(message.get(0)).isEqualTo(MessageDescriptor.ADVERT);
        return new Hand(peer, link, buffer, new RemoteRing(message.getLong(MessageDescriptor.ADVERT_ADDRESS),
                message.getInt(MessageDescriptor.ADVERT_LENGTH), message.getInt(MessageDescriptor.ADVERT_KEY)));
    }

    @Test
    void shouldWaitForTheRestOfAWriteThatIsUnderWay() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        try (HandPeer peer = HandPeer.connect(network, listening.address())) {
            Hand hand = hand(peer, listening);
            hand.write(0, 30, DataImmediate.DIRECT);
            CompletableFuture<Integer> back = Traffic.start("taker", hand.link()::takeBack);
            assertThat(peer.awaitMessage().get(0)).isEqualTo(MessageDescriptor.WITHDRAW);
            hand.write(30, 20, DataImmediate.DIRECT | DataImmediate.LAST);
            hand.withdrawn();
            assertThat(back.get(20, TimeUnit.SECONDS)).isEqualTo(50);
            assertThat(hand.link().connection().failure()).isNull();
            hand.link().close(true);
        }
    }

    @Test
    void shouldLetNothingLandOnceABufferIsTakenBackFromAPeerThatDoesNotAnswer() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        try (HandPeer peer = HandPeer.connect(network, listening.address())) {
            Hand hand = hand(peer, listening);
            assertThat(hand.link().takeBack()).isZero();
            ByteBuffer before = ByteBuffer.allocate(100).put(0, hand.buffer(), 0, 100);
            hand.write(0, 100, DataImmediate.DIRECT | DataImmediate.LAST);
            Eventually.until("the device refuses", () -> !network.network.violations().isEmpty());
            assertThat(hand.buffer().clear()).isEqualTo(before);
            hand.link().close(true);
        }
    }

    @Test
    void shouldTellAnOlderPeerOfNoBuffer() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        try (HandPeer peer = HandPeer.connect(network, listening.address())) {
            ByteBuffer hello = HandPeer.encode(peer.hello(1, listening.address()));
            peer.send(hello.put(MessageDescriptor.HELLO_FEATURES, (byte) MessageDescriptor.HAS_IMMEDIATE));
            peer.awaitHello();
            RdmaLink link = listening.accept();
            long pinned = network.far.pinned();
            ByteBuffer buffer = offer(link, 100);
            assertThat(network.far.pinned()).isEqualTo(pinned);
            peer.write(0, 10, DataImmediate.of(0, HandPeer.RECEIVES));
            assertThat(Streams.readSome(link, buffer)).isEqualTo(10);
            link.close(true);
        }
    }

    /** What a peer does that was told of a buffer. */
    interface Attack {
        void run(Hand hand) throws IOException;
    }

    private static Arguments attack(String name, Attack attack) {
        return Arguments.of(name, attack);
    }

    private static ByteBuffer advert(long sequence, long address, int length) {
        return advert(sequence, address, length, 0);
    }

    private static ByteBuffer advert(long sequence, long address, int length, long ringBytes) {
        return ByteBuffer.allocate(MessageDescriptor.ADVERT_BYTES).put(0, MessageDescriptor.ADVERT)
                .putLong(MessageDescriptor.ADVERT_BYTES_READ, sequence)
                .putLong(MessageDescriptor.ADVERT_RECEIVES, HandPeer.RECEIVES)
                .putLong(MessageDescriptor.ADVERT_ADDRESS, address).putInt(MessageDescriptor.ADVERT_LENGTH, length)
                .putLong(MessageDescriptor.ADVERT_RING_BYTES, ringBytes);
    }

    static Stream<Arguments> attacks() {
        int last = DataImmediate.DIRECT | DataImmediate.LAST;
        return Stream.of(
                attack("writes past the buffer", hand -> hand.write(90, 20, last)),
                attack("claims more than the buffer takes, in pieces", hand -> {
                    hand.write(0, 60, DataImmediate.DIRECT);
                    hand.write(0, 60, last);
                }),
                attack("writes to the ring in the middle of a direct write", hand -> {
                    hand.write(0, 60, DataImmediate.DIRECT);
                    hand.peer().write(0, 10, DataImmediate.of(0, HandPeer.RECEIVES));
                }),
                attack("uses the buffer after bytes that went by the ring", hand -> {
                    hand.peer().write(0, 10, DataImmediate.of(0, HandPeer.RECEIVES));
                    hand.write(0, 60, last);
                }),
                attack("uses the buffer twice", hand -> {
                    hand.write(0, 10, last);
                    hand.write(10, 10, last);
                }),
                attack("confirms what nobody asked for", Hand::withdrawn),
                attack("advertises for a byte that was not sent", hand -> hand.peer().send(advert(1, 4096, 100))),
                attack("advertises for a negative byte", hand -> hand.peer().send(advert(-1, 4096, 100))),
                attack("advertises no bytes", hand -> hand.peer().send(advert(0, 4096, 0))),
                attack("advertises address 0", hand -> hand.peer().send(advert(0, 0, 100))),
                attack("advertises the end of all memory",
                        hand -> hand.peer().send(advert(0, Long.MAX_VALUE - 10, 100))),
                attack("says that bytes came by the ring which were not sent",
                        hand -> hand.peer().send(advert(0, 4096, 100, 1))),
                attack("says that a negative number of bytes came by the ring",
                        hand -> hand.peer().send(advert(0, 4096, 100, -1))),
                attack("advertises too much", hand -> {
                    for (int i = 0; i <= OwnAdverts.MAX; i++) {
                        hand.peer().send(advert(0, 4096, 100));
                    }
                }),
                attack("withdraws for a connection that is not there", hand -> hand.peer().send(ByteBuffer
                        .allocate(MessageDescriptor.WITHDRAW_BYTES).put(0, MessageDescriptor.WITHDRAW)
                        .putInt(MessageDescriptor.NUMBER, 9))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("attacks")
    void shouldResetAConnectionWhosePeerBreaksTheRules(String what, Attack attack) throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        RdmaLink nearBystander = network.connect(listening.address());
        RdmaLink farBystander = listening.accept();
        try (HandPeer peer = HandPeer.connect(network, listening.address())) {
            Hand hand = hand(peer, listening);
            attack.run(hand);
            Eventually.until("the connection fails", () -> {
                hand.link().isReady(OP_READ);
                return hand.link().connection().failure() != null;
            });
            hand.link().takeBack();
            assertThatThrownBy(() -> hand.link().send(ByteBuffer.allocate(1))).hasMessage("Broken pipe");
            hand.link().close(false);
        }
        Streams.write(nearBystander, bytes(10, 1));
        assertThat(Streams.read(farBystander, ByteBuffer.allocate(10))).isEqualTo(bytes(10, 1));
        Streams.write(farBystander, bytes(10, 2));
        assertThat(Streams.read(nearBystander, ByteBuffer.allocate(10))).isEqualTo(bytes(10, 2));
    }
}
