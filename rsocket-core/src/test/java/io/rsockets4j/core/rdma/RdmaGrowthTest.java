/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.fabric.Streams;
import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rings are small until data needs more, within what may be pinned. */
@Timeout(60)
class RdmaGrowthTest {
    private static final int SMALL = 8192;
    private static final int LARGE = 64 << 10;
    private static final int STREAM = 1_000_000;
    private static final int IDLE_BYTES = 16 << 10;

    private RdmaNetwork network = new RdmaNetwork("ring.bytes=" + LARGE);

    @AfterEach
    void assertNoViolations() {
        network.closeUnharmed();
    }

    private void use(String... settings) {
        network.close();
        network = new RdmaNetwork(settings);
    }

    private static void exchange(RdmaNetwork.Links links, int bytes, int maxPiece, int seed) throws Exception {
        Traffic.join(List.of(Traffic.sending(links.near(), bytes, maxPiece, seed),
                Traffic.receiving(links.far(), bytes, maxPiece, seed),
                Traffic.sending(links.far(), bytes, maxPiece, seed + 1),
                Traffic.receiving(links.near(), bytes, maxPiece, seed + 1)));
    }

    /** Both rings are full before anybody reads: else all bytes may go straight, and no ring has to grow. */
    private static void exchangeWithLateReaders(RdmaNetwork.Links links, int bytes, int maxPiece, int seed)
            throws Exception {
        CompletableFuture<Void> near = Traffic.sending(links.near(), bytes, maxPiece, seed);
        CompletableFuture<Void> far = Traffic.sending(links.far(), bytes, maxPiece, seed + 1);
        Eventually.until("both rings were full", () -> links.near().bytesSent() >= SMALL
                && links.far().bytesSent() >= SMALL);
        Traffic.join(List.of(near, far, Traffic.receiving(links.far(), bytes, maxPiece, seed),
                Traffic.receiving(links.near(), bytes, maxPiece, seed + 1)));
    }

    private static void awaitGrown(RdmaLink link) throws Exception {
        Eventually.until("nearly all of a larger ring is free", () -> link.creditBytes() > LARGE * 3 / 4);
    }

    @Test
    void shouldPinLittleForConnectionsThatAreIdle() throws Exception {
        int count = 1000;
        use("ring.bytes=262144");
        RdmaNetwork.Listening listening = network.listen();
        for (int i = 0; i < count; i++) {
            network.connect(listening.address());
            listening.accept();
        }
        assertThat(network.near.pinned()).isLessThan(20L << 20);
        assertThat(network.far.pinned()).isLessThan(20L << 20);
    }

    @Test
    void shouldStaySmallWhereMessagesFit() throws Exception {
        RdmaNetwork.Links links = network.links();
        long pinned = network.near.pinned() + network.far.pinned();
        CompletableFuture<Void> answers = Traffic.start("answers", () -> {
            for (int i = 0; i < 100; i++) {
                Streams.write(links.far(), Streams.read(links.far(), ByteBuffer.allocate(SMALL / 4)));
            }
            return null;
        });
        for (int i = 0; i < 100; i++) {
            Streams.write(links.near(), ByteBuffer.allocate(SMALL / 4));
            Streams.read(links.near(), ByteBuffer.allocate(SMALL / 4));
        }
        answers.get(20, TimeUnit.SECONDS);
        assertThat(network.near.pinned() + network.far.pinned()).isEqualTo(pinned);
    }

    @ParameterizedTest
    @CsvSource({"true, 0", "false, 0", "true, 300", "false, 300"})
    void shouldLoseNoByteWhileRingsGrow(boolean immediate, int delayMicros) throws Exception {
        use("ring.bytes=" + LARGE, "rdma.immediate=" + immediate);
        network.network.delay(7, 0, TimeUnit.MICROSECONDS.toNanos(delayMicros));
        RdmaNetwork.Listening listening = network.listen();
        List<RdmaNetwork.Links> all = new ArrayList<>();
        List<CompletableFuture<Void>> exchanges = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            RdmaNetwork.Links links = new RdmaNetwork.Links(network.connect(listening.address()), listening.accept());
            int seed = 10 * i;
            all.add(links);
            exchanges.add(Traffic.start("exchange", () -> {
                exchange(links, STREAM, 3 * SMALL, seed);
                return null;
            }));
        }
        Traffic.join(exchanges);
        for (RdmaNetwork.Links links : all) {
            awaitGrown(links.near());
            awaitGrown(links.far());
        }
    }

    @Test
    void shouldLetAWriterGoOnThoughNobodyReads() throws Exception {
        RdmaNetwork.Links links = network.links();
        Traffic.sending(links.near(), LARGE, LARGE, 1).get(20, TimeUnit.SECONDS);
        Traffic.receive(links.far(), LARGE, 1000, 1);
    }

    /** Small rings hold up nobody for ever: they are asked for again, once there is memory. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldGoOnWithSmallRingsWhereNothingMayBePinned(boolean atTheInitiator) throws Exception {
        RdmaNetwork.Links links = network.links();
        (atTheInitiator ? network.near : network.far).pinnable(0);
        exchange(links, STREAM, 3 * SMALL, 1);
        assertThat(links.near().creditBytes()).isLessThanOrEqualTo(SMALL);
        (atTheInitiator ? network.near : network.far).pinnable(Long.MAX_VALUE);
        exchange(links, 2 * STREAM, 3 * SMALL, 3);
        awaitGrown(links.near());
    }

    @Test
    void shouldPinNoMoreThanItsBudget() throws Exception {
        long budget = MessageBuffers.BYTES + 4L * IDLE_BYTES;
        use("ring.bytes=" + LARGE, "rdma.max.bytes=" + budget);
        RdmaNetwork.Listening listening = network.listen();
        List<RdmaNetwork.Links> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(new RdmaNetwork.Links(network.connect(listening.address()), listening.accept()));
        }
        assertThatThrownBy(() -> network.connect(listening.address())).isInstanceOf(IOException.class)
                .hasMessageContaining("rsockets4j.rdma.max.bytes=" + budget)
                .extracting(failure -> PathException.reasonOf((IOException) failure)).isEqualTo(Reason.NO_MEMORY);
        exchange(all.get(0), STREAM, 3 * SMALL, 1);
        assertThat(network.near.pinned()).isLessThanOrEqualTo(budget);
        assertThat(network.far.pinned()).isLessThanOrEqualTo(budget);
        all.get(0).near().close(false);
        all.get(0).far().close(false);
        Eventually.until("there is room again", () -> {
            try {
                return network.connect(listening.address()) != null;
            } catch (PathException e) {
                assertThat(e.reason()).isEqualTo(Reason.NO_MEMORY);
                return false;
            }
        });
    }

    /** As under the usual limit of a container: larger rings leave a half to connections. */
    @Test
    void shouldLeaveRoomForConnectionsWhereStreamsGrow() throws Exception {
        long memlock = 8 << 20;
        network.close();
        network = new RdmaNetwork("ring.bytes=262144").memlock(memlock);
        network.near.pinnable(memlock);
        network.far.pinnable(memlock);
        RdmaNetwork.Listening listening = network.listen();
        List<RdmaNetwork.Links> all = new ArrayList<>();
        int grown = 0;
        for (int i = 0; i < 220; i++) {
            RdmaNetwork.Links links = new RdmaNetwork.Links(network.connect(listening.address()), listening.accept());
            all.add(links);
            if (i < 20) {
                exchange(links, 200_000, 100_000, i);
                grown += links.near().creditBytes() > SMALL ? 1 : 0;
            }
        }
        assertThat(grown).isBetween(4, 8);
        for (RdmaNetwork.Links links : all) {
            exchange(links, 3 * SMALL, SMALL, 1);
        }
        assertThat(network.near.pinned()).isLessThanOrEqualTo(memlock);
        assertThat(network.far.pinned()).isLessThanOrEqualTo(memlock);
    }

    /** Bytes that go straight into a buffer have their places in the larger ring too. */
    @ParameterizedTest
    @CsvSource({"1, true", "2, false", "3, true", "4, false", "5, true"})
    void shouldLoseNoByteWhereSomeGoStraight(long seed, boolean immediate) throws Exception {
        use("ring.bytes=" + LARGE, "direct.min.bytes=100", "rdma.immediate=" + immediate);
        network.network.delay(seed, 0, TimeUnit.MICROSECONDS.toNanos(20 << seed));
        RdmaNetwork.Listening listening = network.listen();
        long direct = 0;
        for (int i = 0; i < 8 || direct == 0 && i < 200; i++) { // until a reader was ahead, as chance has it
            RdmaNetwork.Links links = new RdmaNetwork.Links(network.connect(listening.address()), listening.accept());
            exchangeWithLateReaders(links, 200_000, SMALL << i % 5, i);
            awaitGrown(links.near());
            awaitGrown(links.far());
            direct += links.far().directBytesReceived() + links.near().directBytesReceived();
            links.near().close(false);
            links.far().close(false);
        }
        assertThat(direct).isPositive();
    }

    /** Beginning while nothing is carried, so that the wish for more is on its way; or at any time after that. */
    @ParameterizedTest
    @CsvSource({"true, false", "true, true", "false, false", "false, true"})
    void shouldEndAWriterByACloseAtAnyTimeOfTheMove(boolean paused, boolean resets) throws Exception {
        network.network.delay(7, 0, TimeUnit.MICROSECONDS.toNanos(300));
        RdmaNetwork.Listening listening = network.listen();
        RdmaNetwork.Links kept = new RdmaNetwork.Links(network.connect(listening.address()), listening.accept());
        for (int i = 0; i < 50; i++) {
            RdmaNetwork.Links links = new RdmaNetwork.Links(network.connect(listening.address()), listening.accept());
            network.network.pause(paused);
            AtomicBoolean closing = new AtomicBoolean();
            CompletableFuture<Long> writer = Traffic.start("writer", () -> writeUntil(closing, links.near()));
            long before = paused ? SMALL : 1_000L * i;
            Eventually.until("some bytes are written", () -> links.near().bytesSent() >= Math.min(before, LARGE));
            closing.set(true);
            links.near().beginClose();
            writer.get(20, TimeUnit.SECONDS);
            links.near().close(resets);
            network.network.pause(false);
            links.far().close(false);
        }
        exchange(kept, STREAM, 3 * SMALL, 5);
        Eventually.until("the numbers are free", () -> {
            RdmaNetwork.Links links = new RdmaNetwork.Links(network.connect(listening.address()), listening.accept());
            boolean free = links.near().connection().number() < 50;
            links.near().close(false);
            links.far().close(false);
            return free;
        });
    }

    /** As a door writes, until its program closes. */
    private static long writeUntil(AtomicBoolean closing, RdmaLink link) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(3 * SMALL);
        while (!closing.get()) {
            if (link.send(bytes.clear()) == 0) {
                link.await(SelectionKey.OP_WRITE, System.nanoTime() + TimeUnit.SECONDS.toNanos(20));
            }
        }
        return link.bytesSent();
    }

    /** The peer must move where it says, and once. */
    @ParameterizedTest
    @CsvSource({"1, 1, of 0", "0, 2, MOVE after 0"})
    void shouldEndASessionWhosePeerMovesWhereItMayNot(long from, int times, String said) throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        try (HandPeer peer = HandPeer.connect(network, listening.address())) {
            peer.greet(listening.address());
            RdmaLink link = listening.accept();
            peer.send(HandPeer.more(LARGE));
            ByteBuffer offer = peer.awaitMessage();
            assertThat(offer.get(0)).isEqualTo(MessageDescriptor.RING);
            assertThat(RemoteRing.decode(offer, MessageDescriptor.RING_ADDRESS).bytes()).isEqualTo(LARGE);
            for (int i = 0; i < times; i++) {
                peer.send(HandPeer.move(from));
            }
            Eventually.until("the session ends", () -> link.connection().failure() != null);
            assertThat(link.connection().failure()).isInstanceOf(ProtocolException.class).hasMessageContaining(said);
            link.close(true);
        }
    }

    @Test
    void shouldEndASessionWhosePeerOffersARingUnasked() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        try (HandPeer peer = HandPeer.connect(network, listening.address())) {
            peer.greet(listening.address());
            RdmaLink link = listening.accept();
            peer.send(HandPeer.offer(new RemoteRing(peer.ring().address(), LARGE, peer.ring().key())));
            Eventually.until("the session ends", () -> link.connection().failure() != null);
            assertThat(link.connection().failure()).isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("nobody asked for");
            link.close(true);
        }
    }

    @Test
    void shouldClearLargerRingsForWhoeverHasThemNext() throws Exception {
        RdmaNetwork.Links links = network.links();
        exchange(links, STREAM, 3 * SMALL, 1);
        awaitGrown(links.near());
        ByteBuffer ring = links.far().connection().larger().ring();
        assertThat(isZero(ring)).isFalse();
        links.near().close(false);
        links.far().close(false);
        Eventually.until("nothing is left there", () -> isZero(ring));
    }

    private static boolean isZero(ByteBuffer memory) {
        return memory.mismatch(ByteBuffer.allocate(memory.capacity())) == -1;
    }

    /** Numbers and memory are used again, while what the connection before has sent is on its way. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldEndAtAnyTimeOfTheMove(boolean aborts) throws Exception {
        network.network.delay(7, 0, TimeUnit.MICROSECONDS.toNanos(300));
        RdmaNetwork.Listening listening = network.listen();
        RdmaNetwork.Links kept = new RdmaNetwork.Links(network.connect(listening.address()), listening.accept());
        for (int i = 0; i < 100; i++) {
            RdmaNetwork.Links links = new RdmaNetwork.Links(network.connect(listening.address()), listening.accept());
            ByteBuffer bytes = ByteBuffer.allocate(LARGE);
            for (int sent = 0; sent < i * 500; sent += Math.max(1, links.near().send(bytes))) {
                Thread.onSpinWait();
            }
            links.near().close(aborts);
            links.far().close(false);
        }
        exchange(kept, STREAM, 3 * SMALL, 5);
        Eventually.until("the memory is given back", () -> network.near.pinned() < 8L * LARGE);
    }
}
