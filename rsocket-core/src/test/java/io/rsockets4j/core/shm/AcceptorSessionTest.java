/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static io.rsockets4j.core.shm.HandInitiator.isClosedByPeer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.bell.BellPage;
import io.rsockets4j.core.bell.Futex;
import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.Streams;
import io.rsockets4j.core.fabric.Waiter;
import io.rsockets4j.core.host.MemoryBudget;
import io.rsockets4j.core.host.StatNames;
import io.rsockets4j.core.host.UnixSockets;
import io.rsockets4j.core.host.Words;
import io.rsockets4j.core.shm.rendezvous.Rendezvous;
import io.rsockets4j.core.shm.ring.RingPair;
import io.rsockets4j.core.shm.ring.SendRing;
import io.rsockets4j.core.shm.ring.SlotDescriptor;
import io.rsockets4j.core.shm.ring.SlotFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an established session does when its peer goes wrong. Whatever that is, the endpoint goes on serving others. */
class AcceptorSessionTest {
    @TempDir
    private Path directory;
    private ShmFabric fabric;
    private Fabrics.Listening listening;
    private HandInitiator hand;

    @BeforeAll
    static void loadFutex() {
        assertThat(Futex.load()).isNull();
    }

    @BeforeEach
    void establish() throws IOException {
        fabric = Fabrics.open(directory);
        listening = Fabrics.listen(fabric);
        hand = HandInitiator.dial(directory).establish();
    }

    @AfterEach
    void endpointServesOthers() throws Exception {
        hand.close();
        try (HandInitiator other = HandInitiator.dial(directory).establish()) {
            other.connect(listening.address());
            ShmLink link = listening.accept();
            assertThat(Streams.readSome(closeAfterwards(other, link), ByteBuffer.allocate(1))).isEqualTo(Link.EOF);
            link.close(false);
        }
        listening.queue().close();
    }

    private static ShmLink closeAfterwards(HandInitiator other, ShmLink link) throws IOException {
        other.close();
        return link;
    }

    // ---- the end

    /** A process that only connects has no endpoint by which others would find that it is dead. */
    @Test
    void shouldRemoveWhatADeadPeerHasLeft() throws Exception {
        Path place = Fabrics.meetingPlace(directory);
        Path stat = place.resolve("2147483647-1.stat"); // a number that no process has
        try (ServerSocketChannel dead = UnixSockets.openServer()) {
            dead.bind(UnixDomainSocketAddress.of(stat));
        }
        Path running = place.resolve(StatNames.create());
        Files.createFile(running);
        Path elsewhere = place.resolve(running.getFileName().toString().replaceFirst("[0-9]+[.]stat", "4.stat"));
        Files.createFile(elsewhere); // this process' number, but in another pid namespace
        String ended = running.getFileName().toString().replaceFirst("[0-9]+", "2147483647");
        Path draft = place.resolve(ended + StatNames.DRAFT);
        Files.createFile(draft); // killed before it listened
        Path draftElsewhere = place.resolve(elsewhere.getFileName() + StatNames.DRAFT);
        Files.createFile(draftElsewhere); // refuses, as each does
        Path runningDraft = place.resolve(running.getFileName() + StatNames.DRAFT);
        Files.createFile(runningDraft);
        Path bells = hand.rendezvous.newPath(Rendezvous.BELLS);
        Files.write(bells, new byte[BellPage.BYTES]);
        hand.close();
        Eventually.until("what the dead has left is removed", () -> !Files.exists(stat) && !Files.exists(bells)
                && !Files.exists(elsewhere) && !Files.exists(draft));
        assertThat(running).exists();
        assertThat(runningDraft).exists();
        assertThat(draftElsewhere).exists();
    }

    // ---- connects that nobody has looked at

    @Test
    void shouldAcceptWhatAPeerHasAskedForBeforeItEnded() throws Exception {
        hand.slots.reset(0);
        hand.requestSilently(hand.entry(0, 1, listening.address()));
        hand.close();
        Eventually.until("the connect is there", listening.queue()::isPending);
        listening.accept().close(false);
    }

    @Test
    void shouldResetWhatAPeerHasAskedForWhenTheListenerCloses() throws Exception {
        Fabrics.Listening other = Fabrics.listen(fabric);
        hand.slots.reset(0);
        hand.requestSilently(hand.entry(0, 1, other.address()));
        other.queue().close();
        assertThat(RingPair.control(hand.slotControl(0), 1).getAcquire(SlotDescriptor.TAIL) & SlotDescriptor.RESET)
                .isNotZero();
    }

    // ---- frames

    @ParameterizedTest
    @ValueSource(ints = {0, Frame.HELLO, Frame.WELCOME, Frame.REFUSED, 5, Frame.SLOTS_MAPPED, Frame.SLOTS_REFUSED, 77})
    void shouldResetAllLinksOnAnUnexpectedFrame(int type) throws Exception {
        hand.connect(listening.address());
        ShmLink link = listening.accept();
        hand.shared.holdAs(SessionDescriptor.INITIATOR); // the process goes on
        hand.send(Frame.slotsMapped(0).put(4, (byte) type));
        assertThatThrownBy(() -> Streams.readByte(link)).isInstanceOf(SocketException.class)
                .hasMessage("Connection reset");
        assertThat(isClosedByPeer(hand.control)).isTrue();
        link.close(false);
    }

    @Test
    void shouldResetAllLinksOnAnImpossibleFrame() throws Exception {
        hand.connect(listening.address());
        ShmLink link = listening.accept();
        hand.send(ByteBuffer.allocate(4).putInt(0, Integer.MAX_VALUE));
        assertThatThrownBy(() -> Streams.readByte(link)).isInstanceOf(SocketException.class)
                .hasMessage("Connection reset");
        link.close(false);
    }

    @Test
    void shouldGiveWhatWasSentBeforeTheSessionBroke() throws Exception {
        Words control = hand.connect(listening.address());
        ShmLink link = listening.accept();
        sender(control).write(ByteBuffer.wrap(new byte[] {1, 2}));
        hand.send(Frame.slotsMapped(0));
        assertThat(isClosedByPeer(hand.control)).isTrue();
        assertThat(Streams.readByte(link)).isEqualTo(1);
        assertThat(Streams.readByte(link)).isEqualTo(2);
        assertThatThrownBy(() -> Streams.readByte(link)).isInstanceOf(SocketException.class);
        link.close(false);
    }

    @Test
    void shouldRemoveTheNamesOfWhatItHasMappedAsItsPeerMayEndAtAnyTime() {
        assertThat(hand.sharedPath).doesNotExist();
        assertThat(hand.slotsPath).doesNotExist();
    }

    @Test
    void shouldTakeMoreSlots() throws Exception {
        Path more = hand.rendezvous.newPath(".shared");
        SlotFile slots = SlotFile.create(more, HandInitiator.RING_BYTES, MemoryBudget.unlimited());
        hand.send(Frame.slots(1, more.getFileName().toString()));
        ByteBuffer answer = HandInitiator.read(hand.control);
        assertThat(answer.get()).isEqualTo((byte) Frame.SLOTS_MAPPED);
        assertThat(Frame.getIndex(answer)).isEqualTo(1);
        assertThat(more).as("a name that nobody needs").doesNotExist();
        slots.reset(5);
        hand.request(hand.entry(64 + 5, 1, listening.address()));
        listening.accept().close(false);
        assertThat(slots.words(5).control().getAcquire(SlotDescriptor.RELEASED)).isEqualTo(1);
        slots.leave();
    }

    @Test
    void shouldRefuseSlotsThatAreNotThereAndGoOn() throws Exception {
        hand.send(Frame.slots(1, "0".repeat(32) + ".shared"));
        ByteBuffer answer = HandInitiator.read(hand.control);
        assertThat(answer.get()).isEqualTo((byte) Frame.SLOTS_REFUSED);
        assertThat(Frame.getText(answer)).contains("0".repeat(32));
        hand.connect(listening.address());
        listening.accept().close(false);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 65_535})
    void shouldEndOnSlotsOutOfSequence(int index) throws IOException {
        hand.send(Frame.slots(index, hand.slotsPath.getFileName().toString()));
        assertThat(isClosedByPeer(hand.control)).isTrue();
    }

    @Test
    void shouldEndOnSlotsWithAPathForAName() throws IOException {
        hand.send(Frame.slots(1, "../" + hand.slotsPath.getFileName()));
        assertThat(isClosedByPeer(hand.control)).isTrue();
    }

    @Test
    void shouldSurviveRandomFrames() throws Exception {
        SplittableRandom seeds = new SplittableRandom();
        for (int round = 0; round < 40; round++) {
            long seed = seeds.nextLong();
            SplittableRandom random = new SplittableRandom(seed);
            ByteBuffer noise = ByteBuffer.allocate(random.nextInt(5, 400));
            random.nextBytes(noise.array());
            noise.putInt(0, random.nextInt(1, noise.capacity()));
            try (HandInitiator noisy = HandInitiator.dial(directory).establish()) {
                noisy.send(noise);
                noisy.control.shutdownOutput();
                assertThat(isClosedByPeer(noisy.control)).as("seed %d", seed).isTrue();
            }
        }
    }

    // ---- connects

    @Test
    void shouldTakeConnectsInTheirOrder() throws Exception {
        for (int slot = 0; slot < 64; slot++) {
            hand.slots.reset(slot);
            ConnectEntry entry = hand.entry(slot, 1, listening.address());
            entry.write(hand.memory, SessionDescriptor.connect(slot));
        }
        hand.publishConnects(64);
        for (int slot = 0; slot < 64; slot++) {
            ShmLink link = listening.accept();
            assertThat(link.slot()).isEqualTo(slot);
            link.close(false);
        }
        assertThat(hand.memory.getAcquire(SessionDescriptor.CONNECT_HEAD)).isEqualTo(64);
    }

    @Test
    void shouldTakeConnectsThatComeWhileItGoesToSleep() throws Exception {
        for (int round = 0; round < 20; round++) {
            long generation = round + 1;
            for (int slot = 0; slot < 64; slot++) {
                hand.slots.reset(slot);
                hand.requestAndWake(hand.entry(slot, generation, listening.address()));
                long count = 64 * round + slot + 1;
                Eventually.soon("connect " + count,
                        () -> hand.memory.getAcquire(SessionDescriptor.CONNECT_HEAD) == count);
            }
            for (int slot = 0; slot < 64; slot++) {
                listening.accept().close(false);
            }
        }
        assertThat(listening.queue().poll()).isNull();
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE, SessionDescriptor.CONNECT_ENTRIES + 1, Long.MAX_VALUE})
    void shouldEndOnAnImpossibleCountOfConnects(long count) throws IOException {
        hand.publishConnects(count);
        assertThat(isClosedByPeer(hand.control)).isTrue();
    }

    @Test
    void shouldEndOnACountOfConnectsThatRunsBackwards() throws Exception {
        hand.connect(listening.address());
        ShmLink link = listening.accept();
        hand.publishConnects(0);
        assertThat(isClosedByPeer(hand.control)).isTrue();
        assertThatThrownBy(() -> Streams.readByte(link)).isInstanceOf(SocketException.class);
        link.close(false);
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 65, SessionDescriptor.MAX_SLOTS - 1})
    void shouldEndOnAConnectInASlotThatIsNotMapped(int slot) throws IOException {
        hand.request(hand.entry(slot, 1, listening.address()));
        assertThat(isClosedByPeer(hand.control)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, SessionDescriptor.MAX_SLOTS, Long.MAX_VALUE, 1L << 32})
    void shouldEndOnAConnectInAnImpossibleSlot(long slot) throws IOException {
        hand.entry(0, 1, listening.address()).write(hand.memory, SessionDescriptor.connect(0));
        hand.memory.putRelease(SessionDescriptor.connect(0), slot);
        hand.publishConnects(1);
        assertThat(isClosedByPeer(hand.control)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1, 4096, 8193, 1 << 29, Integer.MIN_VALUE})
    void shouldEndOnAConnectWithImpossibleRings(int bytes) throws IOException {
        ConnectEntry good = hand.entry(0, 1, listening.address());
        hand.request(new ConnectEntry(0, 1, good.listener(), good.listenerGeneration(), good.initiator(),
                good.acceptor(), 8192, bytes));
        assertThat(isClosedByPeer(hand.control)).isTrue();
    }

    @Test
    void shouldEndOnAConnectInASlotThatIsInUse() throws Exception {
        hand.connect(listening.address());
        ShmLink link = listening.accept();
        hand.request(hand.entry(0, 2, listening.address()));
        assertThat(isClosedByPeer(hand.control)).isTrue();
        assertThatThrownBy(() -> Streams.readByte(link)).isInstanceOf(SocketException.class);
        link.close(false);
    }

    @Test
    void shouldTakeAConnectInASlotThatItHasReleased() throws Exception {
        for (long generation = 1; generation <= 300; generation++) { // more than the ring of connects has entries
            hand.slots.reset(0);
            hand.request(hand.entry(0, generation, listening.address()));
            ShmLink link = listening.accept();
            link.close(false);
            assertThat(hand.slotControl(0).getAcquire(SlotDescriptor.RELEASED)).isEqualTo(generation);
        }
    }

    @Test
    void shouldResetAConnectToAListenerThatIsNotThere() throws Exception {
        ConnectEntry good = hand.entry(3, 1, listening.address());
        hand.slots.reset(3);
        hand.request(new ConnectEntry(3, 1, good.listener(), good.listenerGeneration() + 1, good.initiator(),
                good.acceptor(), 0, 0));
        assertIsReset(3);
        hand.slots.reset(4);
        hand.request(new ConnectEntry(4, 1, 510, good.listenerGeneration(), good.initiator(), good.acceptor(), 0, 0));
        assertIsReset(4);
        hand.connect(listening.address());
        listening.accept().close(false);
    }

    @Test
    void shouldResetAConnectToAListenerThatHasClosed() throws Exception {
        ConnectEntry entry = hand.entry(3, 1, listening.address());
        listening.queue().close();
        assertThat(hand.memory.getAcquire(SessionDescriptor.listener(entry.listener()))).as("announced").isZero();
        hand.slots.reset(3);
        hand.request(entry);
        assertIsReset(3);
        listening = Fabrics.listen(fabric);
    }

    @Test
    void shouldAnnounceListenersThatComeLater() throws Exception {
        InetSocketAddress address = Fabrics.newAddress();
        Fabrics.Listening later = Fabrics.listen(fabric, address);
        Rendezvous.Entry entry = hand.lookUp(address);
        assertThat(hand.memory.getAcquire(SessionDescriptor.listener(entry.listener()))).isEqualTo(entry.generation()
                | 4096L << SessionDescriptor.LISTENER_BACKLOG);
        hand.connect(address);
        later.accept().close(false);
    }

    private void assertIsReset(int slot) throws Exception {
        Eventually.until("release of slot " + slot,
                () -> hand.slotControl(slot).getAcquire(SlotDescriptor.RELEASED) == 1);
        assertThat(RingPair.control(hand.slotControl(slot), 1).getAcquire(SlotDescriptor.TAIL))
                .isEqualTo(SlotDescriptor.FIN | SlotDescriptor.RESET);
    }

    @ParameterizedTest
    @CsvSource({"8.8.8.8, 53", "10.11.12.13, 40000", "127.0.0.1, 0",
        "2001:db8::1, 40000", "0.0.0.0, 40000", "::, 40000"})
    void shouldResetAConnectFromAnAddressThatItsPeerCannotHave(String address, int port) throws Exception {
        hand.slots.reset(3);
        writeEntry(3, address, port, listening.address().getAddress().getHostAddress(), listening.address().getPort());
        assertIsReset(3);
        hand.connect(listening.address());
        listening.accept().close(false);
    }

    @ParameterizedTest
    @CsvSource({"8.8.8.8, 0", "127.0.0.1, 1", "127.0.0.2, 0"})
    void shouldResetAConnectToAnAddressThatIsNotTheListeners(String address, int portsBeside) throws Exception {
        hand.slots.reset(3);
        writeEntry(3, "127.0.0.1", 1, address, listening.address().getPort() + portsBeside);
        assertIsReset(3);
        hand.connect(listening.address());
        listening.accept().close(false);
    }

    /** Ports are written as a peer may, which need not use an InetSocketAddress. */
    private void writeEntry(int slot, String from, int fromPort, String to, int toPort) throws IOException {
        ConnectEntry good = hand.entry(slot, 1, listening.address());
        new ConnectEntry(slot, 1, good.listener(), good.listenerGeneration(),
                new InetSocketAddress(InetAddress.getByName(from), 1),
                new InetSocketAddress(InetAddress.getByName(to), toPort), 0, 0)
                .write(hand.memory, SessionDescriptor.connect(0));
        hand.memory.putIntVolatile(SessionDescriptor.connect(0) + 32, fromPort);
        hand.publishConnects(1);
    }

    // ---- words of a connection

    @Test
    void shouldResetOnlyTheLinkWhoseWordsAreImpossible() throws Exception {
        Words control = hand.connect(listening.address());
        ShmLink bad = listening.accept();
        hand.slots.reset(1);
        hand.request(hand.entry(1, 1, listening.address()));
        ShmLink good = listening.accept();
        RingPair.control(control, 0).putRelease(SlotDescriptor.TAIL, 1L << 40);
        hand.ringSlot(0);
        assertThatThrownBy(() -> Streams.readByte(bad)).isInstanceOf(SocketException.class)
                .hasMessage("Connection reset: the peer's tail=1099511627776 is outside 0 to " + 8192);
        assertThatThrownBy(() -> Streams.readByte(bad)).isInstanceOf(SocketException.class)
                .hasMessage("Connection reset");
        assertThatThrownBy(() -> Streams.writeByte(bad, 1)).isInstanceOf(IOException.class);
        sender(hand.slotControl(1), 1).write(ByteBuffer.wrap(new byte[] {9}));
        assertThat(Streams.readByte(good)).isEqualTo(9);
        bad.close(false);
        assertThat(RingPair.control(control, 1).getAcquire(SlotDescriptor.TAIL) & SlotDescriptor.RESET).isNotZero();
        good.close(false);
    }

    @Test
    void shouldWakeAWriterWhenAReaderFindsImpossibleWords() throws Exception {
        Words control = hand.connect(listening.address());
        ShmLink link = listening.accept();
        Throwable[] thrown = {null};
        Thread writer = new Thread(() -> {
            try {
                Streams.write(link, ByteBuffer.allocate(1 << 20));
            } catch (IOException | AssertionError e) {
                thrown[0] = e;
            }
        });
        writer.start();
        Eventually.asleepIn(writer, "await");
        RingPair.control(control, 0).putRelease(SlotDescriptor.TAIL, 1L << 40);
        assertThatThrownBy(() -> Streams.readByte(link)).isInstanceOf(SocketException.class);
        writer.join(5_000);
        assertThat(writer.isAlive()).as("the writer waits on").isFalse();
        assertThat(thrown[0]).isInstanceOf(IOException.class);
        link.close(false);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Timeout(20)
    void shouldNotSpinWhereAPeerHasClosedInOneWordAlone(boolean urgent) throws Exception {
        Words control = hand.connect(listening.address());
        ShmLink link = listening.accept();
        Streams.write(link, ByteBuffer.allocate(hand.slots.ringBytes())); // no credit is left
        RingPair.control(control, 1).putRelease(SlotDescriptor.HEAD, SlotDescriptor.CLOSED);
        assertThat(link.isReady(SelectionKey.OP_WRITE)).isTrue();
        ByteBuffer src = ByteBuffer.allocate(1);
        assertThat(urgent ? link.sendUrgent(src) : link.send(src)).as("taken and lost").isEqualTo(1);
        assertThatThrownBy(() -> Streams.writeByte(link, 1)).isInstanceOf(IOException.class).hasMessage("Broken pipe");
        link.close(false);
    }

    @Test
    void shouldServeOthersBetweenTheRingsOfAPeerThatDoesNothingElse() throws Exception {
        hand.connect(listening.address());
        ShmLink link = listening.accept();
        AtomicBoolean enough = new AtomicBoolean();
        link.arm(SelectionKey.OP_READ, new Waiter() {
            @Override
            public void wake(Object source) {
                if (!enough.get()) { // as if the peer were quick
                    hand.memory.getAndOrVolatile(SessionDescriptor.rung(SessionDescriptor.ACCEPTOR), 1);
                }
            }
        });
        hand.ringSlot(0);
        try {
            for (int i = 0; i < 100; i++) {
                assertThat(fabric.context().service().submit(() -> 1).await(System.nanoTime() + 5_000_000_000L))
                        .as("another's task").isEqualTo(1);
            }
        } finally {
            enough.set(true);
        }
        link.close(false);
    }

    /** Each of them has closed its socket and goes on: only time tells that it has not ended. */
    @Test
    void shouldServeOthersWhileItLooksWhetherPeersHaveEnded() throws Exception {
        List<HandInitiator> leaving = new ArrayList<>();
        try {
            for (int i = 0; i < 50; i++) {
                HandInitiator next = HandInitiator.dial(directory).establish();
                next.shared.holdAs(SessionDescriptor.INITIATOR);
                leaving.add(next);
            }
            CountDownLatch busy = new CountDownLatch(1);
            fabric.context().service().execute(() -> {
                for (HandInitiator next : leaving) {
                    closeControl(next);
                }
                busy.countDown();
            });
            busy.await();
            long started = System.nanoTime();
            for (int i = 0; i < 3; i++) { // the sockets that ended are looked at before the next task but one
                fabric.context().service().submit(() -> 1).await(started + 10_000_000_000L);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofMillis(500));
        } finally {
            for (HandInitiator next : leaving) {
                next.close();
            }
        }
    }

    private static void closeControl(HandInitiator peer) {
        try {
            peer.control.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {SlotDescriptor.SLEEPER + 1, SlotDescriptor.SLEEPER + BellPage.BELLS - 1,
        SlotDescriptor.SLEEPER + BellPage.BELLS, 1L << 32, Long.MAX_VALUE, -2, Long.MIN_VALUE})
    void shouldIgnoreArmsThatAreNobodysBells(long arm) throws Exception {
        Words control = hand.connect(listening.address());
        ShmLink link = listening.accept();
        RingPair.control(control, 1).putRelease(SlotDescriptor.READER_ARM, arm);
        Streams.writeByte(link, 1);
        assertThat(RingPair.control(control, 1).getAcquire(SlotDescriptor.READER_ARM)).isZero();
        link.close(false);
    }

    @Test
    void shouldIgnoreRingsOfSlotsWithoutAConnection() throws Exception {
        for (int word = 0; word < SessionDescriptor.RUNG_WORDS; word++) {
            hand.memory.putRelease(SessionDescriptor.rung(SessionDescriptor.ACCEPTOR) + 8 * word, -1);
        }
        hand.ring();
        hand.connect(listening.address());
        ShmLink link = listening.accept();
        Eventually.until("the session takes those of its slots",
                () -> hand.memory.getAcquire(SessionDescriptor.rung(SessionDescriptor.ACCEPTOR)) == 0);
        assertThat(link.isReady(SelectionKey.OP_READ)).as("the peer is gone, or there are bytes").isFalse();
        link.close(false);
    }

    @Test
    void shouldServeRingsThatNobodyAskedFor() throws Exception {
        for (int i = 0; i < 1000; i++) {
            hand.ring();
        }
        Words control = hand.connect(listening.address());
        ShmLink link = listening.accept();
        Thread reader = startReader(link);
        sender(control).write(ByteBuffer.wrap(new byte[] {9}));
        hand.ringSlot(0);
        reader.join(5_000);
        assertThat(reader.isAlive()).isFalse();
        link.close(false);
    }

    @ParameterizedTest
    @ValueSource(longs = {SlotDescriptor.NOBODY, SlotDescriptor.SERVICE, SlotDescriptor.SLEEPER + 7, 1L << 40 | 2,
        Long.MAX_VALUE, SlotDescriptor.READER_CLOSED, Long.MIN_VALUE})
    void shouldWakeAReaderWhoseArmItsPeerHasChanged(long arm) throws Exception {
        Words control = hand.connect(listening.address());
        ShmLink link = listening.accept();
        Thread reader = startReader(link);
        RingPair.control(control, 0).putRelease(SlotDescriptor.READER_ARM, arm);
        sender(control).write(ByteBuffer.wrap(new byte[] {9}));
        hand.ringSlot(0); // by the service thread, which does not trust the word
        reader.join(4_000); // less than Futex.LONGEST_NANOS
        assertThat(reader.isAlive()).isFalse();
        link.close(false);
    }

    @Test
    void shouldSleepOnWhereAPeerWakesWithoutAReason() throws Exception {
        Words control = hand.connect(listening.address());
        ShmLink link = listening.accept();
        Thread reader = startReader(link);
        Words words = RingPair.control(control, 0);
        for (int i = 0; i < 10_000; i++) {
            words.putRelease(SlotDescriptor.READER_ARM, i % 5);
            Futex.get().wake(words.addressOfLowBits(SlotDescriptor.READER_ARM));
        }
        assertThat(reader.isAlive()).as("it has read nothing").isTrue();
        sender(control).write(ByteBuffer.wrap(new byte[] {9}));
        hand.ringSlot(0);
        reader.join(4_000);
        assertThat(reader.isAlive()).isFalse();
        link.close(false);
    }

    /** A thread that reads one byte, asleep on its word. */
    private static Thread startReader(ShmLink link) throws Exception {
        Thread reader = new Thread(() -> {
            try {
                assertThat(Streams.readByte(link)).isEqualTo(9);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        reader.start();
        Eventually.asleepIn(reader, "await");
        return reader;
    }

    @Test
    void shouldEndReadsWhereAPeerThatIsGoneHasChangedOurOwnWords() throws Exception {
        Words control = hand.connect(listening.address());
        ShmLink link = listening.accept();
        sender(control).write(ByteBuffer.wrap(new byte[] {1}));
        assertThat(Streams.readByte(link)).isEqualTo(1);
        RingPair.control(control, 0).putRelease(SlotDescriptor.HEAD, 0); // as if there were a byte to read
        hand.close();
        Eventually.until("an end of the stream", () -> endsNow(link));
        link.close(false);
    }

    private static boolean endsNow(ShmLink link) {
        try {
            return link.receive(ByteBuffer.allocate(1)) == Link.EOF;
        } catch (IOException e) {
            return true;
        }
    }

    private SendRing sender(Words control) {
        return sender(control, 0);
    }

    private SendRing sender(Words control, int slot) {
        ByteBuffer ring = hand.slots.ring(slot, 0, hand.slots.ringBytes());
        return new SendRing(RingPair.control(control, 0), ring, () -> false);
    }
}
