/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rsockets4j.spi.suite.kit.Pair;
import io.rsockets4j.spi.suite.kit.Payload;
import io.rsockets4j.spi.suite.kit.Task;
import io.rsockets4j.spi.suite.kit.Threads;
import io.rsockets4j.spi.suite.kit.Wire;
import java.io.IOException;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;

/** Connections that do not end in good order: the peer is gone, has left bytes unread, or reset on purpose. */
abstract class ResetCases extends SuiteCase {
    private static final String[] MESSAGES_OF_A_WRITE = {"Broken pipe", "Connection reset", "Connection reset by peer"};

    private final Payload payload = new Payload(4);

    @Test
    void shouldFailAWriteSoonerOrLaterAfterThePeerClosed() throws Exception {
        Pair pair = connect();
        pair.server().close();
        assertWritesEndInAnError(pair.client());
    }

    @Test
    void shouldFailABlockedWriteWhenThePeerCloses() throws Exception {
        Pair pair = connect();
        Task<Void> writer = startBlockedWriter(pair.client());
        pair.server().close();
        assertThat(writer.failure()).isInstanceOf(IOException.class).isNotInstanceOf(ClosedChannelException.class);
        assertThat(writer.failure().getMessage()).isIn((Object[]) MESSAGES_OF_A_WRITE);
        assertThat(pair.client().isOpen()).isTrue();
    }

    @Test
    void shouldResetWhenClosedWithBytesUnread() throws Exception {
        Pair pair = connect();
        Wire.writeFully(pair.client(), payload.slice(0, 1000));
        Wire.readFully(pair.server(), ByteBuffer.allocate(1));
        pair.server().close();
        assertReset(pair.client());
    }

    @Test
    void shouldResetABlockedReaderWhenThePeerClosesWithBytesUnread() throws Exception {
        Pair pair = connect();
        Wire.writeFully(pair.client(), payload.slice(0, 1000));
        Wire.readFully(pair.server(), ByteBuffer.allocate(1));
        Task<Integer> reader = start("reader", () -> pair.client().read(ByteBuffer.allocate(1)));
        reader.awaitBlockedIn("read");
        pair.server().close();
        assertThat(reader.failure()).isExactlyInstanceOf(SocketException.class).hasMessage("Connection reset");
    }

    @Test
    void shouldResetWhenClosedWithLingerZero() throws Exception {
        Pair pair = connect();
        pair.server().setOption(StandardSocketOptions.SO_LINGER, 0);
        pair.server().close();
        assertReset(pair.client());
        assertWritesEndInAnError(pair.client());
    }

    @Test
    void shouldResetABlockedReaderWhenThePeerClosesWithLingerZero() throws Exception {
        Pair pair = connect();
        Task<Integer> reader = start("reader", () -> pair.client().read(ByteBuffer.allocate(1)));
        reader.awaitBlockedIn("read");
        pair.server().setOption(StandardSocketOptions.SO_LINGER, 0);
        pair.server().close();
        assertThat(reader.failure()).isExactlyInstanceOf(SocketException.class).hasMessage("Connection reset");
    }

    /** A single buffer with room left behind the bytes, and a second one behind the first. */
    @Test
    void shouldScatterTheBytesBeforeAReset() throws Exception {
        for (int room : new int[] {20, 10}) {
            Pair pair = connect();
            Wire.writeFully(pair.server(), ByteBuffer.allocate(10));
            ByteBuffer[] targets = {ByteBuffer.allocate(room), ByteBuffer.allocate(10)};
            Wire.readFully(pair.client(), ByteBuffer.allocate(1));
            pair.server().setOption(StandardSocketOptions.SO_LINGER, 0);
            pair.server().close();
            assertThat(pair.client().read(targets)).isEqualTo(9);
            assertThat(catchThrowable(() -> pair.client().read(targets))).isInstanceOf(SocketException.class)
                    .hasMessage("Connection reset");
        }
    }

    @Test
    void shouldStillCloseAfterAReset() throws Exception {
        Pair pair = connect();
        pair.server().setOption(StandardSocketOptions.SO_LINGER, 0);
        pair.server().close();
        assertReset(pair.client());
        pair.client().close();
        assertThat(pair.client().isOpen()).isFalse();
        assertThatThrownBy(() -> pair.client().read(ByteBuffer.allocate(1)))
                .isExactlyInstanceOf(ClosedChannelException.class);
    }

    @Test
    void shouldResetWhenThePeerClosesWhileBytesKeepArriving() throws Exception {
        Pair pair = connect();
        Task<Void> writer = startEndlessWriter(pair.client());
        Wire.receive(pair.server(), payload, 3_000_000, 10_000);
        pair.server().close();
        assertThat(writer.failure()).isInstanceOf(IOException.class);
        Throwable failure = catchThrowable(() -> pair.client().read(ByteBuffer.allocate(1)));
        if (failure == null) {
            assertThat(pair.client().read(ByteBuffer.allocate(1))).isEqualTo(-1);
        } else {
            assertThat(failure).isInstanceOf(IOException.class).hasMessageStartingWith("Connection reset");
        }
    }

    @Test
    void shouldResetInNonBlockingMode() throws Exception {
        Pair pair = connect();
        pair.client().configureBlocking(false);
        assertThat(pair.client().read(ByteBuffer.allocate(1))).isZero();
        pair.server().setOption(StandardSocketOptions.SO_LINGER, 0);
        pair.server().close();
        assertThatThrownBy(() -> Threads.await("the reset", () -> pair.client().read(ByteBuffer.allocate(1)) != 0))
                .isExactlyInstanceOf(SocketException.class).hasMessage("Connection reset");
    }

    /** A read after a reset says so each time: the JDK remembers. */
    private static void assertReset(SocketChannel channel) {
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(10))).isExactlyInstanceOf(SocketException.class)
                    .hasMessage("Connection reset");
        }
        assertThat(channel.isOpen()).isTrue();
    }

    private void assertWritesEndInAnError(SocketChannel channel) {
        assertThatThrownBy(() -> Wire.send(channel, payload, 100_000_000, 10_000)).isInstanceOf(IOException.class)
                .isNotInstanceOf(ClosedChannelException.class)
                .satisfies(e -> assertThat(e.getMessage()).isIn((Object[]) MESSAGES_OF_A_WRITE));
        assertThat(channel.isOpen()).isTrue();
    }

    private Task<Void> startEndlessWriter(SocketChannel channel) {
        return start("writer", () -> {
            Wire.send(channel, payload, Long.MAX_VALUE, 1 << 20);
            return null;
        });
    }
}
