/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.engine.EngineHolder;
import io.rsockets4j.spi.suite.kit.Machine;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What extended sockets do, whatever carries them. A subclass names the one path by its settings. */
abstract class ExtendedSocketsContract {
    private static final int MIB = 1 << 20;

    @AfterAll
    static void assertPath() {
        String path = String.join(",", EngineHolder.instance().settings().paths());
        assertThat(EngineHolder.instance().counts().of(path)).as("connections by %s", path).isPositive();
    }

    @Test
    void shouldKeepTheBoundariesOfMessages() throws Exception {
        int[] sizes = {1, 0, 100, 65_536, 0, 3, MIB + 1};
        try (Ends ends = new Ends(SocketType.MESSAGE)) {
            RegisteredMemory into = RegisteredMemory.allocate(2 * MIB);
            for (int size : sizes) {
                ends.client.send(Ends.filled(size, size), 0, size, size);
            }
            for (int size : sizes) {
                ends.server.receive(into, 7, 2 * MIB - 7, "to " + size);
                Event event = ends.received(ends.server);
                assertThat(event.failure()).isNull();
                assertThat(event.bytes()).isEqualTo(size);
                assertThat(event.context()).isEqualTo("to " + size);
                Ends.check(into, 7, size, 0, size);
                assertThat(ends.of(Event.Kind.SEND, ends.client).context()).isEqualTo(size);
            }
        }
    }

    @Test
    void shouldSayBothSizesOfAMessageThatIsTooLongAndLoseNoOther() throws Exception {
        try (Ends ends = new Ends(SocketType.MESSAGE)) {
            RegisteredMemory into = RegisteredMemory.allocate(16);
            for (int size : new int[] {16, 17, 100_000, 5}) {
                ends.client.send(Ends.filled(size, size), 0, size, null);
                ends.server.receive(into, 0, 16, null);
            }
            assertThat(ends.received(ends.server).bytes()).isEqualTo(16);
            for (int size : new int[] {17, 100_000}) {
                MessageTooLongException failure = (MessageTooLongException) ends.received(ends.server).failure();
                assertThat(failure.messageBytes()).isEqualTo(size);
                assertThat(failure.bufferBytes()).isEqualTo(16);
                assertThat(failure).hasMessage("Message of " + size + " bytes, buffer of 16");
            }
            assertThat(ends.received(ends.server).bytes()).isEqualTo(5);
            Ends.check(into, 0, 5, 0, 5);
        }
    }

    @Test
    void shouldDropAMessageThatIsTooLongWhileNobodyReceives() throws Exception {
        try (Ends ends = new Ends(SocketType.MESSAGE)) {
            ends.server.receive(RegisteredMemory.allocate(1), 0, 1, null);
            ends.client.send(Ends.filled(4 * MIB, 1), 0, 4 * MIB, null);
            assertThat(ends.received(ends.server).failure()).isInstanceOf(MessageTooLongException.class);
            assertThat(ends.of(Event.Kind.SEND, ends.client).bytes()).isEqualTo(4 * MIB);
        }
    }

    @Test
    void shouldServeManyOutstandingOperationsInOrder() throws Exception {
        int count = 100;
        try (Ends ends = new Ends(SocketType.MESSAGE)) {
            RegisteredMemory from = Ends.filled(count * 1000, 0);
            RegisteredMemory into = RegisteredMemory.allocate(count * 1000);
            for (int i = 0; i < count; i++) {
                ends.server.receive(into, i * 1000, 1000, i);
                ends.client.receive(into, i * 1000, 0, i);
            }
            for (int i = 0; i < count; i++) {
                ends.client.send(from, i * 1000, 1000, i);
                ends.server.send(from, 0, 0, i);
            }
            for (int i = 0; i < count; i++) {
                assertThat(ends.received(ends.server).context()).isEqualTo(i);
                assertThat(ends.received(ends.client).context()).isEqualTo(i);
            }
            Ends.check(into, 0, count * 1000, 0, 0);
        }
    }

    @Test
    void shouldEndReceivesAfterTheLastMessage() throws Exception {
        try (Ends ends = new Ends(SocketType.MESSAGE)) {
            ends.client.send(Ends.filled(3, 0), 0, 3, null);
            ends.client.shutdownOutput();
            RegisteredMemory into = RegisteredMemory.allocate(16);
            ends.server.receive(into, 0, 16, null);
            ends.server.receive(into, 0, 16, null);
            assertThat(ends.received(ends.server).bytes()).isEqualTo(3);
            Event end = ends.received(ends.server);
            assertThat(end.failure()).isNull();
            assertThat(end.bytes()).isEqualTo(-1);
            ends.server.receive(into, 0, 16, "after");
            assertThat(ends.received(ends.server).bytes()).isEqualTo(-1);
            ends.server.send(into, 0, 2, null);
            ends.client.receive(into, 8, 8, null);
            assertThat(ends.received(ends.client).bytes()).isEqualTo(2);
        }
    }

    @Test
    void shouldFailSendsBehindTheEnd() throws Exception {
        try (Ends ends = new Ends(SocketType.STREAM)) {
            ends.client.send(Ends.filled(3, 0), 0, 3, "before");
            ends.client.shutdownOutput();
            ends.client.send(Ends.filled(3, 0), 0, 3, "behind");
            assertThat(ends.of(Event.Kind.SEND, ends.client).failure()).isNull();
            Event behind = ends.of(Event.Kind.SEND, ends.client);
            assertThat(behind.context()).isEqualTo("behind");
            assertThat(behind.failure()).isInstanceOf(ClosedChannelException.class);
        }
    }

    @Test
    void shouldFillAReceiveThatWaitsForAll() throws Exception {
        try (Ends ends = new Ends(SocketType.STREAM)) {
            RegisteredMemory into = RegisteredMemory.allocate(3 * MIB);
            ends.server.receiveAll(into, 0, 2 * MIB, "full");
            ends.server.receiveAll(into, 2 * MIB, MIB, "part");
            RegisteredMemory from = Ends.filled(3 * MIB, 0);
            ends.client.send(from, 0, 10, null);
            ends.client.send(from, 10, 2 * MIB, null);
            ends.client.shutdownOutput();
            Event full = ends.received(ends.server);
            assertThat(full.context()).isEqualTo("full");
            assertThat(full.bytes()).isEqualTo(2 * MIB);
            assertThat(ends.received(ends.server).bytes()).isEqualTo(10);
            Ends.check(into, 0, 2 * MIB + 10, 0, 0);
        }
    }

    @Test
    void shouldGiveWhatHasCome() throws Exception {
        try (Ends ends = new Ends(SocketType.STREAM)) {
            RegisteredMemory into = RegisteredMemory.allocate(100);
            ends.server.receive(into, 0, 100, null);
            ends.client.send(Ends.filled(30, 0), 0, 30, null);
            int first = ends.received(ends.server).bytes();
            assertThat(first).isBetween(1, 30);
            Ends.check(into, 0, first, 0, 0);
        }
    }

    @ParameterizedTest
    @CsvSource({"MESSAGE, STREAM", "STREAM, MESSAGE"})
    void shouldRefuseWhoCarriesSomethingElse(SocketType own, SocketType other) throws Exception {
        try (Ends ends = new Ends(own)) {
            ends.listener.accept("stays pending");
            ExtendedSocket refused = ExtendedSocket.open(ends.queue, other);
            refused.connect(ends.listener.localAddress(), null);
            assertThat(ends.of(Event.Kind.CONNECT, refused).failure()).isInstanceOf(ProtocolException.class)
                    .hasMessage("The peer at %s is a socket of type %s, this one of %s",
                            ends.listener.localAddress(), own, other);
            assertThatThrownBy(() -> refused.send(Ends.filled(1, 0), 0, 1, null))
                    .isInstanceOf(ClosedChannelException.class);
            ExtendedSocket served = ExtendedSocket.open(ends.queue, own);
            served.connect(ends.listener.localAddress(), null);
            assertThat(ends.of(Event.Kind.CONNECT, served).failure()).isNull();
            assertThat(ends.of(Event.Kind.ACCEPT, ends.listener).context()).isEqualTo("stays pending");
        }
    }

    @Test
    void shouldTurnAwayWhoIsNoExtendedSocket() throws Exception {
        List<String> greetings = List.of("GET / HTTP/1.1\r\n", "EXS\2\0\0IS", "EXT\1\0\0IS", "EXS\1\0\0AS",
                "EXS\1\1\0IS", "EXS\1\0\0Is", "");
        try (Ends ends = new Ends(SocketType.STREAM)) {
            ends.listener.accept("stays pending");
            for (int i = 0; i < 70; i++) { // more than may be silent at a time
                try (SocketChannel stranger = ends.queue.provider().openSocketChannel()) {
                    stranger.connect(ends.listener.localAddress());
                    stranger.write(ascii(greetings.get(i % greetings.size())));
                    stranger.shutdownOutput();
                    while (stranger.isOpen()) {
                        stranger.configureBlocking(false);
                        assertThat(ends.queue.dequeue(0, TimeUnit.SECONDS)).isNull();
                        closeIfTurnedAway(stranger);
                    }
                }
            }
            ExtendedSocket other = ExtendedSocket.open(ends.queue, SocketType.STREAM);
            other.connect(ends.listener.localAddress(), null);
            assertThat(ends.of(Event.Kind.CONNECT, other).failure()).isNull();
            ExtendedSocket accepted = ends.of(Event.Kind.ACCEPT, ends.listener).accepted();
            assertThat(accepted.remoteAddress()).isEqualTo(other.localAddress());
        }
    }

    private static void closeIfTurnedAway(SocketChannel stranger) throws IOException {
        boolean ended;
        try {
            ended = stranger.read(ByteBuffer.allocate(16)) < 0;
        } catch (SocketException e) { // it had not read all that was sent
            ended = true;
        }
        if (ended) {
            stranger.close();
        }
    }

    private static ByteBuffer ascii(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void shouldSayThatTheServerIsNoExtendedSocket() throws Exception {
        try (EventQueue queue = EventQueue.open();
                ServerSocketChannel server = queue.provider().openServerSocketChannel()) {
            server.bind(new InetSocketAddress(Machine.address(), 0));
            ExtendedSocket client = ExtendedSocket.open(queue, SocketType.STREAM);
            client.connect((InetSocketAddress) server.getLocalAddress(), null);
            assertThat(queue.dequeue(0, TimeUnit.SECONDS)).isNull();
            try (SocketChannel accepted = server.accept()) {
                accepted.write(ascii("220 mail.example\r\n"));
                assertThat(Ends.next(queue).failure()).isInstanceOf(ProtocolException.class)
                        .hasMessageEndingWith("is no extended socket");
            }
        }
    }

    @Test
    void shouldSayThatAMessageIsCutOff() throws Exception {
        assertThat(failureOf(100)).isInstanceOf(EOFException.class)
                .hasMessage("The connection has ended within a message");
    }

    @Test
    void shouldRefuseLengthsThatCannotBe() throws Exception {
        assertThat(failureOf(-2)).hasMessage("The peer's message has a length of -2 bytes");
    }

    /** What a receive says where the peer sends a message of some length, and of it three bytes. */
    private static IOException failureOf(int length) throws Exception {
        try (Ends ends = new Ends(SocketType.MESSAGE);
                SocketChannel peer = ends.queue.provider().openSocketChannel()) {
            ends.listener.accept(null);
            peer.connect(ends.listener.localAddress());
            ByteBuffer bytes = ByteBuffer.allocate(15).put(ascii("EXS\1\0\0IM"));
            peer.write(bytes.putInt(length).put(new byte[3]).flip());
            ExtendedSocket socket = ends.of(Event.Kind.ACCEPT, ends.listener).accepted();
            peer.shutdownOutput();
            socket.receive(RegisteredMemory.allocate(100), 0, 100, null);
            return ends.received(socket).failure();
        }
    }

    @Test
    void shouldTakeWhateverAPeerSendsAsMessagesOrRefuseIt() throws Exception {
        try (Ends ends = new Ends(SocketType.MESSAGE)) {
            for (int seed = 0; seed < 60; seed++) {
                byte[] bytes = messages(new Random(seed));
                assertThat(whatIsReceived(ends, bytes)).as("seed %s", seed).isEqualTo(whatIsIn(bytes));
            }
        }
    }

    /** Some messages of which few are long, cut off anywhere; some with a length that cannot be. */
    private static byte[] messages(Random random) {
        ByteBuffer bytes = ByteBuffer.allocate(1_000);
        while (random.nextInt(12) > 0 && bytes.remaining() > 100) {
            int length = random.nextInt(random.nextInt(4) == 0 ? 60 : 16);
            bytes.putInt(random.nextInt(20) == 0 ? -length : length).put(new byte[length]);
        }
        return Arrays.copyOf(bytes.array(), Math.max(0, bytes.position() - random.nextInt(3)));
    }

    private static List<String> whatIsIn(byte[] sent) {
        List<String> events = new ArrayList<>();
        ByteBuffer bytes = ByteBuffer.wrap(sent);
        while (bytes.remaining() >= Integer.BYTES) {
            int length = bytes.getInt();
            if (length < 0) {
                events.add("The peer's message has a length of " + length + " bytes");
                return events;
            }
            if (length > 16) {
                events.add("Message of " + length + " bytes, buffer of 16");
            } else if (length <= bytes.remaining()) {
                events.add(length + " bytes");
            }
            if (length > bytes.remaining()) {
                events.add("The connection has ended within a message");
                return events;
            }
            bytes.position(bytes.position() + length);
        }
        events.add(bytes.hasRemaining() ? "The connection has ended within a message" : "-1 bytes");
        return events;
    }

    private static List<String> whatIsReceived(Ends ends, byte[] bytes) throws Exception {
        List<String> events = new ArrayList<>();
        try (SocketChannel peer = ends.queue.provider().openSocketChannel()) {
            ends.listener.accept(null);
            peer.connect(ends.listener.localAddress());
            peer.write(ascii("EXS\1\0\0IM"));
            peer.write(ByteBuffer.wrap(bytes));
            peer.shutdownOutput();
            try (ExtendedSocket socket = ends.of(Event.Kind.ACCEPT, ends.listener).accepted()) {
                Event event;
                do {
                    socket.receive(RegisteredMemory.allocate(16), 0, 16, null);
                    event = ends.received(socket);
                    events.add(event.failure() == null ? event.bytes() + " bytes" : event.failure().getMessage());
                } while (event.failure() == null ? event.bytes() >= 0
                        : event.failure() instanceof MessageTooLongException);
            }
        }
        return events;
    }

    @Test
    void shouldSayThatNobodyListens() throws Exception {
        try (EventQueue queue = EventQueue.open()) {
            ExtendedSocket client = ExtendedSocket.open(queue, SocketType.STREAM);
            IOException failure;
            try {
                client.connect(Machine.closedPort(), null);
                failure = Ends.next(queue).failure();
            } catch (ConnectException e) {
                failure = e;
            }
            assertThat(failure).isInstanceOf(ConnectException.class).hasMessageStartingWith("Connection refused");
        }
    }

    @Test
    void shouldServeManyPendingConnectsAndAccepts() throws Exception {
        int count = 20;
        try (Ends ends = new Ends(SocketType.STREAM)) {
            for (int i = 0; i < count; i++) {
                ends.listener.accept(i);
            }
            ExtendedSocket[] clients = new ExtendedSocket[count];
            for (int i = 0; i < count; i++) {
                clients[i] = ExtendedSocket.open(ends.queue, SocketType.STREAM);
                clients[i].connect(ends.listener.localAddress(), i);
            }
            for (int i = 0; i < count; i++) {
                assertThat(ends.of(Event.Kind.ACCEPT, ends.listener).context()).isEqualTo(i);
                assertThat(ends.of(Event.Kind.CONNECT, clients[i]).failure()).isNull();
            }
        }
    }

    @Test
    void shouldFailWhatIsPendingWhenItCloses() throws Exception {
        try (Ends ends = new Ends(SocketType.STREAM)) {
            RegisteredMemory into = RegisteredMemory.allocate(100);
            ends.server.receive(into, 0, 100, null);
            ends.listener.accept(null);
            assertThatThrownBy(into::deregister).isInstanceOf(IllegalStateException.class)
                    .hasMessage("Memory is in use");
            ends.server.close();
            ends.listener.close();
            assertThat(ends.received(ends.server).failure()).isInstanceOf(AsynchronousCloseException.class);
            assertThat(ends.of(Event.Kind.ACCEPT, ends.listener).failure())
                    .isInstanceOf(AsynchronousCloseException.class);
            into.deregister();
            assertThatThrownBy(() -> ends.client.receive(into, 0, 100, null)).hasMessage("Memory is not registered");
            assertThatThrownBy(() -> ends.server.send(Ends.filled(1, 0), 0, 1, null))
                    .isInstanceOf(ClosedChannelException.class);
            ends.client.receive(RegisteredMemory.allocate(1), 0, 1, null);
            assertThat(ends.received(ends.client).bytes()).isEqualTo(-1);
        }
    }

    @Test
    void shouldRefuseOperationsBeforeItIsConnected() throws Exception {
        try (EventQueue queue = EventQueue.open()) {
            ExtendedSocket client = ExtendedSocket.open(queue, SocketType.STREAM);
            assertThatThrownBy(() -> client.send(Ends.filled(1, 0), 0, 1, null))
                    .isInstanceOf(NotYetConnectedException.class);
        }
    }
}
