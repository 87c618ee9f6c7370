/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.spi.suite.kit.Capability;
import io.rsockets4j.spi.suite.kit.Pair;
import io.rsockets4j.spi.suite.kit.Payload;
import io.rsockets4j.spi.suite.kit.Requires;
import io.rsockets4j.spi.suite.kit.Task;
import io.rsockets4j.spi.suite.kit.Wire;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/**
 * An interrupt closes the channel on which the thread is blocked, ends a select without closing the selector, and is
 * never lost.
 */
abstract class InterruptCases extends SuiteCase {
    private final Payload payload = new Payload(6);

    @Test
    void shouldCloseByAnInterruptDuringRead() throws Exception {
        Pair pair = connect();
        assertClosedByInterrupt("read", pair.client(), () -> pair.client().read(ByteBuffer.allocate(1)));
        assertThat(pair.server().read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @Test
    void shouldCloseByAnInterruptDuringWrite() throws Exception {
        SocketChannel channel = connect().client();
        Task<Void> writer = startBlockedWriter(channel);
        assertClosedByInterrupt(writer, channel);
    }

    @Test
    void shouldCloseByAnInterruptDuringAccept() throws Exception {
        ServerSocketChannel server = listen();
        assertClosedByInterrupt("accept", server, server::accept);
    }

    @Test
    @Requires(Capability.FULL_BACKLOG_BLOCKS)
    void shouldCloseByAnInterruptDuringConnect() throws Exception {
        BlockedConnect blocked = BlockedConnect.start(this);
        blocked.task().interrupt();
        assertThat(blocked.task().failure()).isExactlyInstanceOf(ClosedByInterruptException.class);
        assertThat(blocked.task().wasInterruptedAtEnd()).isTrue();
        assertThat(blocked.channel().isOpen()).isFalse();
    }

    @Test
    void shouldCloseByAnInterruptSetBeforeRead() throws Exception {
        Pair pair = connect();
        Wire.writeFully(pair.server(), payload.slice(0, 10));
        assertClosedByInterruptSetBefore(pair.client(), () -> pair.client().read(ByteBuffer.allocate(1)));
    }

    @Test
    void shouldCloseByAnInterruptSetBeforeWrite() throws Exception {
        SocketChannel channel = connect().client();
        assertClosedByInterruptSetBefore(channel, () -> channel.write(ByteBuffer.allocate(1)));
    }

    @Test
    void shouldCloseByAnInterruptSetBeforeAccept() throws Exception {
        ServerSocketChannel server = listen();
        connectTo(server);
        assertClosedByInterruptSetBefore(server, server::accept);
    }

    @Test
    void shouldCloseByAnInterruptSetBeforeConnect() throws Exception {
        ServerSocketChannel server = listen();
        SocketChannel channel = open();
        assertClosedByInterruptSetBefore(channel, () -> channel.connect(server.getLocalAddress()));
    }

    @Test
    void shouldNotMindAnInterruptInNonBlockingMode() throws Exception {
        Pair pair = connect().configureBlocking(false);
        Task<Integer> task = start("interrupted", () -> {
            Thread.currentThread().interrupt();
            pair.client().write(payload.slice(0, 10));
            return pair.client().read(ByteBuffer.allocate(1));
        });
        assertThat(task.join()).isZero();
        assertThat(task.wasInterruptedAtEnd()).isTrue();
        assertThat(pair.client().isOpen()).isTrue();
        pair.server().configureBlocking(true);
        Wire.receive(pair.server(), payload, 10, 10);
    }

    @Test
    void shouldNotMindAnInterruptInNonBlockingAcceptAndConnect() throws Exception {
        ServerSocketChannel server = listen();
        server.configureBlocking(false);
        SocketChannel client = open();
        client.configureBlocking(false);
        Task<SocketChannel> task = start("interrupted", () -> {
            Thread.currentThread().interrupt();
            SocketChannel none = server.accept();
            client.connect(server.getLocalAddress());
            return none;
        });
        assertThat(task.join()).isNull();
        assertThat(server.isOpen()).isTrue();
        assertThat(client.isOpen()).isTrue();
    }

    @Test
    void shouldEndSelectByAnInterruptAndStayOpen() throws Exception {
        Selector selector = openSelector();
        SelectionKey key = register(selector, connect().client(), SelectionKey.OP_READ);
        Task<Integer> select = start("selecting", () -> selector.select());
        select.awaitBlockedIn("select");
        select.interrupt();
        assertThat(select.join()).isZero();
        assertThat(select.wasInterruptedAtEnd()).isTrue();
        assertThat(selector.isOpen()).isTrue();
        assertThat(key.isValid()).isTrue();
        assertThat(key.channel().isOpen()).isTrue();
    }

    @Test
    void shouldNotBlockInSelectWhenInterruptedBefore() throws Exception {
        Selector selector = openSelector();
        register(selector, connect().client(), SelectionKey.OP_READ);
        Task<Integer> select = start("selecting", () -> {
            Thread.currentThread().interrupt();
            return selector.select() + selector.select(60_000);
        });
        assertThat(select.join()).isZero();
        assertThat(select.wasInterruptedAtEnd()).isTrue();
        assertThat(selector.isOpen()).isTrue();
    }

    @Test
    void shouldLetOtherConnectionsLiveWhenOneIsClosedByInterrupt() throws Exception {
        ServerSocketChannel server = listen();
        Pair victim = connect(server);
        Pair other = connect(server);
        assertClosedByInterrupt("read", victim.client(), () -> victim.client().read(ByteBuffer.allocate(1)));
        Wire.writeFully(other.client(), payload.slice(0, 100));
        Wire.receive(other.server(), payload, 100, 100);
        assertThat(server.isOpen()).isTrue();
    }

    private void assertClosedByInterrupt(String method, Channel channel, Callable<?> operation) {
        Task<?> task = start(method, operation);
        task.awaitBlockedIn(method);
        assertClosedByInterrupt(task, channel);
    }

    private static void assertClosedByInterrupt(Task<?> task, Channel channel) {
        task.interrupt();
        assertThat(task.failure()).isExactlyInstanceOf(ClosedByInterruptException.class);
        assertThat(task.wasInterruptedAtEnd()).isTrue();
        assertThat(channel.isOpen()).isFalse();
    }

    private void assertClosedByInterruptSetBefore(Channel channel, Callable<?> operation) {
        Task<?> task = start("interrupted", () -> {
            Thread.currentThread().interrupt();
            return operation.call();
        });
        assertThat(task.failure()).isExactlyInstanceOf(ClosedByInterruptException.class);
        assertThat(task.wasInterruptedAtEnd()).isTrue();
        assertThat(channel.isOpen()).isFalse();
    }
}
