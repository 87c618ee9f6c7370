/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.bell.Bell;
import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.fabric.FakePort;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.Streams;
import io.rsockets4j.core.host.Words;
import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.shm.rendezvous.Rendezvous;
import io.rsockets4j.core.shm.ring.Payload;
import io.rsockets4j.core.shm.ring.RingPair;
import io.rsockets4j.core.shm.ring.SendRing;
import io.rsockets4j.core.shm.ring.SlotDescriptor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a connecting process does when the other side of an established session goes wrong or away. */
class InitiatorSessionTest {
    private static final long LIMIT_SECONDS = 15;
    private static final int SLOTS = 64;
    private static final int RUSHING_THREADS = 8;
    private static final int RUSH_CONNECTS = 25_000;
    private static final Executor RUSH = task -> new Thread(task, "rush").start();

    @TempDir
    private Path directory;
    private ShmFabric fabric;
    private HandAcceptor hand;
    private ShmLink link;
    private final FakePort port = new FakePort();

    @BeforeEach
    void establish() throws Exception {
        hand = HandAcceptor.listen(directory);
        fabric = Fabrics.open(directory, "handshake.millis=1500", "ring.bytes=8192");
        CompletableFuture<ShmLink> connecting = connectInBackground();
        hand.establish();
        link = connecting.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        hand.onlyConnect();
    }

    @AfterEach
    void fabricConnectsToOthersAndLeavesNoFiles() throws Exception {
        link.close(false);
        hand.close();
        Fabrics.Listening other = Fabrics.listen(Fabrics.open(directory));
        Link toOther = Fabrics.connect(fabric, other.address());
        assertThat(toOther).isNotNull();
        toOther.close(false);
        other.accept().close(false);
        other.queue().close();
        assertThat(Fabrics.files(directory, ".shared")).isEmpty();
    }

    // ---- whom a connect wakes

    @Test
    void shouldLeaveAConnectToAnAcceptorThatIsAwake() throws Exception {
        hand.bells.page().setListenerBell(HandAcceptor.LISTENER, Bell.take(hand.bells.page()).number());
        parkService();
        Fabrics.connect(fabric, hand.address).close(false);
        assertThat(isServiceParked()).as("left alone").isTrue();
        Fabrics.connect(fabric, hand.address).close(false);
        assertThat(isServiceParked()).as("where the acceptor has left one, the service thread takes both").isFalse();
    }

    @Test
    void shouldWakeTheServiceThreadForAnAcceptorThatSleepsElsewhere() throws Exception {
        Bell bell = Bell.take(hand.bells.page());
        hand.bells.page().setListenerBell(HandAcceptor.LISTENER, bell.number());
        bell.prepare(true);
        parkService();
        Fabrics.connect(fabric, hand.address).close(false);
        assertThat(isServiceParked()).isFalse();
    }

    @Test
    void shouldWakeTheServiceThreadWhereNobodyHasABell() throws Exception {
        parkService();
        Fabrics.connect(fabric, hand.address).close(false);
        assertThat(isServiceParked()).isFalse();
    }

    private void parkService() {
        hand.memory.putRelease(SessionDescriptor.parked(SessionDescriptor.ACCEPTOR), 1); // with wakeService
    }

    private boolean isServiceParked() {
        return hand.memory.getAcquire(SessionDescriptor.parked(SessionDescriptor.ACCEPTOR)) != 0;
    }

    // ---- frames

    @ParameterizedTest
    @ValueSource(ints = {0, Frame.HELLO, Frame.WELCOME, 5, Frame.SLOTS, Frame.SLOTS_MAPPED, Frame.SLOTS_REFUSED, 77})
    void shouldResetAllLinksOnAnUnexpectedFrame(int type) throws Exception {
        hand.shared.holdAs(SessionDescriptor.ACCEPTOR); // the process goes on
        hand.send(Frame.slotsMapped(1).put(4, (byte) type));
        assertThatThrownBy(() -> Streams.readByte(link)).isInstanceOf(SocketException.class)
                .hasMessage("Connection reset");
        assertThat(HandInitiator.isClosedByPeer(hand.control)).isTrue();
        assertThat(hand.endpoint).as("the process is alive").exists();
    }

    @Test
    void shouldResetAllLinksOnASecondWelcome() throws Exception {
        hand.shared.holdAs(SessionDescriptor.ACCEPTOR); // the process goes on
        hand.send(hand.welcome());
        assertThatThrownBy(() -> Streams.readByte(link)).isInstanceOf(SocketException.class)
                .hasMessage("Connection reset");
        assertThat(HandInitiator.isClosedByPeer(hand.control)).isTrue();
    }

    // ---- the end of the peer's process

    @Test
    void shouldReadEndOfStreamAndCleanUpWhenThePeerDies() throws Exception {
        hand.close();
        assertThat(Streams.readByte(link)).isEqualTo(Link.EOF);
        Eventually.until("entry and endpoint are removed", () -> !hand.entry.toFile().exists()
                && !hand.endpoint.toFile().exists());
    }

    @Test
    void shouldCleanUpAlsoWhenThePeersEndpointIsTheLastToClose() throws Exception {
        hand.closeSession();
        assertThat(Streams.readByte(link)).isEqualTo(Link.EOF);
        hand.server.accept().close(); // it looks, and finds the endpoint there
        assertThat(hand.endpoint).exists();
        hand.server.close();
        Eventually.until("entry and endpoint are removed", () -> !hand.entry.toFile().exists()
                && !hand.endpoint.toFile().exists());
    }

    @Test
    void shouldReadResetWhenThePeerDiesBeforeItHasReadEverything() throws Exception {
        Streams.writeByte(link, 1);
        hand.close();
        assertThatThrownBy(() -> Streams.readByte(link)).isInstanceOf(SocketException.class)
                .hasMessage("Connection reset");
    }

    @Test
    void shouldReadWhatADeadPeerHasSent() throws Exception {
        ByteBuffer ring = hand.slots.ring(0, 1, hand.slots.ringBytes());
        SendRing out = new SendRing(RingPair.control(hand.slots.words(0).control(), 1), ring, () -> false);
        out.write(Payload.of(0, 1000));
        hand.close();
        ByteBuffer received = Streams.read(link, ByteBuffer.allocate(1000));
        Payload.check(received, 0);
        assertThat(Streams.readByte(link)).isEqualTo(Link.EOF);
    }

    @Test
    void shouldTakeAndLoseOneWriteToADeadPeerThenFail() throws Exception {
        hand.close();
        assertThat(Streams.readByte(link)).isEqualTo(Link.EOF);
        Streams.write(link, ByteBuffer.allocate(1 << 20));
        assertThatThrownBy(() -> Streams.writeByte(link, 1)).isInstanceOf(IOException.class).hasMessage("Broken pipe");
    }

    @Test
    void shouldReleaseThePortOfALinkWhosePeerIsGone() throws Exception {
        hand.close();
        assertThat(Streams.readByte(link)).isEqualTo(Link.EOF);
        assertThat(port.released()).isZero();
        link.close(false);
        assertThat(port.released()).isEqualTo(1);
        link.close(false);
        assertThat(port.released()).as("closed twice").isEqualTo(1);
    }

    @Test
    void shouldReleaseThePortOfALingeringLinkWhenThePeerGoes() throws Exception {
        link.close(false);
        assertThat(port.released()).as("the peer still has it open").isZero();
        hand.close();
        Eventually.until("the port is released", () -> port.released() == 1);
    }

    // ---- slots

    @Test
    void shouldReleaseThePortWhenBothEndsHaveClosed() throws Exception {
        link.close(false);
        assertThat(port.released()).isZero();
        release(0, 1);
        Eventually.until("the port is released", () -> port.released() == 1);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 2, -1})
    void shouldNotReuseASlotThatAnotherGenerationHasReleased(long generation) throws Exception {
        link.close(false);
        release(0, generation);
        for (int slot = 1; slot < SLOTS; slot++) {
            assertThat(connect().slot()).isEqualTo(slot);
        }
        assertThat(port.released()).isZero();
        release(0, 1);
        assertThat(connect().slot()).as("now that it is free").isZero();
    }

    @Test
    void shouldCleanASlotBeforeItUsesItAgain() throws Exception {
        Words control = hand.slots.words(0).control();
        Streams.write(link, ByteBuffer.allocate(6000)); // grows
        assertThat(RingPair.control(control, 0).getAcquire(SlotDescriptor.GROWN_AT)).isPositive();
        link.close(false);
        release(0, 1);
        ShmLink next = connect();
        assertThat(next.slot()).isZero();
        assertThat(next.generation()).isEqualTo(2);
        for (int offset = 0; offset < SlotDescriptor.RELEASED; offset += 8) {
            assertThat(control.getAcquire(offset)).as("word at %d", offset).isZero();
        }
        assertThat(next.available()).isZero();
        next.close(false);
    }

    @Test
    void shouldAskForMoreSlotsWhenAllAreTaken() throws Exception {
        List<ShmLink> links = takeAllSlots();
        CompletableFuture<ShmLink> connecting = connectInBackground();
        ByteBuffer frame = HandInitiator.read(hand.control);
        assertThat(frame.get()).isEqualTo((byte) Frame.SLOTS);
        assertThat(Frame.getIndex(frame)).isEqualTo(1);
        assertThat(Fabrics.files(directory, ".shared")).containsExactly(Frame.getText(frame));
        hand.send(Frame.slotsMapped(1));
        ShmLink one = connecting.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        assertThat(one.slot()).isEqualTo(SLOTS);
        assertThat(Fabrics.files(directory, ".shared")).isEmpty();
        one.close(false);
        closeAll(links);
    }

    @Test
    void shouldGoOnWithoutMoreSlotsWhereThePeerRefusesThem() throws Exception {
        List<ShmLink> links = takeAllSlots();
        CompletableFuture<ShmLink> connecting = connectInBackground();
        HandInitiator.read(hand.control);
        hand.send(Frame.slotsRefused("no"));
        assertThatThrownBy(() -> connecting.get(LIMIT_SECONDS, TimeUnit.SECONDS)).cause()
                .isInstanceOf(IOException.class).hasMessage("refused by the peer: no");
        assertThat(Fabrics.files(directory, ".shared")).isEmpty();
        Streams.writeByte(link, 1);
        CompletableFuture<ShmLink> again = connectInBackground();
        assertThat(Frame.getIndex(HandInitiator.read(hand.control).position(1))).isEqualTo(1);
        hand.send(Frame.slotsMapped(1));
        again.get(LIMIT_SECONDS, TimeUnit.SECONDS).close(false);
        closeAll(links);
    }

    @Test
    void shouldNotWaitForEverForMoreSlots() throws Exception {
        List<ShmLink> links = takeAllSlots();
        assertThatThrownBy(this::connect).isInstanceOf(IOException.class).hasMessageContaining("in time");
        Streams.writeByte(link, 1);
        hand.send(Frame.slotsMapped(1));
        Eventually.until("late slots are used", () -> {
            try {
                return connect().slot() == SLOTS;
            } catch (IOException e) {
                return false;
            }
        });
        closeAll(links);
    }

    @Test
    void shouldShareSlotsThatSeveralWaitFor() throws Exception {
        assertThat(fabric.mayWait(hand.address)).isFalse();
        List<ShmLink> links = takeAllSlots();
        assertThat(fabric.mayWait(hand.address)).isTrue();
        List<CompletableFuture<ShmLink>> connecting = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            connecting.add(connectInBackground());
        }
        HandInitiator.read(hand.control);
        hand.send(Frame.slotsMapped(1));
        for (CompletableFuture<ShmLink> one : connecting) {
            links.add(one.get(LIMIT_SECONDS, TimeUnit.SECONDS));
        }
        assertThat(links).extracting(ShmLink::slot).doesNotHaveDuplicates().allMatch(slot -> slot < SLOTS + 5);
        closeAll(links);
    }

    // ---- words

    @Test
    void shouldConnectNobodyWhereTheListenerIsGone() throws Exception {
        Rendezvous.Entry entry = hand.rendezvous.lookUp(hand.address);
        hand.memory.putRelease(SessionDescriptor.listener(entry.listener()), 0); // pairs with isListening
        assertThat(connect()).isNull();
    }

    @Test
    void shouldNotConnectWhileTheBacklogIsFull() throws Exception {
        hand.announce(SessionDescriptor.LISTENER_FULL);
        assertThat(fabric.mayWait(hand.address)).isTrue();
        assertThatThrownBy(this::connect).isInstanceOf(PathException.class)
                .extracting(failure -> ((PathException) failure).reason()).isEqualTo(Reason.BACKLOG_FULL);
        assertThat(hand.memory.getAcquire(SessionDescriptor.CONNECT_TAIL)).isEqualTo(1);
        hand.announce(0);
        assertThat(fabric.mayWait(hand.address)).isFalse();
        connect().close(false);
    }

    @Test
    void shouldNotConnectPastTheBacklogOfAPeerThatHasNotLookedYet() throws Exception {
        hand.announce(2L << SessionDescriptor.LISTENER_BACKLOG);
        List<ShmLink> links = new ArrayList<>();
        for (int i = 0; i <= 2; i++) {
            links.add(connect());
        }
        assertThatThrownBy(this::connect).isInstanceOf(PathException.class)
                .extracting(failure -> ((PathException) failure).reason()).isEqualTo(Reason.BACKLOG_FULL);
        hand.memory.putRelease(SessionDescriptor.CONNECT_HEAD, 2);
        links.add(connect());
        for (ShmLink one : links) {
            one.close(false);
        }
    }

    @Test
    void shouldNotOverrunARingOfConnectsThatNobodyTakes() throws Exception {
        for (long generation = 2; generation <= SessionDescriptor.CONNECT_ENTRIES + 1; generation++) {
            ShmLink next = connect();
            next.close(false);
            release(next.slot(), next.generation());
        }
        assertThatThrownBy(this::connect).isInstanceOf(IOException.class)
                .hasMessage("the peer does not take its connects");
        assertThatThrownBy(this::connect).as("not tried again at once").isInstanceOf(IOException.class)
                .hasMessage("a session with that peer failed a moment ago");
    }

    @Test
    void shouldWaitForRoomInTheRingOfConnects() throws Exception {
        for (long generation = 2; generation <= SessionDescriptor.CONNECT_ENTRIES + 1; generation++) {
            ShmLink next = connect();
            next.close(false);
            release(next.slot(), next.generation());
        }
        AtomicReference<Thread> thread = new AtomicReference<>();
        CompletableFuture<ShmLink> waiting = CompletableFuture.supplyAsync(() -> {
            thread.set(Thread.currentThread());
            try {
                return connect();
            } catch (IOException e) {
                throw new CompletionException(e);
            }
        });
        Eventually.until("it waits", () -> thread.get() != null);
        Eventually.asleepIn(thread.get(), "awaitRoom");
        assertThat(waiting).isNotDone();
        assertThat(fabric.mayWait(hand.address)).isTrue();
        hand.memory.putRelease(SessionDescriptor.CONNECT_HEAD, 2);
        waiting.get(LIMIT_SECONDS, TimeUnit.SECONDS).close(false);
    }

    @Test
    @Timeout(LIMIT_SECONDS)
    void shouldNotTakeAPeerThatKeepsUpWithARushOfConnectsForABusyOne() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> taking = CompletableFuture.runAsync(() -> {
            while (!over.get()) {
                hand.memory.putRelease(SessionDescriptor.CONNECT_HEAD,
                        hand.memory.getAcquire(SessionDescriptor.CONNECT_TAIL));
            }
        });
        List<CompletableFuture<Void>> rushes = new ArrayList<>();
        for (int i = 0; i < RUSHING_THREADS; i++) {
            rushes.add(CompletableFuture.runAsync(this::connectOftenAndClose, RUSH));
        }
        try {
            CompletableFuture.allOf(rushes.toArray(CompletableFuture[]::new)).join();
        } finally {
            over.set(true);
        }
        taking.join();
        assertThat(hand.memory.getAcquire(SessionDescriptor.CONNECT_TAIL))
                .isEqualTo(1 + RUSHING_THREADS * RUSH_CONNECTS);
    }

    private void connectOftenAndClose() {
        try {
            for (int i = 0; i < RUSH_CONNECTS; i++) {
                ShmLink next = connect();
                next.close(false);
                release(next.slot(), next.generation());
            }
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-1000, 2, Long.MAX_VALUE, Long.MIN_VALUE})
    void shouldNotConnectWhereTheCountOfTakenConnectsIsImpossible(long taken) throws Exception {
        hand.memory.putRelease(SessionDescriptor.CONNECT_HEAD, taken);
        assertThatThrownBy(this::connect).isInstanceOf(IOException.class)
                .hasMessage("the peer does not take its connects");
    }

    @ParameterizedTest
    @ValueSource(longs = {3, 6000, 1L << 61})
    void shouldResetALinkWhoseHeadIsImpossible(long head) throws Exception {
        Words control = RingPair.control(hand.slots.words(0).control(), 0);
        Streams.write(link, ByteBuffer.allocate(4096));
        control.putRelease(SlotDescriptor.HEAD, 4);
        link.send(ByteBuffer.allocate(100)); // takes the head of 4
        control.putRelease(SlotDescriptor.HEAD, head);
        assertThatThrownBy(() -> Streams.write(link, ByteBuffer.allocate(1 << 20))).isInstanceOf(SocketException.class)
                .hasMessageStartingWith("Connection reset: the peer's head=" + head + " is outside 4 to ");
        assertThatThrownBy(() -> Streams.readByte(link)).isInstanceOf(SocketException.class);
    }

    private void release(int slot, long generation) {
        Words control = hand.slots.words(slot).control();
        control.putRelease(SlotDescriptor.RELEASED, generation); // pairs with isReleased
    }

    private List<ShmLink> takeAllSlots() throws IOException {
        List<ShmLink> links = new ArrayList<>();
        for (int slot = 1; slot < SLOTS; slot++) {
            links.add(connect());
        }
        return links;
    }

    private static void closeAll(List<ShmLink> links) {
        links.forEach(each -> each.close(false));
    }

    private ShmLink connect() throws IOException {
        return connect(hand.address, new FakePort());
    }

    private ShmLink connect(InetSocketAddress address, FakePort with) throws IOException {
        return Fabrics.connect(fabric, address, with);
    }

    private CompletableFuture<ShmLink> connectInBackground() {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return connect(hand.address, port);
            } catch (IOException e) {
                throw new CompletionException(e);
            }
        });
    }
}
