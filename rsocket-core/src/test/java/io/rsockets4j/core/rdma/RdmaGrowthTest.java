/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.fabric.PathException;
import io.rsockets4j.core.fabric.Streams;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.verbs.memory.Violation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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
        network.close();
        assertThat(network.network.violations(Violation.Kind.RECEIVER_NOT_READY)).isEmpty();
        assertThat(network.network.violations(Violation.Kind.CONCURRENT_USE)).isEmpty();
        assertThat(network.network.violations(Violation.Kind.USE_AFTER_DESTROY)).isEmpty();
        assertThat(network.network.violations(Violation.Kind.ACCESS)).isEmpty();
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
