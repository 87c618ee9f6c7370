/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.spi.suite.kit.Capability;
import io.rsockets4j.spi.suite.kit.Pair;
import io.rsockets4j.spi.suite.kit.Payload;
import io.rsockets4j.spi.suite.kit.Requires;
import io.rsockets4j.spi.suite.kit.Task;
import io.rsockets4j.spi.suite.kit.Wire;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Closing from another thread ends what is blocked, with the JDK's exception, and what comes after finds a closed
 * channel.
 */
abstract class CloseCases extends SuiteCase {
    private final Payload payload = new Payload(5);

    @Test
    void shouldEndABlockedReadByClose() throws Exception {
        Pair pair = connect();
        Task<Integer> reader = start("reader", () -> pair.client().read(ByteBuffer.allocate(1)));
        reader.awaitBlockedIn("read");
        pair.client().close();
        assertThat(reader.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
        assertThat(reader.wasInterruptedAtEnd()).isFalse();
        assertThat(pair.server().read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @Test
    void shouldEndABlockedScatteringReadByClose() throws Exception {
        Pair pair = connect();
        ByteBuffer[] targets = {ByteBuffer.allocate(1), ByteBuffer.allocateDirect(1)};
        Task<Long> reader = start("reader", () -> pair.client().read(targets));
        reader.awaitBlockedIn("read");
        pair.client().close();
        assertThat(reader.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
    }

    @Test
    void shouldEndABlockedWriteByClose() throws Exception {
        Pair pair = connect();
        Task<Void> writer = startBlockedWriter(pair.client());
        pair.client().close();
        assertThat(writer.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
    }

    /**
     * What was written before the close counts: the write returns that, and the next one finds the channel closed. On a
     * virtual thread the JDK's write does not wait once something is written.
     */
    @Test
    void shouldReturnWhatABlockedWriteHadWrittenBeforeClose() throws Exception {
        Pair pair = connect();
        Task<Integer> writer = startPlatform("writer", () -> pair.client().write(payload.slice(0, 64 << 20)));
        writer.awaitBlockedIn("write");
        pair.client().close();
        assertThat(writer.join()).isPositive().isLessThan(64 << 20);
        assertThatThrownBy(() -> pair.client().write(ByteBuffer.allocate(1)))
                .isExactlyInstanceOf(ClosedChannelException.class);
    }

    @Test
    void shouldEndABlockedReadAndABlockedWriteByOneClose() throws Exception {
        Pair pair = connect();
        Task<Void> writer = startBlockedWriter(pair.client());
        Task<Integer> reader = start("reader", () -> pair.client().read(ByteBuffer.allocate(1)));
        reader.awaitBlockedIn("read");
        pair.client().close();
        assertThat(reader.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
        assertThat(writer.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
    }

    @Test
    void shouldEndAReaderThatWaitsBehindAnotherReaderByClose() throws Exception {
        Pair pair = connect();
        Task<Integer> first = start("first", () -> pair.client().read(ByteBuffer.allocate(1)));
        first.awaitBlockedIn("read");
        Task<Integer> second = start("second", () -> pair.client().read(ByteBuffer.allocate(1)));
        second.awaitBlockedIn("read");
        pair.client().close();
        assertThat(first.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
        assertThat(second.failure()).isInstanceOf(ClosedChannelException.class);
    }

    @Test
    void shouldEndABlockedAcceptByClose() throws Exception {
        ServerSocketChannel server = listen();
        Task<SocketChannel> accepter = start("accepter", server::accept);
        accepter.awaitBlockedIn("accept");
        server.close();
        assertThat(accepter.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
    }

    @Test
    @Requires(Capability.FULL_BACKLOG_BLOCKS)
    void shouldEndABlockedConnectByClose() throws Exception {
        BlockedConnect blocked = BlockedConnect.start(this);
        blocked.channel().close();
        assertThat(blocked.task().failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
    }

    @Test
    void shouldEndABlockedSelectByClose() throws Exception {
        Selector selector = openSelector();
        SelectionKey key = register(selector, connect().client(), SelectionKey.OP_READ);
        Task<Integer> select = start("selecting", () -> selector.select());
        select.awaitBlockedIn("select");
        selector.close();
        assertThat(select.join()).isZero();
        assertThatThrownBy(selector::select).isExactlyInstanceOf(ClosedSelectorException.class);
        assertThatThrownBy(selector::selectNow).isExactlyInstanceOf(ClosedSelectorException.class);
        assertThat(key.isValid()).isFalse();
        assertThat(key.channel().isOpen()).isTrue();
        assertThat(key.channel().isRegistered()).isFalse();
    }

    @Test
    void shouldRefuseEverythingOnceClosed() throws Exception {
        SocketChannel channel = connect().client();
        channel.close();
        channel.close();
        ByteBuffer one = ByteBuffer.allocate(1);
        assertThat(channel.isOpen()).isFalse();
        assertThatThrownBy(() -> channel.read(one)).isExactlyInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> channel.write(one)).isExactlyInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> channel.read(new ByteBuffer[] {one}))
                .isExactlyInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> channel.write(new ByteBuffer[] {one}))
                .isExactlyInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(channel::finishConnect).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(channel::getLocalAddress).isExactlyInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(channel::getRemoteAddress).isExactlyInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> channel.configureBlocking(false)).isExactlyInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> channel.bind(null)).isExactlyInstanceOf(ClosedChannelException.class);
        assertThat(channel.isConnected()).isFalse();
    }

    @Test
    void shouldRefuseEverythingOnceTheServerIsClosed() throws Exception {
        ServerSocketChannel server = listen();
        server.close();
        server.close();
        assertThat(server.isOpen()).isFalse();
        assertThatThrownBy(server::accept).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(server::getLocalAddress).isExactlyInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> server.bind(null)).isExactlyInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> server.configureBlocking(false)).isExactlyInstanceOf(ClosedChannelException.class);
    }

    @Test
    void shouldKeepAcceptedConnectionsWhenTheServerCloses() throws Exception {
        ServerSocketChannel server = listen();
        Pair pair = connect(server);
        server.close();
        Wire.writeFully(pair.client(), payload.slice(0, 5000));
        Wire.receive(pair.server(), payload, 5000, 5000);
        assertThat(pair.server().getRemoteAddress()).isEqualTo(pair.client().getLocalAddress());
    }

    @Test
    void shouldResetWhatNobodyAcceptedWhenTheServerCloses() throws Exception {
        ServerSocketChannel server = listen();
        SocketChannel pending = connectTo(server);
        Wire.writeFully(pending, payload.slice(0, 10));
        server.close();
        assertThatThrownBy(() -> pending.read(ByteBuffer.allocate(1))).isInstanceOf(SocketException.class)
                .hasMessage("Connection reset");
    }

    @Test
    void shouldLetThePortBeBoundAgainAfterClose() throws Exception {
        ServerSocketChannel first = listen();
        SocketAddress address = first.getLocalAddress();
        connect(first).server().close();
        first.close();
        Pair pair = connect(openServer().bind(address));
        Wire.writeFully(pair.client(), payload.slice(0, 10));
        Wire.receive(pair.server(), payload, 10, 10);
        assertThat(pair.client().getRemoteAddress()).isEqualTo(address);
    }

    @Test
    void shouldCloseOnceWhenManyThreadsClose() throws Exception {
        Pair pair = connect();
        List<Task<Void>> closers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            closers.add(start("closer", () -> {
                pair.client().close();
                return null;
            }));
        }
        for (Task<Void> closer : closers) {
            closer.join();
        }
        assertThat(pair.client().isOpen()).isFalse();
        assertThat(pair.server().read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }
}
