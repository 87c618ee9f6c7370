/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static io.rsockets4j.core.rdma.RdmaDirectTest.bytes;
import static io.rsockets4j.core.rdma.RdmaDirectTest.offer;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.direct.OwnAdverts;
import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.Streams;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several reads whose buffers wait for what the peer writes straight: filled in order, and told of anew. */
@Timeout(60)
class RdmaManyBuffersTest {
    private static final int RING = HandPeer.RING_BYTES;

    private final RdmaNetwork network = new RdmaNetwork("ring.bytes=" + RING, "direct.min.bytes=1");

    @AfterEach
    void close() {
        network.close();
    }

    private static List<ByteBuffer> offerSeveral(Link link, int count, int length, boolean waitAll)
            throws IOException {
        List<ByteBuffer> buffers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            buffers.add(ByteBuffer.allocateDirect(length));
        }
        assertThat(link.receive(buffers.get(0))).isZero();
        for (ByteBuffer buffer : buffers) {
            assertThat(link.offer(buffer, waitAll)).isTrue();
        }
        return buffers;
    }

    @Test
    void shouldFillBuffersInTheOrderInWhichTheyAreOffered() throws Exception {
        RdmaNetwork.Links links = network.links();
        long pinned = network.far.pinned();
        List<ByteBuffer> buffers = offerSeveral(links.far(), OwnAdverts.MAX, 100, false);
        assertThat(links.far().offer(ByteBuffer.allocateDirect(1), false)).as("one more").isFalse();
        DirectProbe.awaitRoomOfBuffers(links.near(), 100 * OwnAdverts.MAX);
        for (int i = 0; i < buffers.size(); i++) {
            Streams.write(links.near(), bytes(1 + i, i)); // each ends the read of one buffer
        }
        for (int i = 0; i < buffers.size(); i++) {
            assertThat(Streams.readSome(links.far(), buffers.get(i))).isEqualTo(1 + i);
            assertThat(buffers.get(i).flip()).isEqualTo(bytes(1 + i, i));
        }
        assertThat(links.far().directBytesReceived()).isEqualTo(links.far().bytesReceived());
        assertThat(network.far.pinned()).isEqualTo(pinned);
        assertThat(network.network.violations()).isEmpty();
    }

    @Test
    void shouldSendOneBufferIntoSeveral() throws Exception {
        RdmaNetwork.Links links = network.links();
        List<ByteBuffer> buffers = offerSeveral(links.far(), 3, 100_000, true);
        DirectProbe.awaitRoomOfBuffers(links.near(), 300_000);
        ByteBuffer source = bytes(300_000, 3);
        network.network.pause(true);
        assertThat(links.near().lend(source, null)).as("all of it is under way").isTrue();
        network.network.pause(false);
        Streams.write(links.near(), source);
        for (int i = 0; i < 3; i++) {
            assertThat(Streams.read(links.far(), buffers.get(i)))
                    .isEqualTo(source.duplicate().position(i * 100_000).limit((i + 1) * 100_000));
        }
        assertThat(links.far().directBytesReceived()).isEqualTo(300_000);
    }

    @Test
    void shouldSendSeveralBuffersAtOnce() throws Exception {
        RdmaNetwork.Links links = network.links();
        long pinned = network.near.pinned();
        ByteBuffer buffer = offerSeveral(links.far(), 1, 1000, true).get(0);
        DirectProbe.awaitRoomOfBuffers(links.near(), 1000);
        List<ByteBuffer> sources = List.of(bytes(300, 0), bytes(500, 300), bytes(300, 800));
        network.network.pause(true);
        assertThat(links.near().lend(sources.get(0), null)).isTrue();
        assertThat(links.near().lend(sources.get(1), null)).isTrue();
        assertThat(links.near().lend(sources.get(2), null)).as("as much as the peer's buffer takes").isFalse();
        assertThat(links.near().lend(sources.get(0), null)).as("known").isTrue();
        assertThat(network.near.pinned()).isEqualTo(pinned + 1000);
        assertThat(links.near().isReady(OP_WRITE)).isFalse();
        network.network.pause(false);
        for (ByteBuffer source : sources) {
            Streams.write(links.near(), source);
        }
        assertThat(Streams.read(links.far(), buffer)).isEqualTo(bytes(1000, 0));
        assertThat(links.far().directBytesReceived()).isEqualTo(1000);
        assertThat(Streams.read(links.far(), ByteBuffer.allocate(100))).isEqualTo(bytes(100, 1000));
        assertThat(network.near.pinned()).isEqualTo(pinned);
    }

    @Test
    void shouldTellAnewOfBuffersThatBytesByTheRingMadeStale() throws Exception {
        RdmaNetwork.Links links = network.links();
        network.network.pause(true);
        Streams.write(links.near(), bytes(1, 7));
        List<ByteBuffer> buffers = offerSeveral(links.far(), 3, 100, false);
        long pinned = network.far.pinned();
        network.network.pause(false);
        assertThat(Streams.readSome(links.far(), buffers.get(0))).isEqualTo(1);
        assertThat(links.far().receive(buffers.get(1))).as("and tells of the other two").isZero();
        DirectProbe.awaitRoomOfBuffers(links.near(), 200);
        assertThat(network.far.pinned()).as("they stay registered").isEqualTo(pinned - 100);
        Streams.write(links.near(), bytes(100, 1));
        Streams.write(links.near(), bytes(90, 2));
        assertThat(Streams.readSome(links.far(), buffers.get(1))).isEqualTo(100);
        assertThat(Streams.readSome(links.far(), buffers.get(2))).isEqualTo(90);
        assertThat(buffers.get(1).flip()).isEqualTo(bytes(100, 1));
        assertThat(buffers.get(2).flip()).isEqualTo(bytes(90, 2));
        assertThat(links.far().directBytesReceived()).isEqualTo(190);
        assertThat(network.network.violations()).isEmpty();
    }

    /** Who hears of room before the ring is empty fills it again, and finds all buffers stale for ever. */
    @Test
    void shouldReturnCreditWithTheAdvertOfTheNextBuffer() throws Exception {
        RdmaNetwork.Links links = network.links();
        network.network.pause(true);
        ByteBuffer source = bytes(RING, 1);
        assertThat(links.near().lend(source, null)).as("straight").isFalse();
        assertThat(links.near().send(source)).as("by the ring").isEqualTo(RING);
        List<ByteBuffer> buffers = offerSeveral(links.far(), 3, RING / 2, false);
        network.network.pause(false);
        long messages = links.far().messagesSent();
        assertThat(Streams.readSome(links.far(), buffers.get(0))).isEqualTo(RING / 2);
        assertThat(Streams.readSome(links.far(), buffers.get(1))).isEqualTo(RING / 2);
        assertThat(links.far().messagesSent()).as("while one more waits").isEqualTo(messages);
        assertThat(links.far().receive(buffers.get(2))).isZero();
        assertThat(links.far().messagesSent()).isEqualTo(messages + 1);
        Eventually.until("credit comes", () -> {
            links.near().isReady(OP_READ);
            return links.near().creditBytes() == RING;
        });
        Streams.write(links.near(), bytes(RING / 2, 3));
        assertThat(Streams.readSome(links.far(), buffers.get(2))).isEqualTo(RING / 2);
        assertThat(links.far().directBytesReceived()).isEqualTo(RING / 2);
    }

    @Test
    void shouldReturnCreditWhereNoOtherBufferWaits() throws Exception {
        RdmaNetwork.Links links = network.links();
        network.network.pause(true);
        ByteBuffer source = bytes(RING, 1);
        assertThat(links.near().lend(source, null)).as("straight").isFalse();
        assertThat(links.near().send(source)).as("by the ring").isEqualTo(RING);
        List<ByteBuffer> buffers = offerSeveral(links.far(), 2, RING / 2, false);
        network.network.pause(false);
        assertThat(Streams.readSome(links.far(), buffers.get(0))).isEqualTo(RING / 2);
        assertThat(Streams.readSome(links.far(), buffers.get(1))).isEqualTo(RING / 2);
        Eventually.until("credit comes", () -> {
            links.near().isReady(OP_READ);
            return links.near().creditBytes() == RING;
        });
    }

    @Test
    void shouldTellOfNoBufferWhilePeersWritesAreSmall() throws Exception {
        try (RdmaNetwork net = new RdmaNetwork("direct.min.bytes=1000")) {
            RdmaNetwork.Links links = net.links();
            long before = links.far().messagesSent();
            for (int i = 0; i < 500; i++) {
                ByteBuffer buffer = offer(links.far(), 1000);
                Streams.write(links.near(), bytes(16, i));
                assertThat(Streams.readSome(links.far(), buffer)).isEqualTo(16);
            }
            assertThat(links.far().messagesSent() - before).as("an advert, and credit").isLessThan(20);
            ByteBuffer ahead = bytes(2000, 1);
            Streams.write(links.near(), ahead);
            Streams.read(links.far(), ByteBuffer.allocate(2000));
            offer(links.far(), 1000);
            DirectProbe.awaitRoomOfBuffers(links.near(), 1000); // the peer has said that it uses them
        }
    }

    @Test
    void shouldTellOfBuffersBehindTheSmallWritesBetweenLargeOnes() throws Exception {
        try (RdmaNetwork net = new RdmaNetwork("direct.min.bytes=1000")) {
            RdmaNetwork.Links links = net.links();
            for (int i = 0; i < 4; i++) {
                ByteBuffer body = offer(links.far(), 1000);
                DirectProbe.awaitRoomOfBuffers(links.near(), 1000);
                Streams.write(links.near(), bytes(1000, i));
                assertThat(Streams.read(links.far(), body)).isEqualTo(bytes(1000, i));
                Streams.write(links.near(), bytes(16, i)); // the next one's header
                assertThat(Streams.read(links.far(), ByteBuffer.allocate(16))).isEqualTo(bytes(16, i));
            }
            assertThat(links.far().directBytesReceived()).isEqualTo(4000);
        }
    }

    @Test
    void shouldFillABufferThatWaitsForAllByBothWays() throws Exception {
        RdmaNetwork.Links links = network.links();
        int length = 4 * RING;
        ByteBuffer buffer = offerSeveral(links.far(), 1, length, true).get(0);
        DirectProbe.awaitRoomOfBuffers(links.near(), length);
        ByteBuffer source = bytes(length, 1);
        assertThat(links.near().lend(source.limit(RING), null)).isTrue();
        Streams.write(links.near(), source);
        assertThat(links.near().creditBytes()).as("what went straight takes no room in the ring").isEqualTo(RING);
        CompletableFuture<ByteBuffer> reader = Traffic.start("reader", () -> Streams.read(links.far(), buffer));
        Streams.write(links.near(), ByteBuffer.allocate(length).put(bytes(length, 1)).flip().position(RING));
        assertThat(reader.get(20, TimeUnit.SECONDS)).isEqualTo(bytes(length, 1));
        assertThat(links.far().directBytesReceived()).isEqualTo(RING);
    }

    /** Sends so many buffers, of which eight are lent at a time. */
    private static void sendMany(Link link, int count, int length) throws IOException {
        ArrayDeque<ByteBuffer> pending = new ArrayDeque<>();
        for (int i = 0; i < count || !pending.isEmpty(); i++) {
            if (i < count) {
                pending.addLast(bytes(length, i));
            }
            if (pending.size() == 8 || i >= count) {
                Streams.write(link, pending.removeFirst());
            }
            for (Iterator<ByteBuffer> all = pending.iterator(); all.hasNext() && link.lend(all.next(), null);) {
                continue;
            }
        }
    }

    /** Receives as many, of which eight are offered at a time. */
    private static void receiveMany(Link link, int count, int length) throws IOException {
        ArrayDeque<ByteBuffer> pending = new ArrayDeque<>();
        for (int i = 0, received = 0; received < count; i++) {
            if (i < count) {
                pending.addLast(ByteBuffer.allocateDirect(length));
            }
            if (pending.size() == 8 || i >= count) {
                assertThat(Streams.read(link, pending.removeFirst())).isEqualTo(bytes(length, received++));
            }
            ByteBuffer first = pending.peekFirst();
            if (first != null && first.hasRemaining() && link.receive(first) == 0) {
                for (Iterator<ByteBuffer> all = pending.iterator(); all.hasNext() && link.offer(all.next(), true);) {
                    continue;
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldKeepTheOrderOfManyBuffersOfBothSides(boolean directOnly) throws Exception {
        try (RdmaNetwork net = new RdmaNetwork("direct.min.bytes=1000", "direct.only=" + directOnly)) {
            RdmaNetwork.Links links = net.links();
            int count = 3000;
            CompletableFuture<Void> sender = Traffic.start("sender", () -> {
                sendMany(links.near(), count, 3000);
                return null;
            });
            CompletableFuture<Void> receiver = Traffic.start("receiver", () -> {
                receiveMany(links.far(), count, 3000);
                return null;
            });
            Traffic.join(List.of(sender, receiver));
            assertThat(links.far().bytesReceived()).isEqualTo(3000L * count);
            assertThat(links.far().directBytesReceived()).as("a sender that is ahead may stay on the ring")
                    .isBetween(directOnly ? 3000L * count : 0, 3000L * count);
            assertThat(net.network.violations()).isEmpty();
        }
    }

    @Test
    void shouldTakeAllBuffersBack() throws Exception {
        RdmaNetwork.Links links = network.links();
        long pinned = network.far.pinned();
        offerSeveral(links.far(), 4, 100, true);
        DirectProbe.awaitRoomOfBuffers(links.near(), 400);
        ByteBuffer source = bytes(130, 1);
        assertThat(links.near().lend(source, null)).isTrue();
        Streams.write(links.near(), source);
        Eventually.until("the first buffer is full", () -> links.far().isReady(OP_READ));
        CompletableFuture<Integer> back = Traffic.start("taker", links.far()::takeBack);
        Eventually.until("the peer lets go of them", () -> {
            links.near().isReady(OP_READ);
            return back.isDone();
        });
        assertThat(back.get()).isEqualTo(100);
        assertThat(network.far.pinned()).isEqualTo(pinned);
        assertThat(links.near().connection().out().isAdvertised()).isFalse();
        Streams.write(links.near(), bytes(10, 5));
        assertThat(Streams.read(links.far(), ByteBuffer.allocate(10))).isEqualTo(bytes(10, 5));
        assertThat(network.network.violations()).isEmpty();
    }

    @Test
    void shouldGiveAPartToAReceiveThatWaitsForAllWhenTheStreamEnds() throws Exception {
        RdmaNetwork.Links links = network.links();
        List<ByteBuffer> buffers = offerSeveral(links.far(), 2, 100, true);
        DirectProbe.awaitRoomOfBuffers(links.near(), 200);
        ByteBuffer source = bytes(60, 1);
        assertThat(links.near().lend(source, null)).isTrue();
        Streams.write(links.near(), source);
        links.near().shutdownOutput();
        assertThat(Streams.readSome(links.far(), buffers.get(0))).isEqualTo(60);
        assertThat(Streams.readSome(links.far(), buffers.get(0))).isEqualTo(Link.EOF);
        assertThat(buffers.get(0).flip()).isEqualTo(bytes(60, 1));
    }

    /** What the peer's device has acknowledged is not lost. */
    @Test
    void shouldGiveAPartToAReceiveThatWaitsForAllWhenThePeerGoes() throws Exception {
        try (RdmaNetwork net = new RdmaNetwork("direct.min.bytes=1", "rdma.links=1")) {
            RdmaNetwork.Links links = net.links();
            ByteBuffer buffer = offerSeveral(links.far(), 1, 100, true).get(0);
            DirectProbe.awaitRoomOfBuffers(links.near(), 100);
            Streams.write(links.near(), bytes(60, 1));
            links.near().connection().session().fail(new IOException("a test's"));
            assertThat(Streams.readSome(links.far(), buffer)).isEqualTo(60);
            assertThat(Streams.readSome(links.far(), buffer)).isEqualTo(Link.EOF);
            assertThat(buffer.flip()).isEqualTo(bytes(60, 1));
        }
    }

    @Test
    void shouldWaitForABufferWhereNothingElseMayBeUsed() throws Exception {
        try (RdmaNetwork net = new RdmaNetwork("direct.min.bytes=1000", "direct.only=true")) {
            RdmaNetwork.Links links = net.links();
            ByteBuffer source = bytes(3000, 1);
            assertThat(links.near().send(source)).isZero();
            assertThat(links.near().isReady(OP_WRITE)).isFalse();
            Streams.write(links.near(), bytes(999, 5));
            assertThat(Streams.read(links.far(), ByteBuffer.allocate(999))).as("a small one").isEqualTo(bytes(999, 5));
            CompletableFuture<Void> writer = Traffic.start("writer", () -> {
                Streams.write(links.near(), source);
                return null;
            });
            assertThat(Streams.read(links.far(), ByteBuffer.allocateDirect(3000))).isEqualTo(bytes(3000, 1));
            writer.get(20, TimeUnit.SECONDS);
            assertThat(links.far().directBytesReceived()).isEqualTo(3000);
            CompletableFuture<Void> small = Traffic.start("more small ones than the ring has room for", () -> {
                for (int i = 0; i < 1000; i++) {
                    Streams.write(links.near(), bytes(999, 5));
                }
                return null;
            });
            ByteBuffer all = Streams.read(links.far(), ByteBuffer.allocate(999_000));
            assertThat(all.slice(998_001, 999)).isEqualTo(bytes(999, 5));
            small.get(20, TimeUnit.SECONDS);
        }
    }
}
