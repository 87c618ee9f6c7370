/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static io.rsockets4j.core.shm.HandInitiator.isClosedByPeer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.fabric.Streams;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an endpoint does with peers that begin a session wrongly. Whatever that is, it goes on serving others. */
class AcceptorHandshakeTest {
    @TempDir
    private Path directory;
    private Fabrics.Listening listening;
    private HandInitiator hand;

    @BeforeEach
    void listen() throws IOException {
        listening = Fabrics.listen(Fabrics.open(directory, "handshake.millis=1500"));
        hand = HandInitiator.dial(directory);
    }

    @AfterEach
    void endpointServesOthers() throws Exception {
        hand.close();
        ShmLink client = Fabrics.connect(Fabrics.open(directory), listening.address());
        ShmLink server = listening.accept();
        Streams.writeByte(client, 42);
        assertThat(Streams.readByte(server)).isEqualTo(42);
        client.close(false);
        server.close(false);
        listening.queue().close();
    }

    @Test
    void shouldServeAPeerThatDoesEverythingRight() throws Exception {
        hand.establish();
        ByteBuffer control = hand.connect(listening.address());
        ShmLink server = listening.accept();
        int capacity = hand.slots.ringBytes();
        ShmSendRing out = new ShmSendRing(RingPair.control(control, 0), hand.slots.ring(0, 0, capacity),
                () -> false);
        out.write(ByteBuffer.wrap(new byte[] {7}));
        hand.ringSlot(0);
        assertThat(Streams.readByte(server)).isEqualTo(7);
        Streams.writeByte(server, 8);
        ByteBuffer dst = ByteBuffer.allocate(1);
        assertThat(new ShmReceiveRing(RingPair.control(control, 1), hand.slots.ring(0, 1, capacity)).read(dst))
                .isEqualTo(1);
        assertThat(dst.get(0)).isEqualTo((byte) 8);
        server.close(false);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 5, 20})
    void shouldNotWaitForEverForAHello(int bytesSent) throws IOException {
        hand.send(Frame.hello(hand.hello()).limit(bytesSent));
        assertThat(isClosedByPeer(hand.control)).isTrue();
    }

    @Test
    void shouldTakeAHelloByteByByte() throws IOException {
        ByteBuffer frame = Frame.hello(hand.hello());
        for (int i = 0; i < frame.limit(); i++) {
            hand.send(frame.slice(i, 1));
        }
        assertThat(HandInitiator.read(hand.control).get()).isEqualTo((byte) Frame.WELCOME);
    }

    @Test
    void shouldNotWaitForEverForLanes() throws IOException {
        hand.greet();
        hand.openLane(0);
        hand.openLane(3);
        assertThat(isClosedByPeer(hand.control)).isTrue();
        assertThat(isClosedByPeer(hand.lanes[3])).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"2, 65535, versions 2 to 65535 do not include 1", "0, 0, versions 0 to 0 do not include 1"})
    void shouldRefuseVersionsItDoesNotSpeak(int min, int max, String reason) throws IOException {
        Frame.Hello good = hand.hello();
        assertRefused(new Frame.Hello(min, max, 0, good.session(), good.namespace(), good.ringBytes(),
                good.sharedName(), good.slotsName()), reason);
    }

    @Test
    void shouldTakeWhoeverAlsoSpeaksItsVersionAndKnowsMoreFeatures() throws IOException {
        Frame.Hello good = hand.hello();
        hand.send(Frame.hello(new Frame.Hello(0, 9, -1, good.session(), good.namespace(), good.ringBytes(),
                good.sharedName(), good.slotsName())));
        assertThat(HandInitiator.read(hand.control).get()).isEqualTo((byte) Frame.WELCOME);
    }

    @Test
    void shouldRefuseAnotherNetworkNamespace() throws IOException {
        Frame.Hello good = hand.hello();
        assertRefused(new Frame.Hello(1, 1, 0, good.session(), 12, good.ringBytes(), good.sharedName(),
                good.slotsName()), "network namespace 12 is not " + good.namespace());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 1, 4096, 12_288, 1 << 29, Integer.MIN_VALUE})
    void shouldRefuseImpossibleRings(int ringBytes) throws IOException {
        Frame.Hello good = hand.hello();
        assertRefused(new Frame.Hello(1, 1, 0, good.session(), good.namespace(), ringBytes, good.sharedName(),
                good.slotsName()), "rings of " + ringBytes + " bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x.shared", "../0123456789abcdef0123456789abcdef.shared",
        "a/0123456789abcdef0123456789abcdef.shared", "/0123456789abcdef0123456789abcdef.shared",
        "0123456789ABCDEF0123456789ABCDEF.shared", "0123456789abcdef0123456789abcdef.endpoint",
        "0123456789abcdef0123456789abcdef.shared\n"})
    void shouldRefuseImpossibleNames(String name) throws IOException {
        Frame.Hello good = hand.hello();
        hand.send(Frame.hello(new Frame.Hello(1, 1, 0, good.session(), good.namespace(), good.ringBytes(), name,
                good.slotsName())));
        assertRefusal("impossible file names");
        hand.close();
        hand = HandInitiator.dial(directory);
        assertRefused(new Frame.Hello(1, 1, 0, good.session(), good.namespace(), good.ringBytes(),
                hand.hello().sharedName(), name), "impossible file names");
    }

    @Test
    void shouldRefuseMissingFiles() throws IOException {
        Files.delete(hand.sharedPath);
        assertRefused(hand.hello(), hand.sharedPath.toString());
    }

    @Test
    void shouldRefuseAMissingSlotFileAndLeaveTheOtherFileAlone() throws IOException {
        Files.delete(hand.slotsPath);
        assertRefused(hand.hello(), hand.slotsPath.toString());
        assertThat(Files.size(hand.sharedPath)).as("the peer has it mapped").isEqualTo(SessionDescriptor.FILE_BYTES);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 1, -SessionDescriptor.FILE_BYTES})
    void shouldRefuseAFileOfTheWrongSize(long difference) throws IOException {
        Path path = hand.rendezvous.newPath(".shared");
        Files.write(path, new byte[(int) (SessionDescriptor.FILE_BYTES + difference)]);
        Frame.Hello good = hand.hello();
        assertRefused(new Frame.Hello(1, 1, 0, good.session(), good.namespace(), good.ringBytes(),
                path.getFileName().toString(), good.slotsName()), "expected " + SessionDescriptor.FILE_BYTES);
    }

    @Test
    void shouldRefuseASlotFileOfOtherRings() throws IOException {
        Frame.Hello good = hand.hello();
        assertRefused(new Frame.Hello(1, 1, 0, good.session(), good.namespace(), 2 * good.ringBytes(),
                good.sharedName(), good.slotsName()), "expected " + SlotDescriptor.fileBytes(64, 2 * good.ringBytes()));
    }

    @Test
    void shouldRefuseASymbolicLinkAndLeaveItsTargetAlone() throws IOException {
        Path target = directory.resolve("valuable");
        Files.write(target, new byte[SessionDescriptor.FILE_BYTES]);
        Path link = Files.createSymbolicLink(hand.rendezvous.newPath(".shared"), target);
        Frame.Hello good = hand.hello();
        assertRefused(new Frame.Hello(1, 1, 0, good.session(), good.namespace(), good.ringBytes(),
                link.getFileName().toString(), good.slotsName()), link + " is not a regular file");
        assertThat(Files.size(target)).isEqualTo(SessionDescriptor.FILE_BYTES);
    }

    @Test
    void shouldRefuseADirectory() throws IOException {
        Path path = Files.createDirectory(hand.rendezvous.newPath(".shared"));
        Frame.Hello good = hand.hello();
        assertRefused(new Frame.Hello(1, 1, 0, good.session(), good.namespace(), good.ringBytes(),
                path.getFileName().toString(), good.slotsName()), path + " is not a regular file");
    }

    @Test
    void shouldRefuseASecondSessionOfTheSameId() throws IOException {
        hand.greet();
        try (HandInitiator second = HandInitiator.dial(directory)) {
            Frame.Hello other = second.hello();
            second.send(Frame.hello(new Frame.Hello(1, 1, 0, hand.id, other.namespace(), other.ringBytes(),
                    other.sharedName(), other.slotsName())));
            ByteBuffer answer = HandInitiator.read(second.control);
            assertThat(answer.get()).isEqualTo((byte) Frame.REFUSED);
            assertThat(Frame.getText(answer)).isEqualTo("session " + hand.id + " exists");
        }
        for (int lane = 0; lane < SessionDescriptor.LANES; lane++) {
            hand.openLane(lane);
        }
        hand.awaitReady();
    }

    @Test
    void shouldRefuseAForeignProtocol() throws IOException {
        ByteBuffer frame = Frame.hello(hand.hello());
        hand.send(frame.put(5, (byte) 'X'));
        assertRefusal("is not that of rsockets4j");
    }

    @Test
    void shouldRefuseAHelloThatEndsTooEarly() throws IOException {
        ByteBuffer frame = Frame.hello(hand.hello());
        hand.send(frame.putInt(0, frame.limit() - 5).limit(frame.limit() - 1));
        assertRefusal("is longer than its frame");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, Frame.WELCOME, Frame.REFUSED, Frame.READY, Frame.SLOTS, Frame.SLOTS_MAPPED, 99, 255})
    void shouldCloseOnAFrameThatIsNoGreeting(int type) throws IOException {
        ByteBuffer frame = Frame.hello(hand.hello());
        hand.send(frame.put(4, (byte) type));
        assertThat(isClosedByPeer(hand.control)).isTrue();
    }

    @Test
    void shouldCloseOnARequestOfAnotherProtocol() throws IOException {
        hand.send(ByteBuffer.wrap("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
        assertThat(isClosedByPeer(hand.control)).isTrue();
    }

    @Test
    void shouldSurviveRandomGreetings() throws IOException {
        SplittableRandom seeds = new SplittableRandom();
        for (int round = 0; round < 200; round++) {
            long seed = seeds.nextLong();
            SplittableRandom random = new SplittableRandom(seed);
            ByteBuffer frame = random.nextBoolean() ? Frame.hello(hand.hello())
                    : Frame.lane(new Frame.LaneHello(hand.id, random.nextInt(256)));
            int offset = 4 + random.nextInt(frame.limit() - 4);
            frame.put(offset, (byte) (frame.get(offset) ^ 1 << random.nextInt(8)));
            try (SocketChannel channel = hand.dial()) {
                channel.write(frame);
                channel.shutdownOutput();
                assertThat(isClosedByPeer(channel)).as("seed %d", seed).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7, 8, 200, 255})
    void shouldCloseALaneOfAnUnknownSession(int index) throws IOException {
        try (SocketChannel lane = hand.sendLane(UUID.randomUUID(), index)) {
            assertThat(isClosedByPeer(lane)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 200, 255})
    void shouldCloseALaneThatIsNotThereAndGoOn(int index) throws IOException {
        hand.greet();
        try (SocketChannel lane = hand.sendLane(hand.id, index)) {
            assertThat(isClosedByPeer(lane)).isTrue();
        }
        openLanesFrom(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5})
    void shouldCloseALaneThatIsThereAlreadyAndGoOn(int index) throws IOException {
        hand.greet();
        for (int lane = 0; lane <= index; lane++) {
            hand.openLane(lane);
        }
        awaitLanesTaken();
        assertDuplicateIsClosed(index);
        openLanesFrom(index + 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5})
    void shouldCloseALaneThatComesToAnEstablishedSession(int index) throws Exception {
        hand.establish();
        assertDuplicateIsClosed(index);
        hand.connect(listening.address());
        assertThat(listening.accept().remoteAddress().getPort()).isEqualTo(1);
    }

    /** Frames that come together are served in any order; what comes after the end of an impossible lane is not. */
    private void awaitLanesTaken() throws IOException {
        try (SocketChannel impossible = hand.sendLane(hand.id, SessionDescriptor.LANES)) {
            assertThat(isClosedByPeer(impossible)).isTrue();
        }
    }

    private void assertDuplicateIsClosed(int index) throws IOException {
        try (SocketChannel duplicate = hand.sendLane(hand.id, index)) {
            assertThat(isClosedByPeer(duplicate)).isTrue();
        }
    }

    private void openLanesFrom(int first) throws IOException {
        for (int lane = first; lane < SessionDescriptor.LANES; lane++) {
            hand.openLane(lane);
        }
        hand.awaitReady();
    }

    @Test
    void shouldEndTheSessionOnASecondHello() throws IOException {
        hand.establish();
        hand.send(Frame.hello(hand.hello()));
        assertThat(isClosedByPeer(hand.control)).isTrue();
    }

    @Test
    void shouldForgetAPeerThatLeavesInTheMiddle() throws Exception {
        for (int step = 0; step < 4; step++) {
            try (HandInitiator leaving = HandInitiator.dial(directory)) {
                if (step > 0) {
                    leaving.greet();
                }
                if (step > 1) {
                    leaving.openLane(0);
                }
                if (step > 2) {
                    openAllLanes(leaving);
                }
            }
        }
        assertThatThrownBy(() -> HandInitiator.read(hand.control)).as("the endpoint gives up on who says nothing")
                .isInstanceOf(IOException.class);
    }

    private static void openAllLanes(HandInitiator hand) throws IOException {
        for (int lane = 1; lane < SessionDescriptor.LANES; lane++) {
            hand.openLane(lane);
        }
    }

    private void assertRefused(Frame.Hello hello, String reason) throws IOException {
        hand.send(Frame.hello(hello));
        assertRefusal(reason);
    }

    private void assertRefusal(String reason) throws IOException {
        ByteBuffer answer = HandInitiator.read(hand.control);
        assertThat(answer.get()).isEqualTo((byte) Frame.REFUSED);
        assertThat(Frame.getText(answer)).contains(reason);
        assertThat(isClosedByPeer(hand.control)).isTrue();
    }
}
