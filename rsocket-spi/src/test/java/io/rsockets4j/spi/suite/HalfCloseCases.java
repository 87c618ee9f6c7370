/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.spi.suite.kit.Pair;
import io.rsockets4j.spi.suite.kit.Payload;
import io.rsockets4j.spi.suite.kit.Task;
import io.rsockets4j.spi.suite.kit.Wire;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of each direction: it comes after the last byte, it stays, and it leaves the other direction alone. */
abstract class HalfCloseCases extends SuiteCase {
    private final Payload payload = new Payload(3);

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1000, 100_000})
    void shouldReportTheEndOnlyAfterTheLastByteWhenThePeerClosed(int bytes) throws Exception {
        Pair pair = connect();
        Wire.writeFully(pair.client(), payload.slice(0, bytes));
        pair.client().close();
        Wire.receive(pair.server(), payload, bytes, 777);
        assertAtEnd(pair.server());
    }

    @Test
    void shouldDeliverALongStreamBeforeTheEndWhenThePeerClosedRightAfterWriting() throws Exception {
        Pair pair = connect();
        long bytes = 5_000_011;
        Task<Void> writer = start("writer", () -> {
            Wire.send(pair.client(), payload, bytes, 33_333);
            pair.client().close();
            return null;
        });
        Wire.receive(pair.server(), payload, bytes, 4096);
        assertAtEnd(pair.server());
        writer.join();
    }

    @Test
    void shouldShutDownOneDirectionAndKeepTheOther() throws Exception {
        Pair pair = connect();
        Wire.writeFully(pair.client(), payload.slice(0, 500));
        assertThat(pair.client().shutdownOutput()).isSameAs(pair.client());
        Wire.receive(pair.server(), payload, 500, 64);
        assertAtEnd(pair.server());
        Task<Void> back = start("back", () -> {
            Wire.send(pair.server(), payload, 3_000_000, 10_000);
            return null;
        });
        Wire.receive(pair.client(), payload, 3_000_000, 10_000);
        back.join();
        assertThat(pair.client().isConnected()).isTrue();
        assertThat(pair.client().isOpen()).isTrue();
    }

    @Test
    void shouldShutDownBothDirectionsOneAfterTheOther() throws Exception {
        Pair pair = connect();
        pair.client().shutdownOutput();
        assertAtEnd(pair.server());
        Wire.writeFully(pair.server(), payload.slice(0, 70_000));
        pair.server().shutdownOutput();
        Wire.receive(pair.client(), payload, 70_000, 5000);
        assertAtEnd(pair.client());
        assertThat(pair.client().isOpen()).isTrue();
        assertThat(pair.server().isOpen()).isTrue();
    }

    @Test
    void shouldShutDownBothDirectionsFromBothEndsAtOnce() throws Exception {
        for (int i = 0; i < 50; i++) {
            Pair pair = connect();
            Task<SocketChannel> client = start("client", () -> pair.client().shutdownOutput());
            pair.server().shutdownOutput();
            client.join();
            assertAtEnd(pair.client());
            assertAtEnd(pair.server());
        }
    }

    @Test
    void shouldEndABlockedReadWhenThePeerShutsDownItsOutput() throws Exception {
        Pair pair = connect();
        Task<Integer> reader = startReading(pair.server());
        reader.awaitBlockedIn("read");
        pair.client().shutdownOutput();
        assertThat(reader.join()).isEqualTo(-1);
    }

    @Test
    void shouldEndABlockedReadWhenThePeerCloses() throws Exception {
        Pair pair = connect();
        Task<Integer> reader = startReading(pair.server());
        reader.awaitBlockedIn("read");
        pair.client().close();
        assertThat(reader.join()).isEqualTo(-1);
    }

    /** The documentation promises a ClosedChannelException; the JDK throws this subclass of it, in either mode. */
    @Test
    void shouldRefuseToWriteAfterShutdownOutput() throws Exception {
        Pair pair = connect();
        pair.client().shutdownOutput();
        ByteBuffer one = ByteBuffer.allocate(1);
        assertThatThrownBy(() -> pair.client().write(one)).isExactlyInstanceOf(AsynchronousCloseException.class);
        assertThatThrownBy(() -> pair.client().write(new ByteBuffer[] {one}))
                .isExactlyInstanceOf(AsynchronousCloseException.class);
        pair.client().configureBlocking(false);
        assertThatThrownBy(() -> pair.client().write(one)).isExactlyInstanceOf(AsynchronousCloseException.class);
        assertThat(one.position()).isZero();
        assertThat(pair.client().isOpen()).isTrue();
    }

    @Test
    void shouldShutDownTwiceWithoutComplaint() throws Exception {
        Pair pair = connect();
        pair.client().shutdownOutput();
        pair.client().shutdownInput();
        assertThat(pair.client().shutdownOutput()).isSameAs(pair.client());
        assertThat(pair.client().shutdownInput()).isSameAs(pair.client());
    }

    @Test
    void shouldReadTheEndAfterShutdownInput() throws Exception {
        Pair pair = connect();
        assertThat(pair.client().shutdownInput()).isSameAs(pair.client());
        assertAtEnd(pair.client());
        Wire.writeFully(pair.client(), payload.slice(0, 2000));
        Wire.receive(pair.server(), payload, 2000, 2000);
        assertThat(pair.client().isOpen()).isTrue();
    }

    @Test
    void shouldReadTheEndAfterShutdownInputThoughBytesHadArrived() throws Exception {
        Pair pair = connect();
        Wire.writeFully(pair.server(), payload.slice(0, 100));
        Wire.readFully(pair.client(), ByteBuffer.allocate(1));
        pair.client().shutdownInput();
        assertAtEnd(pair.client());
    }

    @Test
    void shouldLetThePeerWriteAfterShutdownInput() throws Exception {
        Pair pair = connect();
        pair.client().shutdownInput();
        assertThat(pair.server().write(payload.slice(0, 1000))).isEqualTo(1000);
        assertAtEnd(pair.client());
        assertThat(pair.server().isOpen()).isTrue();
    }

    @Test
    void shouldEndABlockedReadByShutdownInputInAnotherThread() throws Exception {
        Pair pair = connect();
        Task<Integer> reader = startReading(pair.server());
        reader.awaitBlockedIn("read");
        pair.server().shutdownInput();
        assertThat(reader.join()).isEqualTo(-1);
        assertThat(pair.server().isOpen()).isTrue();
    }

    @Test
    void shouldEndABlockedWriteByShutdownOutputInAnotherThread() throws Exception {
        Pair pair = connect();
        Task<Void> writer = startBlockedWriter(pair.client());
        pair.client().shutdownOutput();
        assertThat(writer.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
        assertThat(pair.client().isOpen()).isTrue();
    }

    @Test
    void shouldRefuseToShutDownWhatIsNotConnected() throws Exception {
        SocketChannel channel = open();
        assertThatThrownBy(channel::shutdownInput).isExactlyInstanceOf(NotYetConnectedException.class);
        assertThatThrownBy(channel::shutdownOutput).isExactlyInstanceOf(NotYetConnectedException.class);
        channel.close();
        assertThatThrownBy(channel::shutdownInput).isExactlyInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(channel::shutdownOutput).isExactlyInstanceOf(ClosedChannelException.class);
    }

    @Test
    void shouldReportTheEndInNonBlockingMode() throws Exception {
        Pair pair = connect();
        Wire.writeFully(pair.client(), payload.slice(0, 10));
        pair.client().shutdownOutput();
        Wire.receive(pair.server(), payload, 10, 10);
        assertAtEnd(pair.server());
        pair.server().configureBlocking(false);
        assertAtEnd(pair.server());
        assertThat(pair.server().write(payload.slice(0, 10))).isEqualTo(10);
    }

    private Task<Integer> startReading(SocketChannel channel) {
        return start("reader", () -> channel.read(ByteBuffer.allocate(100)));
    }

    private static void assertAtEnd(SocketChannel channel) throws Exception {
        ByteBuffer target = ByteBuffer.allocate(10);
        assertThat(channel.read(target)).isEqualTo(-1);
        assertThat(channel.read(target)).isEqualTo(-1);
        assertThat(channel.read(new ByteBuffer[] {target, ByteBuffer.allocateDirect(1)})).isEqualTo(-1);
        assertThat(target.position()).isZero();
    }
}
