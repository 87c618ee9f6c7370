/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static io.rsockets4j.core.shm.HandInitiator.isClosedByPeer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.bell.BellPage;
import io.rsockets4j.core.fabric.Streams;
import io.rsockets4j.core.host.Words;
import io.rsockets4j.core.shm.rendezvous.Rendezvous;
import io.rsockets4j.core.shm.ring.ReceiveRing;
import io.rsockets4j.core.shm.ring.RingPair;
import io.rsockets4j.core.shm.ring.SendRing;
import io.rsockets4j.core.shm.ring.SlotDescriptor;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an endpoint does with peers that begin a session wrongly. Whatever that is, it goes on serving others. */
class AcceptorHandshakeTest {
    private static final int BLOCK_BYTES = 512;

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
        Words control = hand.connect(listening.address());
        ShmLink server = listening.accept();
        int capacity = hand.slots.ringBytes();
        SendRing out = new SendRing(RingPair.control(control, 0), hand.slots.ring(0, 0, capacity),
                () -> false);
        out.write(ByteBuffer.wrap(new byte[] {7}));
        hand.ringSlot(0);
        assertThat(Streams.readByte(server)).isEqualTo(7);
        Streams.writeByte(server, 8);
        ByteBuffer dst = ByteBuffer.allocate(1);
        assertThat(new ReceiveRing(RingPair.control(control, 1), hand.slots.ring(0, 1, capacity)).read(dst))
                .isEqualTo(1);
        assertThat(dst.get(0)).isEqualTo((byte) 8);
        server.close(false);
    }

    /** A store into a page that does not exist ends the JVM, or a thread, once memory is short. */
    @Test
    void shouldMakeThePagesItselfThatThePeerDidNot() throws Exception {
        Path shared = withoutPages(hand.sharedPath);
        Path slots = withoutPages(hand.slotsPath);
        hand.establish();
        assertThat(pages(shared)).isEqualTo(SessionDescriptor.FILE_BYTES / SlotDescriptor.PAGE_BYTES);
        assertThat(pages(slots))
                .isGreaterThanOrEqualTo(SlotDescriptor.controlBytes(hand.slots.slots()) / SlotDescriptor.PAGE_BYTES);
    }

    /** Takes a file's pages back, and gives it a second name, since the acceptor removes the first. */
    private static Path withoutPages(Path file) throws IOException {
        try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw")) {
            long bytes = opened.length();
            opened.setLength(0);
            opened.setLength(bytes);
        }
        return Files.createLink(file.resolveSibling(file.getFileName() + ".kept"), file);
    }

    /** How many pages of a file exist; only a program of the host tells that. */
    private static long pages(Path file) throws Exception {
        Process stat = new ProcessBuilder("stat", "-L", "-c", "%b", file.toString()).start();
        String blocks = new String(stat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).trim();
        assertThat(stat.waitFor()).as("stat of %s", file).isZero();
        return Long.parseLong(blocks) * BLOCK_BYTES / SlotDescriptor.PAGE_BYTES;
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

    @ParameterizedTest
    @CsvSource({"3, 65535, versions 3 to 65535 do not include 2", "1, 1, versions 1 to 1 do not include 2",
        "0, 0, versions 0 to 0 do not include 2"})
    void shouldRefuseVersionsItDoesNotSpeak(int min, int max, String reason) throws IOException {
        Frame.ShmHello good = hand.hello();
        assertRefused(new Frame.ShmHello(min, max, 0, good.namespace(), good.ringBytes(), good.sharedName(),
                good.slotsName(), good.bellsName()), reason);
    }

    @Test
    void shouldTakeWhoeverAlsoSpeaksItsVersionAndKnowsMoreFeatures() throws IOException {
        Frame.ShmHello good = hand.hello();
        hand.send(Frame.hello(new Frame.ShmHello(0, 9, -1, good.namespace(), good.ringBytes(), good.sharedName(),
                good.slotsName(), good.bellsName())));
        assertThat(HandInitiator.read(hand.control).get()).isEqualTo((byte) Frame.WELCOME);
    }

    @Test
    void shouldRefuseAnotherNetworkNamespace() throws IOException {
        Frame.ShmHello good = hand.hello();
        assertRefused(new Frame.ShmHello(Frame.VERSION, Frame.VERSION, 0, 12, good.ringBytes(), good.sharedName(),
                good.slotsName(), good.bellsName()), "network namespace 12 is not " + good.namespace());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 1, 4096, 12_288, 1 << 29, Integer.MIN_VALUE})
    void shouldRefuseImpossibleRings(int ringBytes) throws IOException {
        Frame.ShmHello good = hand.hello();
        assertRefused(new Frame.ShmHello(Frame.VERSION, Frame.VERSION, 0, good.namespace(), ringBytes,
                good.sharedName(), good.slotsName(), good.bellsName()), "rings of " + ringBytes + " bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x.shared", "../0123456789abcdef0123456789abcdef.shared",
        "a/0123456789abcdef0123456789abcdef.shared", "/0123456789abcdef0123456789abcdef.shared",
        "0123456789ABCDEF0123456789ABCDEF.shared", "0123456789abcdef0123456789abcdef.endpoint",
        "0123456789abcdef0123456789abcdef.shared\n"})
    void shouldRefuseImpossibleNames(String name) throws IOException {
        Frame.ShmHello good = hand.hello();
        hand.send(Frame.hello(hand.hello(name, good.slotsName(), good.bellsName())));
        assertRefusal("impossible file names");
        redial();
        hand.send(Frame.hello(hand.hello(hand.hello().sharedName(), name, good.bellsName())));
        assertRefusal("impossible file names");
        redial();
        assertRefused(hand.hello(hand.hello().sharedName(), hand.hello().slotsName(), name), "impossible file names");
    }

    private void redial() throws IOException {
        hand.close();
        hand = HandInitiator.dial(directory);
    }

    @Test
    void shouldRefuseFilesOfOneKindForAnother() throws IOException {
        Frame.ShmHello good = hand.hello();
        assertRefused(hand.hello(good.sharedName(), good.slotsName(), good.sharedName()), "impossible file names");
        redial();
        assertRefused(hand.hello(hand.bells.name(), hand.hello().slotsName(), hand.bells.name()),
                "impossible file names");
    }

    @Test
    void shouldRefuseMissingFiles() throws IOException {
        Files.delete(hand.sharedPath);
        assertRefused(hand.hello(), hand.sharedPath.toString());
    }

    @Test
    void shouldRefuseAMissingSlotFileAndLeaveTheOtherOnesMemoryAlone() throws IOException {
        Files.delete(hand.slotsPath);
        try (FileChannel shared = FileChannel.open(hand.sharedPath)) {
            assertRefused(hand.hello(), hand.slotsPath.toString());
            assertThat(shared.size()).as("the peer has it mapped").isEqualTo(SessionDescriptor.FILE_BYTES);
        }
    }

    /** Bells are missing where the peer ends: nobody else would remove the names before another process starts. */
    @Test
    void shouldRefuseMissingBellsAndRemoveTheOtherNamesButNotTheirMemory() throws IOException {
        Path bells = hand.rendezvous.path(hand.bells.name());
        Files.delete(bells);
        try (FileChannel shared = FileChannel.open(hand.sharedPath);
                FileChannel slots = FileChannel.open(hand.slotsPath)) {
            assertRefused(hand.hello(), bells.toString());
            assertThat(shared.size()).isEqualTo(SessionDescriptor.FILE_BYTES);
            assertThat(slots.size()).isEqualTo(SlotDescriptor.fileBytes(64, HandInitiator.RING_BYTES));
            assertThat(hand.sharedPath).doesNotExist();
            assertThat(hand.slotsPath).doesNotExist();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 1, -BellPage.BYTES})
    void shouldRefuseBellsOfTheWrongSize(long difference) throws IOException {
        Path path = hand.rendezvous.newPath(Rendezvous.BELLS);
        Files.write(path, new byte[(int) (BellPage.BYTES + difference)]);
        Frame.ShmHello good = hand.hello();
        assertRefused(hand.hello(good.sharedName(), good.slotsName(), path.getFileName().toString()),
                "expected " + BellPage.BYTES);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 1, -SessionDescriptor.FILE_BYTES})
    void shouldRefuseAFileOfTheWrongSize(long difference) throws IOException {
        Path path = hand.rendezvous.newPath(".shared");
        Files.write(path, new byte[(int) (SessionDescriptor.FILE_BYTES + difference)]);
        Frame.ShmHello good = hand.hello();
        assertRefused(hand.hello(path.getFileName().toString(), good.slotsName(), good.bellsName()),
                "expected " + SessionDescriptor.FILE_BYTES);
    }

    @Test
    void shouldRefuseASlotFileOfOtherRings() throws IOException {
        Frame.ShmHello good = hand.hello();
        assertRefused(new Frame.ShmHello(Frame.VERSION, Frame.VERSION, 0, good.namespace(), 2 * good.ringBytes(),
                good.sharedName(), good.slotsName(), good.bellsName()),
                "expected " + SlotDescriptor.fileBytes(64, 2 * good.ringBytes()));
    }

    @Test
    void shouldRefuseASymbolicLinkAndLeaveItsTargetAlone() throws IOException {
        Path target = directory.resolve("valuable");
        Files.write(target, new byte[SessionDescriptor.FILE_BYTES]);
        Path link = Files.createSymbolicLink(hand.rendezvous.newPath(".shared"), target);
        Frame.ShmHello good = hand.hello();
        assertRefused(hand.hello(link.getFileName().toString(), good.slotsName(), good.bellsName()),
                link + " is not a regular file");
        assertThat(Files.size(target)).isEqualTo(SessionDescriptor.FILE_BYTES);
    }

    @Test
    void shouldRefuseADirectory() throws IOException {
        Path path = Files.createDirectory(hand.rendezvous.newPath(".shared"));
        Frame.ShmHello good = hand.hello();
        assertRefused(hand.hello(path.getFileName().toString(), good.slotsName(), good.bellsName()),
                path + " is not a regular file");
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
    @ValueSource(ints = {0, Frame.WELCOME, Frame.REFUSED, Frame.RING, 5, Frame.SLOTS, Frame.SLOTS_MAPPED, 99, 255})
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
            ByteBuffer frame = Frame.hello(hand.hello());
            int offset = 4 + random.nextInt(frame.limit() - 4);
            frame.put(offset, (byte) (frame.get(offset) ^ 1 << random.nextInt(8)));
            try (SocketChannel channel = hand.dial()) {
                channel.write(frame);
                channel.shutdownOutput();
                assertThat(isClosedByPeer(channel)).as("seed %d", seed).isTrue();
            }
        }
    }

    @Test
    void shouldEndTheSessionOnASecondHello() throws IOException {
        hand.establish();
        hand.send(Frame.hello(hand.hello()));
        assertThat(isClosedByPeer(hand.control)).isTrue();
    }

    @Test
    void shouldForgetAPeerThatLeavesInTheMiddle() throws Exception {
        for (int step = 0; step < 3; step++) {
            try (HandInitiator leaving = HandInitiator.dial(directory)) {
                if (step == 1) {
                    leaving.send(Frame.hello(leaving.hello()));
                }
                if (step == 2) {
                    leaving.establish();
                }
            }
        }
        assertThatThrownBy(() -> HandInitiator.read(hand.control)).as("the endpoint gives up on who says nothing")
                .isInstanceOf(IOException.class);
    }

    private void assertRefused(Frame.ShmHello hello, String reason) throws IOException {
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
