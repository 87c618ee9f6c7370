/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.SourceMemory;
import io.rsockets4j.core.fabric.Streams;
import io.rsockets4j.core.flight.Recorded;
import io.rsockets4j.core.stat.SessionSnapshot;
import io.rsockets4j.core.verbs.MemoryRegion;
import io.rsockets4j.core.verbs.memory.MemoryHost;
import io.rsockets4j.core.verbs.memory.MemoryQueuePair;
import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions with two links: what one of them loses goes by the other. */
@Timeout(60)
class RdmaLinksTest {
    private static final int LARGE = 64 << 10;
    private static final int LENT = 1 << 20;
    private static final SessionSnapshot NONE = new SessionSnapshot(0, "none", "none", "none", 0, 0, "none", 0, 0, 0,
            0);

    private RdmaNetwork network = new RdmaNetwork("ring.bytes=" + LARGE).twoDevices();

    @AfterEach
    void assertNoViolations() {
        network.closeUnharmed();
    }

    private void use(String... settings) {
        network.close();
        network = new RdmaNetwork(settings).twoDevices();
    }

    static List<String> states(RdmaFabric fabric) {
        return fabric.sessions().stream().map(SessionSnapshot::state).sorted().toList();
    }

    private void awaitTwoLinks() throws Exception {
        List<String> two = List.of(SessionSnapshot.STANDBY, SessionSnapshot.UP);
        Eventually.until("two links at both ends",
                () -> states(network.initiator()).equals(two) && states(network.acceptor()).equals(two));
    }

    /** How a link fails. */
    enum Failure {
        /** The cable is cut, and mended later: neither side hears of it but by its retries. */
        CUT,
        /** A queue pair of the initiator's fails, while the peer's goes on. */
        NEAR_QUEUE_PAIR,
        /** A queue pair of the acceptor's fails, while the peer's goes on. */
        FAR_QUEUE_PAIR,
        /** A device of the initiator's is removed, and comes again. */
        NEAR_DEVICE,
        /** A device of the acceptor's is removed, and comes again. */
        FAR_DEVICE
    }

    /** Has the link in use fail, and mends it once the other one is in use at both ends. */
    private void failLinkInUse(Failure failure) throws Exception {
        SessionSnapshot near = inUse(network.initiator());
        boolean first = near.local().contains(RdmaNetwork.NEAR);
        String nearAddress = first ? RdmaNetwork.NEAR : RdmaNetwork.NEAR_SECOND;
        String farAddress = first ? RdmaNetwork.FAR : RdmaNetwork.FAR_SECOND;
        switch (failure) {
            case CUT -> network.network.cut(RdmaNetwork.address(farAddress), true);
            case NEAR_QUEUE_PAIR -> queuePair(network.near, near.device()).fail();
            case FAR_QUEUE_PAIR -> queuePair(network.far, inUse(network.acceptor()).device()).fail();
            case NEAR_DEVICE -> queuePair(network.near, near.device()).device().remove();
            case FAR_DEVICE -> queuePair(network.far, inUse(network.acceptor()).device()).device().remove();
            default -> throw new AssertionError(failure);
        }
        Eventually.until("the other link is in use", () -> !inUse(network.initiator()).local().contains(nearAddress)
                && !inUse(network.acceptor()).local().contains(farAddress));
        switch (failure) {
            case CUT -> network.network.cut(RdmaNetwork.address(farAddress), false);
            case NEAR_DEVICE -> network.near.addDevice("again", RdmaNetwork.address(nearAddress));
            case FAR_DEVICE -> network.far.addDevice("again", RdmaNetwork.address(farAddress));
            default -> { }
        }
    }

    private MemoryQueuePair queuePair(MemoryHost host, String device) {
        return network.network.queuePairs().stream().filter(each -> each.device().host() == host
                && each.device().name().equals(device)).findFirst().orElseThrow();
    }

    static SessionSnapshot inUse(RdmaFabric fabric) {
        return fabric.sessions().stream().filter(link -> link.state().equals(SessionSnapshot.UP)).findFirst()
                .orElse(NONE);
    }

    static void exchange(RdmaNetwork.Links links, int bytes, int seed) throws Exception {
        Traffic.join(exchanging(links, bytes, seed));
    }

    static List<CompletableFuture<Void>> exchanging(RdmaNetwork.Links links, int bytes, int seed) {
        return List.of(Traffic.sending(links.near(), bytes, 5000, seed),
                Traffic.receiving(links.far(), bytes, 7000, seed),
                Traffic.sending(links.far(), bytes, 5000, seed + 1),
                Traffic.receiving(links.near(), bytes, 7000, seed + 1));
    }

    @Test
    void shouldMakeASecondLink() throws Exception {
        RdmaNetwork.Links links = network.links();
        awaitTwoLinks();
        assertThat(network.network.queuePairs()).hasSize(4);
        exchange(links, 100_000, 1);
    }

    @Test
    void shouldHaveOneLinkWhereTheSettingSaysSo() throws Exception {
        use("rdma.links=1");
        RdmaNetwork.Links links = network.links();
        exchange(links, 100_000, 1);
        assertThat(states(network.initiator())).containsExactly(SessionSnapshot.UP);
        assertThat(network.network.queuePairs()).hasSize(2);
    }

    @Test
    void shouldGoOnByTheOtherLink() throws Exception {
        RdmaNetwork.Links links = network.links();
        awaitTwoLinks();
        exchange(links, 10_000, 1);
        network.network.cut(RdmaNetwork.address(RdmaNetwork.FAR), true);
        exchange(links, 100_000, 3);
        assertThat(inUse(network.initiator()).device()).isEqualTo("near1");
        assertThat(inUse(network.acceptor()).device()).isEqualTo("far1");
    }

    @ParameterizedTest
    @CsvSource({"CUT, true, 0", "CUT, false, 0", "NEAR_QUEUE_PAIR, true, 0", "FAR_QUEUE_PAIR, true, 0",
        "NEAR_DEVICE, true, 0", "FAR_DEVICE, false, 0", "CUT, true, 1000", "NEAR_QUEUE_PAIR, true, 1000",
        "FAR_QUEUE_PAIR, false, 1000", "FAR_DEVICE, true, 1000"})
    void shouldLoseNoByteWhenLinksFail(Failure failure, boolean immediate, int directMinBytes) throws Exception {
        use("ring.bytes=" + LARGE, "rdma.immediate=" + immediate, "direct.min.bytes=" + directMinBytes);
        List<RdmaNetwork.Links> all = network.links(4);
        for (int round = 0; round < 6; round++) {
            awaitTwoLinks();
            List<CompletableFuture<Void>> exchanges = new ArrayList<>();
            for (int i = 0; i < all.size(); i++) {
                exchanges.addAll(exchanging(all.get(i), 300_000, 2 * i));
            }
            failLinkInUse(failure);
            Traffic.join(exchanges);
        }
        long direct = all.stream()
                .mapToLong(each -> each.near().directBytesReceived() + each.far().directBytesReceived()).sum();
        assertThat(direct > 0).as("whether bytes went straight into buffers: %s", direct)
                .isEqualTo(directMinBytes > 0);
    }

    /** Nothing is written behind a connection's last byte that would make good for one that was forgotten. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldLoseNoLastByteWhenLinksFail(int directMinBytes) throws Exception {
        use("direct.min.bytes=" + directMinBytes);
        for (int round = 0; round < 8; round++) {
            List<RdmaNetwork.Links> all = network.links(100);
            awaitTwoLinks();
            CompletableFuture<Void> writer = Traffic.start("writer", () -> {
                for (RdmaNetwork.Links links : all) {
                    Streams.writeByte(links.near(), 7);
                    links.near().shutdownOutput();
                    LockSupport.parkNanos(10_000); // so that some of them meet the moment
                }
                return null;
            });
            failLinkInUse(round % 2 == 0 ? Failure.NEAR_QUEUE_PAIR : Failure.FAR_QUEUE_PAIR);
            writer.get(20, TimeUnit.SECONDS);
            for (RdmaNetwork.Links links : all) {
                assertThat(Streams.readByte(links.far())).isEqualTo(7);
                assertThat(Streams.readByte(links.far())).isEqualTo(Link.EOF);
                links.far().close(false);
                links.near().close(false);
            }
        }
    }

    // ---- a link that fails at a certain moment

    @Test
    void shouldFillTheOldestBufferThoughTheLinkFailsWhileTheyAreOffered() throws Exception {
        use("direct.min.bytes=1");
        RdmaNetwork.Links links = network.links();
        awaitTwoLinks();
        List<ByteBuffer> buffers = List.of(ByteBuffer.allocateDirect(100), ByteBuffer.allocateDirect(100),
                ByteBuffer.allocateDirect(100));
        assertThat(links.far().receive(buffers.get(0))).isZero();
        assertThat(links.far().offer(buffers.get(0), false)).isTrue();
        MemoryQueuePair before = inUse(network.near);
        before.fail();
        awaitSwitch(before);
        awaitTwoLinks();
        boolean offered = links.far().offer(buffers.get(1), false) && links.far().offer(buffers.get(2), false);
        assertThat(offered).as("behind one that is not offered any more").isFalse();
        Streams.write(links.near(), ByteBuffer.allocateDirect(10).put(0, (byte) 7));
        assertThat(Streams.readSome(links.far(), buffers.get(0))).isEqualTo(10);
        assertThat(buffers.get(0).get(0)).isEqualTo((byte) 7);
        assertThat(buffers.get(2).get(0)).isZero();
    }


    /** How what is under way gets lost. */
    enum Loss {
        /** The initiator's queue pair fails before anything has reached the peer. */
        NEAR_QUEUE_PAIR,
        /** The acceptor's queue pair fails before anything has reached it. */
        FAR_QUEUE_PAIR,
        /** All reaches the acceptor, and nothing that it says in turn arrives. */
        FAR_ANSWERS
    }

    private MemoryQueuePair inUse(MemoryHost host) throws IOException {
        return queuePair(host, inUse(host == network.near ? network.initiator() : network.acceptor()).device());
    }

    /** The initiator does something; what it posts for that by the link in use, or the answer, is lost with it. */
    private <T> CompletableFuture<T> losing(Loss loss, Callable<T> task) throws Exception {
        MemoryQueuePair near = inUse(network.near);
        MemoryQueuePair far = inUse(network.far);
        if (loss == Loss.FAR_ANSWERS) {
            far.breakNow();
            return Traffic.start("task", task);
        }
        Eventually.until("nothing is under way", () -> near.waitingBytes() == 0 && far.waitingBytes() == 0);
        network.network.pause(true);
        CompletableFuture<T> result = Traffic.start("task", task);
        Eventually.until("something is under way", () -> near.waitingBytes() > 0);
        (loss == Loss.NEAR_QUEUE_PAIR ? near : far).fail();
        network.network.pause(false);
        return result;
    }

    private void awaitSwitch(MemoryQueuePair before) throws Exception {
        Eventually.until("the link was left", () -> !network.network.queuePairs().contains(before));
    }

    @ParameterizedTest
    @EnumSource(Loss.class)
    void shouldConnectThoughTheLinkFailsMeanwhile(Loss loss) throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        RdmaNetwork.Links kept = new RdmaNetwork.Links(network.connect(listening.address()), listening.accept());
        awaitTwoLinks();
        MemoryQueuePair before = inUse(network.near);
        CompletableFuture<RdmaLink> connect = losing(loss, () -> network.connect(listening.address()));
        RdmaNetwork.Links links = new RdmaNetwork.Links(connect.get(20, TimeUnit.SECONDS), listening.accept());
        awaitSwitch(before);
        assertThat(links.near().connection().session()).isSameAs(kept.near().connection().session());
        exchange(links, 10_000, 1);
        exchange(kept, 10_000, 3);
        assertThat(listening.queue().poll()).as("one more").isNull();
    }

    @ParameterizedTest
    @EnumSource(Loss.class)
    void shouldSeeTheEndBehindTheLastByteThoughTheLinkFailsThere(Loss loss) throws Exception {
        RdmaNetwork.Links links = network.links();
        awaitTwoLinks();
        exchange(links, 1000, 1);
        MemoryQueuePair before = inUse(network.near);
        losing(loss, () -> {
            Traffic.send(links.near(), 5000, 5000, 3);
            links.near().shutdownOutput();
            return null;
        }).get(20, TimeUnit.SECONDS);
        Traffic.receive(links.far(), 5000, 5000, 3);
        assertThat(Streams.readByte(links.far())).isEqualTo(Link.EOF);
        Traffic.send(links.far(), 5000, 5000, 4);
        links.far().shutdownOutput();
        Traffic.receive(links.near(), 5000, 5000, 4);
        assertThat(Streams.readByte(links.near())).isEqualTo(Link.EOF);
        awaitSwitch(before);
    }

    @ParameterizedTest
    @EnumSource(Loss.class)
    void shouldCloseThoughTheLinkFailsMeanwhile(Loss loss) throws Exception {
        List<RdmaNetwork.Links> all = network.links(2);
        awaitTwoLinks();
        RdmaNetwork.Links links = all.get(1);
        exchange(links, 1000, 1);
        MemoryQueuePair before = inUse(network.near);
        losing(loss, () -> {
            Traffic.send(links.near(), 5000, 5000, 3);
            links.near().close(false);
            return null;
        }).get(20, TimeUnit.SECONDS);
        Traffic.receive(links.far(), 5000, 5000, 3);
        assertThat(Streams.readByte(links.far())).isEqualTo(Link.EOF);
        links.far().close(false);
        awaitSwitch(before);
        Eventually.until("both ends are free", () -> inUse(network.initiator()).connections() == 1
                && inUse(network.acceptor()).connections() == 1);
        exchange(all.get(0), 10_000, 5);
    }

    /** The network goes on, until so many writes have arrived; then the link in use fails. */
    private MemoryQueuePair goOnUntil(int arriving) throws IOException {
        MemoryQueuePair before = inUse(network.near);
        if (arriving == 0) {
            before.fail();
        } else {
            before.breakAfter(arriving);
        }
        network.network.pause(false);
        return before;
    }

    /** Nothing is pinned on another link that was not on the one before. */
    private void awaitPins(MemoryQueuePair before, long nearPinned, long farPinned) throws Exception {
        awaitSwitch(before);
        awaitTwoLinks();
        Eventually.until("all pins are back", () -> network.near.pinned() == nearPinned
                && network.far.pinned() == farPinned);
    }

    /** So many writes arrive, out of several buffers and in several; the rest goes by the other link. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 7})
    void shouldLoseNoByteOfSeveralLentBuffersWhoseLinkFails(int arriving) throws Exception {
        use("ring.bytes=8192", "direct.min.bytes=1000");
        RdmaNetwork.Links links = network.links();
        awaitTwoLinks();
        long nearPinned = network.near.pinned();
        long farPinned = network.far.pinned();
        List<ByteBuffer> targets = List.of(ByteBuffer.allocateDirect(LENT), ByteBuffer.allocateDirect(LENT));
        assertThat(links.far().receive(targets.get(0))).isZero();
        for (ByteBuffer target : targets) {
            assertThat(links.far().offer(target, true)).isTrue();
        }
        DirectProbe.awaitRoomOfBuffers(links.near(), 2L * LENT);
        ByteBuffer all = ByteBuffer.allocateDirect(2 * LENT);
        new Random(arriving).ints(2 * LENT / Integer.BYTES).forEach(all::putInt);
        List<ByteBuffer> sources = new ArrayList<>();
        network.network.pause(true);
        for (int i = 0; i < 4; i++) {
            ByteBuffer source = all.slice(i * LENT / 2, LENT / 2);
            assertThat(links.near().lend(source, null)).isTrue();
            sources.add(source);
        }
        MemoryQueuePair before = goOnUntil(arriving);
        CompletableFuture<Void> writer = Traffic.start("writer", () -> {
            for (ByteBuffer source : sources) {
                Streams.write(links.near(), source);
            }
            return null;
        });
        for (int i = 0; i < 2; i++) {
            assertThat(Streams.read(links.far(), targets.get(i))).isEqualTo(all.slice(i * LENT, LENT));
        }
        writer.get(20, TimeUnit.SECONDS);
        assertThat(links.far().directBytesReceived()).isGreaterThanOrEqualTo(arriving);
        awaitPins(before, nearPinned, farPinned);
    }

    /** Those that did not arrive come first, also where the peer has buffers for what is behind them. */
    @Test
    void shouldKeepTheOrderOfBuffersThatAreLentAfterTheLinkHasFailed() throws Exception {
        use("ring.bytes=8192", "direct.min.bytes=1000");
        RdmaNetwork.Links links = network.links();
        awaitTwoLinks();
        List<ByteBuffer> targets = new ArrayList<>();
        List<ByteBuffer> sources = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            targets.add(ByteBuffer.allocateDirect(2000));
            sources.add(ByteBuffer.allocateDirect(2000).putInt(0, i + 1));
        }
        assertThat(links.far().receive(targets.get(0))).isZero();
        assertThat(links.far().offer(targets.get(0), false) && links.far().offer(targets.get(1), false)).isTrue();
        DirectProbe.awaitRoomOfBuffers(links.near(), 4000);
        network.network.pause(true);
        assertThat(links.near().lend(sources.get(0), null) && links.near().lend(sources.get(1), null)).isTrue();
        MemoryQueuePair before = goOnUntil(1);
        awaitSwitch(before);
        assertThat(Streams.readSome(links.far(), targets.get(0))).isEqualTo(2000);
        Eventually.until("the peer offers others", () -> {
            links.far().receive(targets.get(1));
            links.far().offer(targets.get(1), false);
            links.far().offer(targets.get(2), false);
            links.near().poll();
            return links.near().connection().out().isAdvertised();
        });
        for (ByteBuffer source : sources) {
            Streams.write(links.near(), source);
            links.near().lend(sources.get(2), null);
        }
        assertThat(Streams.readSome(links.far(), targets.get(1))).isEqualTo(2000);
        assertThat(Streams.readSome(links.far(), targets.get(2))).isEqualTo(2000);
        for (int i = 0; i < 3; i++) {
            assertThat(targets.get(i).getInt(0)).isEqualTo(i + 1);
        }
    }

    /** So many writes of a program's buffer arrive in the peer's; the rest goes by the other link. */
    @ParameterizedTest
    @CsvSource({"0, false", "1, false", "5, false", "1, true"})
    void shouldLoseNoByteOfALentBufferWhoseLinkFails(int arriving, boolean kept) throws Exception {
        use("ring.bytes=8192", "direct.min.bytes=1000");
        RdmaNetwork.Links links = network.links();
        awaitTwoLinks();
        long nearPinned = network.near.pinned();
        long farPinned = network.far.pinned();
        ByteBuffer target = ByteBuffer.allocateDirect(LENT);
        assertThat(links.far().receive(target)).isZero();
        links.far().offer(target, false);
        Eventually.until("the advert comes", () -> {
            links.near().poll();
            return links.near().connection().out().isAdvertised();
        });
        ByteBuffer source = ByteBuffer.allocateDirect(LENT);
        new Random(arriving).ints(LENT / Integer.BYTES).forEach(source::putInt);
        network.network.pause(true);
        SourceMemory whole = new SourceMemory(source.flip().duplicate());
        links.near().lend(source, kept ? new SourceMemory.Part(whole, 0) : null);
        assertThat(network.near.pinned()).isEqualTo(nearPinned + LENT);
        assertThat(links.near().send(source)).isZero();
        MemoryQueuePair before = goOnUntil(arriving);
        CompletableFuture<Void> writer = Traffic.start("writer", () -> {
            Streams.write(links.near(), source);
            return null;
        });
        assertThat(Streams.read(links.far(), target)).isEqualTo(source.duplicate().rewind());
        writer.get(20, TimeUnit.SECONDS);
        assertThat(links.far().directBytesReceived()).as("of the first buffer").isGreaterThanOrEqualTo(arriving);
        awaitPins(before, nearPinned, farPinned);
    }

    @Test
    void shouldRegisterMemoryAnewThatTheProgramKeepsWhenItsLinkFails() throws Exception {
        use("direct.min.bytes=1000");
        RdmaNetwork.Links links = network.links();
        awaitTwoLinks();
        SourceMemory memory = new SourceMemory(ByteBuffer.allocateDirect(1000));
        SessionMemory session = links.near().connection().session().memory();
        MemoryRegion before = session.keep(memory);
        MemoryQueuePair failed = inUse(network.near);
        failed.fail();
        awaitSwitch(failed);
        exchange(links, 100, 1);
        assertThat(session.kept(memory)).isNull();
        assertThat(session.lentBytes()).isZero();
        MemoryRegion after = session.keep(memory);
        assertThat(after).isNotSameAs(before);
        assertThat(session.isLent(after)).isTrue();
        memory.letGo();
        assertThat(session.lentBytes()).isZero();
    }

    /** Of what this side has sent, the device has acknowledged all: no look at the links would find out. */
    @Test
    void shouldNoticeByKeepAliveThatThePeerOfTwoIdleLinksHasVanished() throws Exception {
        use("keepalive.seconds=1");
        RdmaNetwork.Links links = network.links();
        awaitTwoLinks();
        links.near().keepAlive(true);
        CompletableFuture<Integer> reader = Traffic.start("reader", () -> Streams.readByte(links.near()));
        network.far.vanish(true);
        assertThatThrownBy(() -> reader.get(20, TimeUnit.SECONDS)).cause().isInstanceOf(SocketException.class)
                .hasMessage("Connection timed out");
        Eventually.until("no link is left", () -> network.initiator().sessions().isEmpty());
    }

    /** More than there are receives to tell of all of them at once. */
    @Test
    void shouldGoOnWithManyConnections() throws Exception {
        List<RdmaNetwork.Links> all = network.links(700);
        awaitTwoLinks();
        for (RdmaNetwork.Links links : all) {
            Streams.writeByte(links.near(), 1);
        }
        failLinkInUse(Failure.FAR_QUEUE_PAIR);
        for (RdmaNetwork.Links links : all) {
            assertThat(Streams.readByte(links.far())).isEqualTo(1);
            Streams.writeByte(links.far(), 2);
            assertThat(Streams.readByte(links.near())).isEqualTo(2);
        }
    }

    @Test
    void shouldResetConnectionsWhereBothLinksFail() throws Exception {
        RdmaNetwork.Links links = network.links();
        awaitTwoLinks();
        network.network.cut(RdmaNetwork.address(RdmaNetwork.FAR), true);
        network.network.cut(RdmaNetwork.address(RdmaNetwork.FAR_SECOND), true);
        Streams.writeByte(links.near(), 1);
        assertThatThrownBy(() -> Streams.readByte(links.near())).isInstanceOf(SocketException.class);
        Eventually.until("no link is left", () -> network.initiator().sessions().isEmpty());
    }

    /** As where a process ends: the kernel hangs up both links, one after the other. */
    @Test
    void shouldSeeTheEndOfThePeerAsWithOneLink() throws Exception {
        RdmaNetwork.Links links = network.links();
        awaitTwoLinks();
        links.far().connection().session().fail(new IOException("a test's"));
        assertThat(Streams.readByte(links.near())).isEqualTo(Link.EOF);
        Eventually.until("no session is left", () -> network.initiator().sessions().isEmpty()
                && network.acceptor().sessions().isEmpty());
        Eventually.until("no link is left", () -> network.network.queuePairs().isEmpty());
    }

    @Test
    void shouldReplaceALinkThatFailsWhileItWaits() throws Exception {
        List<String> nearAddresses = new ArrayList<>();
        List<RecordedEvent> events = Recorded.during(() -> {
            RdmaNetwork.Links links = network.links();
            awaitTwoLinks();
            nearAddresses.add(nearAddress(SessionSnapshot.STANDBY));
            MemoryQueuePair waiting = queuePair(network.near, "near1");
            MemoryQueuePair waitingFar = waiting.peer();
            waiting.fail();
            Eventually.until("it is gone", () -> !network.network.queuePairs().contains(waiting)
                    && !network.network.queuePairs().contains(waitingFar));
            awaitTwoLinks();
            nearAddresses.add(nearAddress(SessionSnapshot.STANDBY));
            exchange(links, 100_000, 1);
            failLinkInUse(Failure.NEAR_QUEUE_PAIR);
            exchange(links, 100_000, 3);
            awaitTwoLinks();
        });
        assertThat(nearAddresses).doesNotHaveDuplicates();
        assertThat(names(nearAddresses.get(0), events)).as("the link that waited")
                .containsExactly("LinkUp", "LinkUp", "LinkDown", "LinkDown");
        assertThat(names(nearAddresses.get(1), events)).as("the one in its place")
                .containsExactly("LinkUp", "LinkUp", "LinkFailover", "LinkFailover");
    }

    @Test
    void shouldStayWithOneLinkWhereNoMoreMayBePinned() throws Exception {
        network.near.pinnable(MessageBuffers.BYTES + (80 << 10));
        RdmaNetwork.Links links = network.links();
        exchange(links, 100_000, 1);
        assertThat(states(network.initiator())).contains(SessionSnapshot.UP).doesNotContain(SessionSnapshot.STANDBY);
        network.near.pinnable(Long.MAX_VALUE);
        awaitTwoLinks();
    }

    @Test
    void shouldPinRingsOnceWithTwoLinks() throws Exception {
        use("rdma.links=1");
        exchange(network.links(), 1000, 1);
        long one = network.near.pinned();
        use();
        RdmaNetwork.Links links = network.links();
        exchange(links, 1000, 1);
        awaitTwoLinks();
        assertThat(network.near.pinned()).isEqualTo(one + MessageBuffers.BYTES);
        network.network.cut(RdmaNetwork.address(RdmaNetwork.FAR), true);
        exchange(links, 1000, 3);
        Eventually.until("nothing of the old link is left",
                () -> network.near.pinned() == one && network.near.domains() == 1);
    }

    @Test
    void shouldNoticeThatALinkFailsWhileItWaits() throws Exception {
        use("keepalive.seconds=1");
        RdmaNetwork.Links links = network.links();
        awaitTwoLinks();
        network.network.cut(RdmaNetwork.address(RdmaNetwork.FAR_SECOND), true);
        Eventually.until("it is gone", () -> states(network.initiator()).equals(List.of(SessionSnapshot.UP)));
        network.network.cut(RdmaNetwork.address(RdmaNetwork.FAR_SECOND), false);
        awaitTwoLinks();
        exchange(links, 1000, 1);
    }

    /** As with Soft-RoCE whose interface is down: what was posted neither succeeds nor fails. */
    @Test
    void shouldGoOnWhereTheDeviceDoesNotTellThatALinkFails() throws Exception {
        network.network.retryNanos(TimeUnit.HOURS.toNanos(1));
        RdmaNetwork.Links links = network.links();
        awaitTwoLinks();
        network.network.cut(RdmaNetwork.address(RdmaNetwork.FAR), true);
        exchange(links, 100_000, 1);
        assertThat(inUse(network.initiator()).device()).isEqualTo("near1");
    }

    /** What keeps the connection manager's thread may keep the device as well, whose answers come right after. */
    @Test
    void shouldStayWhereThisProcessHasStoodStill() throws Exception {
        RdmaNetwork.Links links = network.links();
        awaitTwoLinks();
        MemoryQueuePair used = inUse(network.near);
        RdmaSession session = links.near().connection().session();
        RdmaSession peer = links.far().connection().session();
        peer.sends().probe();
        awaitQuiet(peer); // so that it finds no fault
        CmThread cm = network.cm(network.near);
        CompletableFuture<Boolean> asked = new CompletableFuture<>();
        CompletableFuture<Void> answered = new CompletableFuture<>();
        network.network.pause(true);
        Streams.writeByte(links.near(), 7);
        cm.execute(() -> {
            Traffic.complete(asked, session.sends()::isAnswering); // as a check does, whose next one finds no answer
            long began = System.nanoTime();
            while (System.nanoTime() - began < TimeUnit.SECONDS.toNanos(1)) {
                Thread.onSpinWait(); // two checks are late
            }
            cm.schedule(0, () -> Traffic.complete(answered, () -> { // right behind the check
                network.network.pause(false);
                awaitQuiet(session);
                return null;
            }));
        });
        asked.get(20, TimeUnit.SECONDS);
        answered.get(40, TimeUnit.SECONDS);
        assertThat(Streams.readByte(links.far())).isEqualTo(7);
        assertThat(inUse(network.near)).isSameAs(used);
    }

    private static void awaitQuiet(RdmaSession session) throws Exception {
        Eventually.until("all is answered", () -> {
            session.poller().serveAll();
            return session.sends().isQuiet();
        });
    }

    /** The initiator's address of a link, of which there is one in this state. */
    private String nearAddress(String state) throws IOException {
        return network.initiator().sessions().stream().filter(link -> link.state().equals(state))
                .map(SessionSnapshot::local).findFirst().orElseThrow();
    }

    /** What both ends of a link have recorded. */
    private static List<String> names(String nearAddress, List<RecordedEvent> events) {
        return Recorded.at(nearAddress, events).stream().map(Recorded::name).toList();
    }

    @Test
    void shouldRecordAFailover() throws Exception {
        List<String> nearAddresses = new ArrayList<>();
        List<RecordedEvent> events = Recorded.during(() -> {
            RdmaNetwork.Links links = network.links();
            awaitTwoLinks();
            nearAddresses.add(nearAddress(SessionSnapshot.UP));
            nearAddresses.add(nearAddress(SessionSnapshot.STANDBY));
            failLinkInUse(Failure.NEAR_QUEUE_PAIR);
            exchange(links, 1000, 1);
            awaitTwoLinks();
            nearAddresses.add(nearAddress(SessionSnapshot.STANDBY));
            failLinkInUse(Failure.FAR_QUEUE_PAIR);
            exchange(links, 1000, 3);
            awaitTwoLinks();
        });
        assertThat(nearAddresses).doesNotHaveDuplicates();
        assertThat(names(nearAddresses.get(0), events)).as("the first link")
                .containsExactly("LinkUp", "LinkUp", "LinkDown", "LinkDown");
        assertThat(names(nearAddresses.get(1), events)).as("the one that waited").containsExactly("LinkUp", "LinkUp",
                "LinkFailover", "LinkFailover", "LinkDown", "LinkDown");
        assertThat(names(nearAddresses.get(2), events)).as("the one in the place of the first")
                .containsExactly("LinkUp", "LinkUp", "LinkFailover", "LinkFailover");
        List<RecordedEvent> failovers = Recorded.at(nearAddresses.get(1), events).stream()
                .filter(e -> Recorded.name(e).equals("LinkFailover")).toList();
        assertThat(failovers).hasSize(2).allSatisfy(event -> {
            assertThat(event.getInt("connections")).isEqualTo(1);
            assertThat(event.getDuration("pause")).isBetween(Duration.ofNanos(1), Duration.ofSeconds(20));
        });
    }

    /** Each conversation: connect, a stream and its echo, the end of both, close. */
    @ParameterizedTest
    @ValueSource(ints = {0, 300})
    void shouldHaveWholeConversationsWhileLinksFail(int delayMicros) throws Exception {
        network.network.delay(7, 0, TimeUnit.MICROSECONDS.toNanos(delayMicros));
        RdmaNetwork.Listening listening = network.listen();
        AtomicBoolean over = new AtomicBoolean();
        AtomicBoolean served = new AtomicBoolean();
        RdmaLink kept = network.connect(listening.address()); // the session does not end in between
        Link keptFar = listening.accept();
        CompletableFuture<Void> server = Traffic.start("server", () -> {
            while (!served.get()) {
                Link next = listening.queue().poll();
                if (next == null) {
                    Thread.onSpinWait();
                } else {
                    Traffic.start("echo", () -> echo(next)).whenComplete((nothing, e) -> {
                        if (e != null) {
                            e.printStackTrace();
                        }
                    });
                }
            }
            return null;
        });
        List<CompletableFuture<Void>> clients = new ArrayList<>();
        AtomicInteger conversations = new AtomicInteger();
        for (int i = 0; i < 4; i++) {
            int seed = i;
            clients.add(Traffic.start("client " + i, () -> {
                Random random = new Random(seed);
                while (!over.get()) {
                    converse(network.connect(listening.address()), 1 + random.nextInt(40_000), seed);
                    conversations.incrementAndGet();
                }
                return null;
            }));
        }
        for (int round = 0; round < 10; round++) {
            awaitTwoLinks();
            int before = conversations.get();
            Eventually.until("conversations", () -> conversations.get() > before + 10
                    || clients.stream().anyMatch(CompletableFuture::isCompletedExceptionally));
            failLinkInUse(Failure.values()[round % Failure.values().length]);
        }
        int before = conversations.get();
        Eventually.until("conversations", () -> conversations.get() > before + 10
                || clients.stream().anyMatch(CompletableFuture::isCompletedExceptionally));
        over.set(true);
        Traffic.join(clients);
        served.set(true);
        server.get(20, TimeUnit.SECONDS);
        Eventually.until("closed connections are gone", () -> network.initiator().sessions().stream()
                .mapToInt(SessionSnapshot::connections).sum() == 1 && network.acceptor().sessions().stream()
                .mapToInt(SessionSnapshot::connections).sum() == 1);
        exchange(new RdmaNetwork.Links(kept, (RdmaLink) keptFar), 10_000, 9);
    }

    private static Void echo(Link link) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(3000);
        while (Streams.readSome(link, buffer.clear()) != Link.EOF) {
            Streams.write(link, buffer.flip());
        }
        link.shutdownOutput();
        link.close(false);
        return null;
    }

    private static void converse(Link link, int bytes, int seed) throws Exception {
        assertThat(link).as("a connection over RDMA").isNotNull();
        CompletableFuture<Void> receiver = Traffic.receiving(link, bytes, 5000, seed);
        Traffic.send(link, bytes, 5000, seed);
        link.shutdownOutput();
        receiver.get(20, TimeUnit.SECONDS);
        assertThat(Streams.readSome(link, ByteBuffer.allocate(1))).isEqualTo(Link.EOF);
        link.close(false);
    }
}
