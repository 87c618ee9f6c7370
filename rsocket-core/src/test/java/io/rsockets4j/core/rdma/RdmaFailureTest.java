/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.fabric.FakePort;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.Streams;
import io.rsockets4j.core.fabric.Waiter;
import io.rsockets4j.core.verbs.memory.ConnectFault;
import io.rsockets4j.core.verbs.memory.MemoryQueuePair;
import io.rsockets4j.core.verbs.memory.Violation;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections end as over TCP when the network, a host or a device fails, and connecting fails with the cause. */
class RdmaFailureTest {
    private static final int RING = 8192;
    private static final int SLAB_SLOTS = (64 << 10) / (2 * RING); // of a session's first one

    private final RdmaNetwork network =
            new RdmaNetwork("ring.bytes=" + RING, "keepalive.seconds=1", "handshake.millis=3000");

    @AfterEach
    void assertNoViolations() {
        network.close();
        assertThat(network.network.violations()).isEmpty();
    }

    // ---- connections

    @Test
    void shouldWakeWhoeverWaitsWhenTheQueuePairFails() throws Exception {
        RdmaNetwork.Links links = network.links();
        CompletableFuture<Integer> reading = Traffic.start("reader", () -> Streams.readByte(links.near()));
        CompletableFuture<Void> writing = Traffic.sending(links.near(), 4 * RING, RING, 1);
        awaitFull(links.near());
        queuePair(0).fail();
        assertFails(reading, SocketException.class, "Connection reset");
        assertFails(writing, IOException.class, "Broken pipe");
        links.near().close(false);
        assertThatThrownBy(() -> Traffic.receive(links.far(), 4 * RING, RING, 1)).isInstanceOf(Throwable.class);
    }

    @Test
    void shouldTimeOutWhenThePeersHostVanishes() throws Exception {
        RdmaNetwork.Links links = network.links();
        CompletableFuture<Integer> reading = Traffic.start("reader", () -> Streams.readByte(links.near()));
        network.far.vanish(true);
        links.near().send(ByteBuffer.allocate(10));
        assertFails(reading, SocketException.class, "Connection timed out");
        assertThatThrownBy(() -> links.near().send(ByteBuffer.allocate(1))).hasMessageContaining("Broken pipe");
    }

    @Test
    void shouldNoticeByKeepAliveThatThePeersHostHasVanished() throws Exception {
        RdmaNetwork.Links links = network.links();
        links.near().keepAlive(true);
        CompletableFuture<Integer> reading = Traffic.start("reader", () -> Streams.readByte(links.near()));
        network.far.vanish(true);
        assertFails(reading, SocketException.class, "Connection timed out");
    }

    /** One of them asks for all. */
    @Test
    void shouldNoticeForAllConnectionsOfASessionThatThePeersHostHasVanished() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        List<CompletableFuture<Integer>> readers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            RdmaLink near = network.connect(listening.address());
            listening.accept();
            near.keepAlive(i == 7);
            readers.add(Traffic.start("reader", () -> Streams.readByte(near)));
        }
        network.far.vanish(true);
        for (CompletableFuture<Integer> reader : readers) {
            assertFails(reader, SocketException.class, "Connection timed out");
        }
    }

    @Test
    void shouldEndConnectionsWhenTheDeviceIsRemoved() throws Exception {
        RdmaNetwork.Links links = network.links();
        CompletableFuture<Integer> nearReads = Traffic.start("reader", () -> Streams.readByte(links.near()));
        CompletableFuture<Void> nearWrites = Traffic.sending(links.near(), 4 * RING, RING, 1);
        awaitFull(links.near());
        network.near.removeDevice();
        assertFails(nearReads, SocketException.class, "Connection reset");
        assertFails(nearWrites, IOException.class, "Broken pipe");
        links.near().close(false);
        assertThatThrownBy(() -> network.connect(RdmaNetwork.newAddress())).hasMessageContaining("No such device");
    }

    /** Both ends end, whenever it happens: in the handshake, in the stream, in the close. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 8, 13, 21, 34, 55})
    void shouldEndWhenTheConnectionIsLostAtAnyMoment(int moment) throws Exception {
        network.near.breakNewAfter(moment);
        RdmaNetwork.Listening listening = network.listen();
        CompletableFuture<Object> far = Traffic.start("far", () -> exchange(listening.accept()));
        try {
            RdmaLink near = network.connect(listening.address());
            assertThatThrownBy(() -> exchange(near)).isInstanceOf(IOException.class);
        } catch (IOException e) {
            assertThat(moment).as("%s", e).isLessThan(2);
        }
        if (moment > 0) {
            assertThatThrownBy(() -> far.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(IOException.class);
        }
        Eventually.until("all queue pairs are gone", () -> network.network.queuePairs().isEmpty());
    }

    /** Sends and receives bytes in turn until something breaks. */
    private static Object exchange(Link link) throws IOException {
        try {
            for (int i = 0; i < 10_000; i++) {
                Streams.write(link, ByteBuffer.allocate(100));
                Streams.read(link, ByteBuffer.allocate(100));
            }
            return null;
        } finally {
            link.close(false);
        }
    }

    /** The far program closes while the near one writes: everything is given back. */
    @Test
    void shouldGiveBackWhatALostConnectionHad() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        for (int i = 0; i < 20; i++) {
            RdmaLink near = network.connect(listening.address());
            RdmaLink far = listening.accept();
            Streams.writeByte(near, i);
            assertThat(Streams.readByte(far)).isEqualTo(i);
            queuePair(0).fail();
            Eventually.until("the loss is known", () -> near.connection().failure() != null);
            near.close(false);
            far.close(false);
            Eventually.until("all queue pairs are gone", () -> network.network.queuePairs().isEmpty());
        }
    }

    // ---- our own threads

    @Test
    void shouldResetConnectionsWhoseCompletionsNobodyLooksAfter() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        RdmaLink near = network.connect(listening.address());
        CompletableFuture<Integer> reading = Traffic.start("reader", () -> Streams.readByte(near));
        network.near.failCompletions(new IOException("a test's"));
        assertFails(reading, SocketException.class, "Connection reset");
        near.close(false);
        network.near.failCompletions(null);
        assertThat(network.connect(listening.address())).as("by another channel").isNotNull();
    }

    @Test
    void shouldGoOnAfterAnErrorOfTheThreadThatLooksAfterCompletions() throws Exception {
        RdmaNetwork.Links links = network.links();
        network.near.failCompletions(new OutOfMemoryError("a test's"));
        for (int i = 0; i < 10; i++) {
            CompletableFuture<Integer> reading = Traffic.start("reader", () -> Streams.readByte(links.near()));
            Streams.writeByte(links.far(), i);
            assertThat(reading.get(20, TimeUnit.SECONDS)).isEqualTo(i);
        }
    }

    @Test
    void shouldLoseNoCompletionsByAnErrorOfTheThreadThatWasToldOfThem() throws Exception {
        RdmaNetwork.Links links = network.links();
        network.near.loseEvent(new OutOfMemoryError("a test's"));
        for (int i = 0; i < 10; i++) {
            CompletableFuture<Integer> reading = Traffic.start("reader", () -> Streams.readByte(links.near()));
            Streams.writeByte(links.far(), i);
            assertThat(reading.get(20, TimeUnit.SECONDS)).isEqualTo(i);
        }
    }

    @Test
    void shouldCostNobodyElseWhenAnErrorHitsAConnection() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        RdmaLink hit = network.connect(listening.address());
        RdmaLink hitFar = listening.accept();
        RdmaLink other = network.connect(listening.address());
        RdmaLink otherFar = listening.accept();
        AtomicBoolean thrown = new AtomicBoolean();
        Waiter full = source -> {
            if (thrown.compareAndSet(false, true)) {
                throw new StackOverflowError("a test's");
            }
        };
        hit.arm(SelectionKey.OP_READ, full);
        CompletableFuture<Integer> reading = Traffic.start("reader", () -> Streams.readByte(other));
        Streams.writeByte(hitFar, 1);
        Streams.writeByte(otherFar, 2);
        assertThat(reading.get(20, TimeUnit.SECONDS)).isEqualTo(2);
        Eventually.until("the connection is reset", () -> hit.connection().failure() != null);
        hit.close(true);
    }

    @Test
    void shouldResetConnectionsOfWhoseEndNobodyWouldHear() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        RdmaLink near = network.connect(listening.address());
        CompletableFuture<Integer> reading = Traffic.start("reader", () -> Streams.readByte(near));
        network.near.failEvents(new IOException("a test's"));
        assertFails(reading, SocketException.class, "Connection reset");
        assertThatThrownBy(() -> network.connect(listening.address())).isInstanceOf(IOException.class)
                .hasMessageContaining("no event of the RDMA connection manager can be received");
    }

    @Test
    void shouldFailConnectsThatWaitForEventsThatWillNotCome() throws Exception {
        InetSocketAddress address = network.listen().address();
        network.network.fault(address.getAddress(), ConnectFault.SILENT);
        RdmaFabric patient = network.initiator();
        CompletableFuture<Link> connecting = Traffic.start("connector",
                () -> patient.connect(address, new FakePort(), Long.MAX_VALUE));
        Eventually.until("the connect is under way", () -> !network.network.queuePairs().isEmpty());
        network.near.failEvents(new IOException("a test's"));
        assertThatThrownBy(() -> connecting.get(20, TimeUnit.SECONDS)).hasMessageContaining("a test's");
    }

    @Test
    void shouldWithdrawListenersThatHearOfNoConnect() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        network.far.failEvents(new IOException("a test's"));
        Eventually.until("peers are refused", () -> network.connect(listening.address()) == null);
    }

    // ---- connecting

    @Test
    void shouldFindNobodyWhereNobodyListens() throws Exception {
        assertThat(network.connect(RdmaNetwork.newAddress())).isNull();
        assertNoQueuePairs();
    }

    @Test
    void shouldNotConnectAgainstARefusal() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        network.network.fault(listening.address().getAddress(), ConnectFault.REFUSED);
        assertThat(network.connect(listening.address())).isNull();
        network.network.fault(listening.address().getAddress(), null);
        assertThat(network.connect(listening.address())).isNotNull();
    }

    @ParameterizedTest
    @EnumSource(value = ConnectFault.class, mode = EnumSource.Mode.EXCLUDE, names = "REFUSED")
    void shouldSayWhyItCannotConnect(ConnectFault fault) throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        network.network.fault(listening.address().getAddress(), fault);
        String cause = switch (fault) {
            case NO_DEVICE -> "No such device";
            case NO_ADDRESS -> "ADDR_ERROR";
            case NO_ROUTE -> "ROUTE_ERROR";
            case UNREACHABLE -> "no answer from";
            default -> "did not answer in time";
        };
        assertThatThrownBy(() -> network.connect(listening.address())).isInstanceOf(IOException.class)
                .hasMessageContaining(cause);
        assertNoQueuePairs();
        network.network.fault(listening.address().getAddress(), null);
        assertThat(network.connect(listening.address())).isNotNull();
    }

    @Test
    void shouldNameTheLimitOfPinnedMemory() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        network.near.pinnable(4096);
        assertThatThrownBy(() -> network.connect(listening.address())).isInstanceOf(IOException.class)
                .hasMessageContaining("memlock");
        network.near.pinnable(Long.MAX_VALUE);
        assertThat(network.connect(listening.address())).isNotNull();
    }

    @Test
    void shouldDoWithTheRingsThatMayBePinned() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        network.connect(listening.address());
        network.near.pinnable(2 * RING); // a slab of one ring more
        for (int i = 0; i < SLAB_SLOTS; i++) {
            assertThat(network.connect(listening.address())).isNotNull();
        }
        assertThatThrownBy(() -> network.connect(listening.address())).hasMessageContaining("memlock");
    }

    @Test
    void shouldListenAgainAsSoonAsClosed() throws Exception {
        RdmaNetwork.Listening first = network.listen();
        for (int i = 0; i < 20; i++) {
            first.queue().close();
            first = network.listen(first.address());
        }
        assertThat(network.connect(first.address())).isNotNull();
    }

    @Test
    void shouldRefuseConnectsThatWaitWhenTheListenerCloses() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        InetSocketAddress address = listening.address();
        RdmaLink near = network.connect(address);
        listening.queue().close();
        assertThatThrownBy(() -> Streams.readByte(near)).isInstanceOf(SocketException.class);
        assertThat(network.connect(address)).isNull();
    }

    // ---- helpers

    private MemoryQueuePair queuePair(int index) {
        return network.network.queuePairs().get(index);
    }

    private static void awaitFull(RdmaLink link) throws Exception {
        Eventually.until("the ring is full", () -> link.connection().out().tail() >= RING);
    }

    private void assertNoQueuePairs() throws Exception {
        Eventually.until("all queue pairs are gone", () -> network.network.queuePairs().isEmpty());
        assertThat(network.network.violations(Violation.Kind.USE_AFTER_DESTROY)).isEmpty();
    }

    private static void assertFails(CompletableFuture<?> task, Class<?> type, String message) {
        assertThatThrownBy(() -> task.get(20, TimeUnit.SECONDS)).cause().isInstanceOf(type).hasMessage(message);
    }
}
