/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import static java.nio.channels.SelectionKey.OP_READ;
import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.rdma.DirectProbe;
import io.rsockets4j.core.verbs.memory.MemoryHost;
import io.rsockets4j.core.verbs.memory.MemoryNetwork;
import io.rsockets4j.spi.suite.kit.EngineSettings;
import io.rsockets4j.spi.suite.kit.Machine;
import io.rsockets4j.spi.suite.kit.OnMemoryVerbs;
import io.rsockets4j.spi.suite.kit.Threads;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Extended sockets whose bytes go straight from the sender's memory into the receiver's, on verbs in memory: each
 * receive that waits is told to the peer, however small it is. Rings stay as small as they are at first.
 */
@Timeout(60)
@OnMemoryVerbs
@EngineSettings({"paths=rdma", "ring.bytes=8192", "direct.registered.min.bytes=1"})
class ExtendedRdmaDirectTest extends ExtendedSocketsContract {
    private static final int GIB = 1 << 30;
    private static final int BYTES = 1 << 20;
    private static final int PART = 100_000;

    @AfterEach
    void goOn() {
        network().pause(false);
    }

    private static MemoryNetwork network() {
        return MemoryHost.shared().network();
    }

    private static Link link(ExtendedSocket socket) throws IOException {
        return DirectProbe.link(socket.localAddress(), socket.remoteAddress());
    }

    private static void awaitReceive(ExtendedSocket sender) throws Exception {
        Link link = link(sender);
        Threads.await("the receive at " + sender, () -> DirectProbe.knowsOfBuffer(link));
    }

    private static void assertNearlyAllWentStraight(ExtendedSocket receiver) throws IOException {
        assertThat(link(receiver).directBytesReceived()).isBetween(BYTES * 95L / 100, (long) BYTES);
    }

    @Test
    void shouldWriteStraightIntoAReceiveThatWaits() throws Exception {
        try (Ends ends = new Ends(SocketType.STREAM)) {
            RegisteredMemory into = RegisteredMemory.allocate(BYTES);
            ends.server.receiveAll(into, 0, BYTES, null);
            awaitReceive(ends.client);
            Link sender = link(ends.client);
            network().pause(true);
            ends.client.send(Ends.filled(BYTES, 5), 0, BYTES, null);
            assertThat(DirectProbe.lent(sender)).as("it is sent from itself").isEqualTo(BYTES);
            network().pause(false);
            assertThat(ends.received(ends.server).bytes()).isEqualTo(BYTES);
            Ends.check(into, 0, BYTES, 0, 5);
            assertNearlyAllWentStraight(ends.server);
        }
    }

    /** As many sends and receives at once as a peer is told of, and some more. */
    @ParameterizedTest
    @CsvSource({"40, true", "32, false"})
    void shouldMoveManySendsStraightIntoManyReceives(int count, boolean waitAll) throws Exception {
        try (Ends ends = new Ends(SocketType.STREAM)) {
            RegisteredMemory into = RegisteredMemory.allocate(count * PART);
            ends.receiveMany(into, count, PART, waitAll);
            Link sender = link(ends.client);
            DirectProbe.awaitRoomOfBuffers(sender, 32 * PART);
            network().pause(true);
            RegisteredMemory from = Ends.filled(count * PART, 5);
            long before = sender.bytesSent();
            ends.sendMany(from, count, PART);
            assertThat(sender.bytesSent() - before).as("under way at once").isEqualTo(32 * PART);
            assertThat(DirectProbe.lent(sender)).as("registered once").isEqualTo(count * PART);
            network().pause(false);
            ends.awaitMany(count, PART);
            Ends.check(into, 0, count * PART, 0, 5);
            assertThat(link(ends.server).directBytesReceived()).isGreaterThanOrEqualTo(32 * PART);
            from.deregister();
            assertNothingLent(ends);
        }
    }

    /** One side's queue, and its events that nobody has asked for yet. */
    private record Side(EventQueue queue, Queue<Event> events) {
        static Side open() throws IOException {
            return new Side(EventQueue.open(), new ArrayDeque<>());
        }

        private void serve() throws IOException, InterruptedException {
            Event event = queue.dequeue(0, TimeUnit.SECONDS);
            if (event != null) {
                events.add(event);
            }
        }

        /** The next event here, while the other side is served too. */
        Event next(Side other) throws Exception {
            Threads.await("an event", () -> {
                serve();
                other.serve();
                return !events.isEmpty();
            });
            return events.remove();
        }
    }

    /** What is sent together with a message's length is a ring's worth at most, and goes by the ring. */
    @Test
    void shouldWriteTheRestOfAMessageStraightIntoTheReceive() throws Exception {
        Side clients = Side.open();
        Side servers = Side.open();
        try (clients.queue; servers.queue) {
            ExtendedListener listener = ExtendedListener.open(servers.queue, SocketType.MESSAGE,
                    new InetSocketAddress(Machine.address(), 0), 0);
            ExtendedSocket client = ExtendedSocket.open(clients.queue, SocketType.MESSAGE);
            listener.accept(null);
            client.connect(listener.localAddress(), null);
            ExtendedSocket server = servers.next(clients).accepted();
            assertThat(clients.next(servers).failure()).isNull();
            client.send(Ends.filled(BYTES, 6), 0, BYTES, null);
            awaitArrival(link(client), link(server));
            RegisteredMemory into = RegisteredMemory.allocate(BYTES);
            server.receive(into, 0, BYTES, null);
            awaitReceive(client); // before the client's side is served again
            assertThat(servers.next(clients).bytes()).isEqualTo(BYTES);
            Ends.check(into, 0, BYTES, 0, 6);
            assertNearlyAllWentStraight(server);
        }
    }

    /** Returns once all has arrived that was sent: a receive that starts now is for the byte behind it. */
    private static void awaitArrival(Link sender, Link receiver) throws Exception {
        Threads.await("what was sent", () -> {
            receiver.isReady(OP_READ);
            return receiver.bytesReceived() + receiver.available() == sender.bytesSent();
        });
    }

    // ---- memory that several operations use

    /** Nothing that programs have lent to the sessions of both ends is registered any more. */
    private static void assertNothingLent(Ends ends) throws IOException {
        for (ExtendedSocket socket : List.of(ends.client, ends.server)) {
            assertThat(DirectProbe.lent(link(socket))).isZero();
        }
    }

    /** One behind the other in the memory, or both at the same place. */
    @ParameterizedTest
    @ValueSource(ints = {PART, 0})
    void shouldFillOneMemoryByTwoReceives(int second) throws Exception {
        try (Ends ends = new Ends(SocketType.STREAM)) {
            RegisteredMemory into = RegisteredMemory.allocate(2 * PART);
            ends.server.receiveAll(into, 0, PART, 1);
            ends.server.receiveAll(into, second, PART, 2);
            awaitReceive(ends.client);
            RegisteredMemory from = Ends.filled(2 * PART, 7);
            ends.client.send(from, 0, 2 * PART, null);
            for (int i = 1; i <= 2; i++) {
                Event event = ends.received(ends.server);
                assertThat(event.context()).isEqualTo(i);
                assertThat(event.bytes()).isEqualTo(PART);
            }
            Ends.check(into, second, PART, PART, 7);
            Ends.check(into, 0, second, 0, 7);
            assertThat(ends.of(Event.Kind.SEND, ends.client).bytes()).isEqualTo(2 * PART);
            assertThat(link(ends.server).directBytesReceived()).isPositive();
            from.deregister();
            into.deregister();
            assertNothingLent(ends);
        }
    }

    @Test
    void shouldSendAndReceiveInOneMemory() throws Exception {
        try (Ends ends = new Ends(SocketType.STREAM)) {
            RegisteredMemory both = Ends.filled(3 * PART, 8); // the first part is sent to the third and to the second
            ends.server.receiveAll(both, 2 * PART, PART, null);
            ends.client.receiveAll(both, PART, PART, null);
            awaitReceive(ends.client);
            awaitReceive(ends.server);
            network().pause(true);
            ends.client.send(both, 0, PART, null);
            ends.server.send(both, 0, PART, null);
            for (ExtendedSocket socket : List.of(ends.client, ends.server)) {
                assertThat(DirectProbe.lent(link(socket))).as("all for sends, a part for a receive")
                        .isEqualTo(4 * PART);
            }
            network().pause(false);
            for (ExtendedSocket socket : List.of(ends.client, ends.server)) {
                assertThat(ends.received(socket).bytes()).isEqualTo(PART);
                assertThat(ends.of(Event.Kind.SEND, socket).bytes()).isEqualTo(PART);
                assertThat(link(socket).directBytesReceived()).isEqualTo(PART);
            }
            for (int part = 0; part < 3; part++) {
                Ends.check(both, part * PART, PART, 0, 8);
            }
            both.deregister();
            assertNothingLent(ends);
        }
    }

    @Test
    void shouldUseOneMemoryByTwoSockets() throws Exception {
        try (Ends ends = new Ends(SocketType.STREAM)) {
            ExtendedSocket client = ExtendedSocket.open(ends.queue, SocketType.STREAM);
            ends.listener.accept(null);
            client.connect(ends.listener.localAddress(), null);
            assertThat(ends.of(Event.Kind.CONNECT, client).failure()).isNull();
            ExtendedSocket server = ends.of(Event.Kind.ACCEPT, ends.listener).accepted();
            RegisteredMemory from = Ends.filled(PART, 9);
            RegisteredMemory into = RegisteredMemory.allocate(2 * PART);
            ends.server.receiveAll(into, 0, PART, null);
            server.receiveAll(into, PART, PART, null);
            awaitReceive(ends.client);
            awaitReceive(client);
            network().pause(true);
            ends.client.send(from, 0, PART, null);
            client.send(from, 0, PART, null);
            assertThat(DirectProbe.lent(link(client))).as("once, for both").isEqualTo(PART);
            network().pause(false);
            for (ExtendedSocket socket : List.of(ends.client, client)) {
                assertThat(ends.of(Event.Kind.SEND, socket).bytes()).isEqualTo(PART);
            }
            for (ExtendedSocket socket : List.of(ends.server, server)) {
                assertThat(ends.received(socket).bytes()).isEqualTo(PART);
                assertThat(link(socket).directBytesReceived()).isEqualTo(PART);
            }
            Ends.check(into, 0, PART, 0, 9);
            Ends.check(into, PART, PART, 0, 9);
            from.deregister();
            into.deregister();
            assertNothingLent(ends);
        }
    }

    // ---- as much as direct.registered.min.bytes can be

    /** Two buffers of a gibibyte, which a JVM may have whose heap, as its limit for them is the same, may be larger. */
    static boolean hasMemory() {
        return Runtime.getRuntime().maxMemory() > 2L * GIB + (512 << 20);
    }

    /** A gibibyte of which few bytes are not 0. */
    private static RegisteredMemory sparse() {
        RegisteredMemory memory = RegisteredMemory.allocate(GIB);
        for (int i = 0; i < GIB; i += 4096) {
            memory.buffer().putInt(i, i + 1);
        }
        return memory;
    }

    @Test
    @EnabledIf(value = "hasMemory", disabledReason = "it takes 2 GiB of direct memory")
    void shouldMoveAGibibyteAtOnce() throws Exception {
        RegisteredMemory from = sparse();
        RegisteredMemory into = RegisteredMemory.allocate(GIB);
        try (Ends ends = new Ends(SocketType.STREAM)) {
            ends.server.receiveAll(into, 0, GIB, null);
            awaitReceive(ends.client);
            ends.client.send(from, 0, GIB, null);
            assertThat(ends.received(ends.server).bytes()).isEqualTo(GIB);
            assertThat(ends.of(Event.Kind.SEND, ends.client).bytes()).isEqualTo(GIB);
            assertThat(link(ends.server).directBytesReceived()).isEqualTo(GIB);
            from.deregister();
            assertNothingLent(ends);
            assertThat(into.buffer().mismatch(from.buffer())).isEqualTo(-1);
        }
    }

    /** The peer says how long its message is, and no more. */
    @Test
    void shouldRefuseAMessageOfAGibibyteThatIsTooLong() throws Exception {
        try (Ends ends = new Ends(SocketType.MESSAGE);
                SocketChannel peer = ends.queue.provider().openSocketChannel()) {
            ends.listener.accept(null);
            peer.connect(ends.listener.localAddress());
            byte[] greeting = "EXS\1\0\0IM".getBytes(StandardCharsets.US_ASCII);
            peer.write(ByteBuffer.allocate(12).put(greeting).putInt(GIB).flip());
            ExtendedSocket socket = ends.of(Event.Kind.ACCEPT, ends.listener).accepted();
            socket.receive(RegisteredMemory.allocate(16), 0, 16, null);
            assertThat(ends.received(socket).failure()).isInstanceOf(MessageTooLongException.class)
                    .hasMessage("Message of 1073741824 bytes, buffer of 16");
        }
    }
}
