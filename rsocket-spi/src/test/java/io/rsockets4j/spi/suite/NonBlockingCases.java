/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;

import io.rsockets4j.spi.suite.kit.Capability;
import io.rsockets4j.spi.suite.kit.Machine;
import io.rsockets4j.spi.suite.kit.Pair;
import io.rsockets4j.spi.suite.kit.Payload;
import io.rsockets4j.spi.suite.kit.Requires;
import io.rsockets4j.spi.suite.kit.Task;
import io.rsockets4j.spi.suite.kit.Threads;
import io.rsockets4j.spi.suite.kit.Wire;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;

/** Channels that never wait: what is returned instead, and how a connect is finished later. */
abstract class NonBlockingCases extends SuiteCase {
    private static final int AT_ONCE_ROUNDS = 300; // a race that is lost now and then

    private final Payload payload = new Payload(7);

    @Test
    void shouldReadZeroWhileNothingArrives() throws Exception {
        Pair pair = connect().configureBlocking(false);
        ByteBuffer target = ByteBuffer.allocate(10);
        assertThat(pair.server().read(target)).isZero();
        assertThat(pair.server().read(new ByteBuffer[] {target, ByteBuffer.allocateDirect(1)})).isZero();
        assertThat(target.position()).isZero();
        pair.client().write(payload.slice(0, 5));
        awaitRead(pair.server(), target, 5);
        payload.check(target.flip(), 0);
        assertThat(pair.server().read(ByteBuffer.allocate(10))).isZero();
    }

    @Test
    void shouldAcceptAtOnceWhoeverIsConnected() throws Exception {
        ServerSocketChannel server = listen();
        server.configureBlocking(false);
        for (int i = 0; i < AT_ONCE_ROUNDS; i++) {
            try (SocketChannel client = connectTo(server); SocketChannel accepted = server.accept()) {
                assertThat(accepted).as("of round %d, of %s", i, client).isNotNull();
            }
        }
        assertThat(server.accept()).isNull();
    }

    @Test
    void shouldWriteZeroOnceFullAndGoOnWhenTheReaderMadeRoom() throws Exception {
        Pair pair = connect().configureBlocking(false);
        long sent = writeUntilFull(pair.client(), 0);
        while (sent < 64 * 1024) { // buffers may grow meanwhile
            sent = writeUntilFull(pair.client(), sent);
        }
        pair.server().configureBlocking(true);
        Wire.receive(pair.server(), payload, sent, 10_007);
        ByteBuffer more = payload.slice(sent, 1000);
        Threads.await("room", () -> pair.client().write(more) >= 0 && !more.hasRemaining());
        Wire.receive(pair.server(), payload, sent, sent + 1000, 100);
        assertThat(more.hasRemaining()).isFalse();
    }

    @Test
    void shouldKeepOrderWhenFullAndEmptyAlternate() throws Exception {
        Pair pair = connect().configureBlocking(false);
        long sent = 0;
        long received = 0;
        ByteBuffer target = ByteBuffer.allocateDirect(50_021);
        while (received < 30_000_000) {
            ByteBuffer source = payload.slice(sent, 70_001);
            sent += pair.client().write(source);
            pair.server().read(target.clear());
            payload.check(target.flip(), received);
            received += target.limit();
        }
        assertThat(received).isLessThanOrEqualTo(sent);
    }

    @Test
    void shouldAcceptNullWhenNobodyConnects() throws Exception {
        ServerSocketChannel server = listen();
        server.configureBlocking(false);
        assertThat(server.accept()).isNull();
        SocketChannel client = connectTo(server);
        SocketChannel accepted = awaitAccept(server);
        assertThat(accepted.isBlocking()).isTrue();
        assertThat(accepted.getRemoteAddress()).isEqualTo(client.getLocalAddress());
        assertThat(server.accept()).isNull();
    }

    @Test
    void shouldConnectAndFinishLater() throws Exception {
        ServerSocketChannel server = listen();
        SocketChannel client = openNonBlocking();
        boolean connected = client.connect(server.getLocalAddress());
        assertThat(client.isConnected()).isEqualTo(connected);
        assertThat(client.isConnectionPending()).isEqualTo(!connected);
        Threads.await("the connection", client::finishConnect);
        assertThat(client.isConnected()).isTrue();
        assertThat(client.isConnectionPending()).isFalse();
        assertThat(client.finishConnect()).isTrue();
        SocketChannel accepted = closing(server.accept());
        client.write(payload.slice(0, 10));
        Wire.receive(accepted, payload, 10, 10);
    }

    @Test
    void shouldFinishInBlockingModeWhatBeganInNonBlockingMode() throws Exception {
        ServerSocketChannel server = listen();
        SocketChannel client = openNonBlocking();
        client.connect(server.getLocalAddress());
        client.configureBlocking(true);
        assertThat(client.finishConnect()).isTrue();
        Wire.writeFully(client, payload.slice(0, 10));
        Wire.receive(closing(server.accept()), payload, 10, 10);
    }

    @Test
    @Requires(Capability.FULL_BACKLOG_BLOCKS)
    void shouldRefuseMostThingsWhileAConnectIsPending() throws Exception {
        SocketAddress full = BlockedConnect.fullServer(this);
        SocketChannel client = openNonBlocking();
        assertThat(client.connect(full)).isFalse();
        assertThat(client.finishConnect()).isFalse();
        assertThat(client.isConnectionPending()).isTrue();
        assertThat(client.getRemoteAddress()).isEqualTo(full);
        ByteBuffer one = ByteBuffer.allocate(1);
        assertThrowsExactly(ConnectionPendingException.class, () -> client.connect(full));
        assertThrowsExactly(ConnectionPendingException.class, () -> client.bind(null));
        assertThrowsExactly(NotYetConnectedException.class, () -> client.read(one));
        assertThrowsExactly(NotYetConnectedException.class, () -> client.write(one));
        assertThrowsExactly(NotYetConnectedException.class, client::shutdownOutput);
        client.close();
        assertThrowsExactly(ClosedChannelException.class, client::finishConnect);
    }

    @Test
    @Requires(Capability.FULL_BACKLOG_BLOCKS)
    void shouldEndABlockedFinishConnectByClose() throws Exception {
        SocketAddress full = BlockedConnect.fullServer(this);
        SocketChannel client = openNonBlocking();
        assertThat(client.connect(full)).isFalse();
        client.configureBlocking(true);
        Task<Boolean> task = start("finishing", client::finishConnect);
        task.awaitBlockedIn("finishConnect");
        client.close();
        assertThat(task.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
    }

    @Test
    void shouldReportARefusalWhenTheConnectIsFinished() throws Exception {
        SocketChannel client = openNonBlocking();
        SocketAddress nobody = Machine.closedPort();
        ConnectException refused = assertThrowsExactly(ConnectException.class, () -> {
            client.connect(nobody);
            Threads.await("the refusal", client::finishConnect);
        });
        assertThat(refused).hasMessageStartingWith("Connection refused");
        assertThat(client.isOpen()).isFalse();
        assertThrowsExactly(ClosedChannelException.class, client::finishConnect);
    }

    @Test
    void shouldReportARefusalByOpConnect() throws Exception {
        Selector selector = openSelector();
        SocketChannel client = openNonBlocking();
        SocketAddress nobody = Machine.closedPort();
        SelectionKey key = client.register(selector, SelectionKey.OP_CONNECT);
        ConnectException refused = assertThrowsExactly(ConnectException.class, () -> {
            client.connect(nobody);
            assertThat(selector.select(20_000)).isEqualTo(1);
            assertThat(key.isConnectable()).isTrue();
            client.finishConnect();
        });
        assertThat(refused).hasMessageStartingWith("Connection refused");
        assertThat(client.isOpen()).isFalse();
        assertThat(key.isValid()).isFalse();
    }

    @Test
    void shouldConnectByOpConnectAndThenReadAndWrite() throws Exception {
        ServerSocketChannel server = listen();
        Selector selector = openSelector();
        SocketChannel client = openNonBlocking();
        SelectionKey key = client.register(selector, SelectionKey.OP_CONNECT);
        if (!client.connect(server.getLocalAddress())) {
            assertThat(selector.select(20_000)).isEqualTo(1);
            assertThat(key.isConnectable()).isTrue();
            assertThat(client.finishConnect()).isTrue();
        }
        key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        selector.selectedKeys().clear();
        assertThat(selector.select(20_000)).isEqualTo(1);
        assertThat(key.readyOps()).isEqualTo(SelectionKey.OP_WRITE);
        Wire.writeFully(closing(server.accept()), payload.slice(0, 10));
        key.interestOps(SelectionKey.OP_READ);
        selector.selectedKeys().clear();
        assertThat(selector.select(20_000)).isEqualTo(1);
        assertThat(key.readyOps()).isEqualTo(SelectionKey.OP_READ);
        ByteBuffer target = ByteBuffer.allocate(10);
        assertThat(client.read(target)).isEqualTo(10);
        payload.check(target.flip(), 0);
    }

    @Test
    void shouldConnectWhileBothEndsAreDrivenByOneThread() throws Exception {
        ServerSocketChannel server = listen();
        server.configureBlocking(false);
        SocketChannel client = openNonBlocking();
        client.connect(server.getLocalAddress());
        SocketChannel accepted = null;
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (!client.finishConnect() || accepted == null) {
            accepted = accepted == null ? server.accept() : accepted;
            assertThat(System.nanoTime()).isLessThan(deadline);
        }
        closing(accepted).write(payload.slice(0, 10));
        ByteBuffer target = ByteBuffer.allocate(10);
        awaitRead(client, target, 10);
        payload.check(target.flip(), 0);
    }

    private SocketChannel openNonBlocking() throws IOException {
        SocketChannel channel = open();
        channel.configureBlocking(false);
        return channel;
    }

    private SocketChannel awaitAccept(ServerSocketChannel server) throws Exception {
        SocketChannel[] accepted = new SocketChannel[1];
        Threads.await("a connection to accept", () -> {
            accepted[0] = server.accept();
            return accepted[0] != null;
        });
        return closing(accepted[0]);
    }

    private static void awaitRead(SocketChannel channel, ByteBuffer target, int bytes) throws Exception {
        Threads.await(bytes + " bytes", () -> channel.read(target) >= 0 && target.position() == bytes);
    }

    private long writeUntilFull(SocketChannel channel, long from) throws IOException {
        long sent = from;
        for (int n = 1; n > 0; sent += n) {
            n = channel.write(payload.slice(sent, 40_009));
        }
        return sent;
    }
}
