/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.fabric.BufferSizes;
import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.Streams;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams between two hosts: credits never run dry, and nothing is lost, doubled, reordered or overwritten. */
class RdmaStreamTest {
    private static final int SMALL_RING = 8192;

    private RdmaNetwork network;

    @AfterEach
    void assertNoViolations() {
        network.close();
        assertThat(network.network.violations()).isEmpty();
    }

    private RdmaNetwork open(int ringBytes, boolean immediate) {
        network = new RdmaNetwork("ring.bytes=" + ringBytes, "rdma.immediate=" + immediate);
        return network;
    }

    @ParameterizedTest
    @CsvSource({"8192, true", "8192, false", "262144, true", "262144, false"})
    void shouldCarryStreamsBothWaysAtOnce(int ringBytes, boolean immediate) throws Exception {
        RdmaNetwork.Links links = open(ringBytes, immediate).links();
        int bytes = 20 * ringBytes + 12_345;
        int piece = ringBytes / 2 + 7;
        Traffic.join(List.of(Traffic.sending(links.near(), bytes, piece, 1),
                Traffic.receiving(links.far(), bytes, piece, 1),
                Traffic.sending(links.far(), bytes, piece, 2), Traffic.receiving(links.near(), bytes, piece, 2)));
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 8192", "1048576, 0, 8192", "0, 1048576, 8192", "1048576, 1048576, 32768",
        "16384, 1048576, 16384", "4608, 2304, 8192"})
    void shouldHaveTheRingsThatBothEndsAskFor(int asked, int askedByListener, int capacity) throws Exception {
        network = new RdmaNetwork("ring.bytes=8192", "ring.max.bytes=32768");
        RdmaNetwork.Listening listening = network.listen(RdmaNetwork.newAddress(), askedByListener);
        RdmaLink near = network.connect(listening.address(), new BufferSizes(0, asked));
        RdmaLink far = listening.accept();
        Traffic.join(List.of(Traffic.sending(near, 100_000, 7001, 1), Traffic.receiving(far, 100_000, 9001, 1),
                Traffic.sending(far, 100_000, 40_000, 2), Traffic.receiving(near, 100_000, 40_000, 2)));
        for (RdmaLink link : List.of(near, far)) {
            Eventually.until("nearly all of the ring is free", () -> link.creditBytes() > capacity * 3 / 4);
            assertThat(link.creditBytes()).isLessThanOrEqualTo(capacity);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldCarryStreamsHoweverTheNetworkDelays(long seed) throws Exception {
        RdmaNetwork net = open(SMALL_RING, seed % 3 != 0);
        net.network.delay(seed, 0, TimeUnit.MICROSECONDS.toNanos(50 << seed % 4));
        List<CompletableFuture<Void>> tasks = new ArrayList<>();
        RdmaNetwork.Listening listening = net.listen();
        for (int i = 0; i < 4; i++) {
            RdmaLink near = net.connect(listening.address());
            RdmaLink far = listening.accept();
            int piece = 1 << 2 * i + 4;
            int bytes = Math.min(piece * 200, 30_000);
            int streamSeed = (int) seed * 100 + i;
            tasks.add(Traffic.sending(near, bytes, piece, streamSeed));
            tasks.add(Traffic.receiving(far, bytes, piece, streamSeed));
            tasks.add(Traffic.sending(far, bytes, piece, ~streamSeed));
            tasks.add(Traffic.receiving(near, bytes, piece, ~streamSeed));
        }
        Traffic.join(tasks);
    }

    /** Many more messages than there are slots and receives, all of one byte, and credit returned for them. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldStopForCreditOfReceivesAndGoOn(boolean immediate) throws Exception {
        RdmaNetwork.Links links = open(1 << 18, immediate).links();
        Traffic.join(List.of(Traffic.sending(links.near(), 20_000, 1, 1),
                Traffic.receiving(links.far(), 20_000, 4096, 1),
                Traffic.sending(links.far(), 20_000, 1, 2), Traffic.receiving(links.near(), 20_000, 4096, 2)));
    }

    @Test
    void shouldNotStandStillWhenBothWriteWithFullRings() throws Exception {
        RdmaNetwork.Links links = open(SMALL_RING, true).links();
        int near = fill(links.near());
        int far = fill(links.far());
        assertThat(near).isEqualTo(SMALL_RING);
        assertThat(far).isEqualTo(SMALL_RING);
        ByteBuffer rest = ByteBuffer.allocate(3 * SMALL_RING);
        CompletableFuture<Void> nearSends = Traffic.start("near", () -> write(links.near(), rest.duplicate()));
        CompletableFuture<Void> farSends = Traffic.start("far", () -> write(links.far(), rest.duplicate()));
        Streams.read(links.near(), ByteBuffer.allocate(4 * SMALL_RING));
        Streams.read(links.far(), ByteBuffer.allocate(4 * SMALL_RING));
        Traffic.join(List.of(nearSends, farSends));
    }

    /** The peer's program reads nothing at all, yet single bytes go on until the ring is full. */
    @Test
    void shouldGrantReceivesWithoutTheProgram() throws Exception {
        RdmaNetwork.Links links = open(SMALL_RING, true).links();
        for (int i = 0; i < SMALL_RING; i++) {
            Streams.writeByte(links.near(), i);
        }
        assertThat(links.near().send(ByteBuffer.allocate(1))).isZero();
        for (int i = 0; i < SMALL_RING; i++) {
            assertThat(Streams.readByte(links.far())).isEqualTo((byte) i);
        }
        assertThat(links.near().await(OP_WRITE, System.nanoTime() + TimeUnit.SECONDS.toNanos(20))).isTrue();
    }

    @Test
    void shouldServeTwoHundredConnections() throws Exception {
        RdmaNetwork net = open(SMALL_RING, true);
        net.near.maxCompletions(4 * QueueSizes.COMPLETIONS + 1); // many completion queues
        RdmaNetwork.Listening listening = net.listen();
        List<RdmaNetwork.Links> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            RdmaLink near = net.connect(listening.address());
            all.add(new RdmaNetwork.Links(near, listening.accept()));
        }
        for (RdmaNetwork.Links links : all) {
            Streams.writeByte(links.near(), 1);
            Streams.writeByte(links.far(), 2);
        }
        for (RdmaNetwork.Links links : all) {
            assertThat(Streams.readByte(links.far())).isEqualTo(1);
            assertThat(Streams.readByte(links.near())).isEqualTo(2);
        }
        for (RdmaNetwork.Links links : all) {
            links.near().close(false);
            assertThat(Streams.readByte(links.far())).isEqualTo(Link.EOF);
            links.far().close(false);
        }
        Eventually.until("all queue pairs are gone", () -> net.network.queuePairs().isEmpty());
    }

    private static Void write(Link link, ByteBuffer src) throws IOException {
        Streams.write(link, src);
        return null;
    }

    private static int fill(Link link) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(1 << 20);
        int total = 0;
        for (int sent = link.send(buffer); sent > 0; sent = link.send(buffer)) {
            total += sent;
        }
        return total;
    }
}
