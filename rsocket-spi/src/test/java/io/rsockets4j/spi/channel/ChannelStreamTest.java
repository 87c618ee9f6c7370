/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.engine.EngineHolder;
import io.rsockets4j.spi.jdk.JdkProvider;
import io.rsockets4j.spi.stream.WatchfulLink;
import java.io.IOException;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** That channels keep the rules of a link: one thread per direction, closed once, by the last to let go. */
@Timeout(30)
class ChannelStreamTest {
    private final WatchfulLink link = new WatchfulLink();
    private RSocketChannel channel;

    @BeforeEach
    void open() throws IOException {
        channel = RSocketChannel.accepted(JdkProvider.get(), EngineHolder.instance(), link, Map.of());
    }

    @AfterEach
    void keepTheRules() throws IOException {
        channel.close();
        assertThat(link.closes).hasValue(1);
        assertThat(link.offences).hasValue(0);
    }

    @Test
    void shouldNotWaitForAReaderThatIsBusy() throws Exception {
        link.holdReceive = new CountDownLatch(1);
        CompletableFuture<Integer> reader = start(() -> channel.read(ByteBuffer.allocate(1)));
        link.receiving.await();
        channel.close();
        assertThat(link.closes).hasValue(0);
        link.holdReceive.countDown();
        assertThatThrownBy(reader::get).cause().isExactlyInstanceOf(AsynchronousCloseException.class);
        awaitClosed();
    }

    @Test
    void shouldCloseTheLinkOnceAReaderThatWaitsHasLeft() throws Exception {
        CompletableFuture<Integer> reader = start(() -> channel.read(ByteBuffer.allocate(1)));
        link.receiving.await();
        channel.close();
        assertThatThrownBy(reader::get).cause().isExactlyInstanceOf(AsynchronousCloseException.class);
        awaitClosed();
    }

    @Test
    void shouldCountOnlyWhatWentBeforeItsOutputWasShut() throws Exception {
        link.failingOnceShut = true;
        ByteBuffer[] two = {ByteBuffer.allocate(1), ByteBuffer.allocate(1)};
        CompletableFuture<Integer> writer = start(() -> Math.toIntExact(channel.write(two)));
        link.awaitSends(1);
        channel.shutdownOutput();
        assertThat(writer.get(20, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(two[1].remaining()).isEqualTo(1);
    }

    @Test
    void shouldLeaveTheInputOpenAfterAFailedReadWhoseBufferTheLinkDidNotTake() {
        channel.offer(ByteBuffer.allocateDirect(1000), false);
        channel.takeBack();
        assertThat(link.sleep(SelectionKey.OP_WRITE, 0)).as("the link is open").isTrue();
    }

    /** How a read ends of which nothing has come. */
    private enum End {
        CLOSE(AsynchronousCloseException.class),
        INTERRUPT(ClosedByInterruptException.class),
        SHUT_INPUT(null);

        private final Class<? extends Exception> failure;

        End(Class<? extends Exception> failure) {
            this.failure = failure;
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldTakeTheBufferBackOfAReadThatEndsWithNothing(End end) throws Exception {
        link.lendFrom = 100;
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        CompletableFuture<Integer> reader = start(() -> {
            thread.complete(Thread.currentThread());
            return channel.read(ByteBuffer.allocateDirect(100));
        });
        assertThat(link.offering.await(20, TimeUnit.SECONDS)).isTrue();
        switch (end) {
            case CLOSE -> channel.close();
            case INTERRUPT -> thread.get().interrupt();
            case SHUT_INPUT -> channel.shutdownInput();
            default -> throw new AssertionError(end);
        }
        if (end.failure == null) {
            assertThat(reader.get(20, TimeUnit.SECONDS)).isEqualTo(-1);
        } else {
            assertThatThrownBy(() -> reader.get(20, TimeUnit.SECONDS)).cause().isExactlyInstanceOf(end.failure);
        }
        assertThat(link.offered).isNull();
    }

    @Test
    void shouldOfferNoBufferThatIsSmall() throws Exception {
        link.lendFrom = 100;
        CompletableFuture<Integer> reader = start(() -> channel.read(ByteBuffer.allocateDirect(99)));
        link.receiving.await();
        link.readable = 1;
        assertThat(reader.get(20, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(link.offering.getCount()).isEqualTo(1);
    }

    @Test
    void shouldKeepABufferOfferedWhoseReadIsPendingUntilItFails() {
        link.lendFrom = 100;
        channel.offer(ByteBuffer.allocateDirect(99), false);
        assertThat(link.offered).isNull();
        channel.offer(ByteBuffer.allocateDirect(100), false);
        assertThat(link.offered).isNotNull();
        channel.takeBack();
        assertThat(link.offered).isNull();
    }

    @Test
    void shouldReclaimTheBufferOfAWriteThatACloseEnds() throws Exception {
        link.lendFrom = 100;
        CompletableFuture<Integer> writer = start(() -> channel.write(ByteBuffer.allocateDirect(100)));
        assertThat(link.lending.await(20, TimeUnit.SECONDS)).isTrue();
        channel.close();
        assertThatThrownBy(writer::get).cause().isExactlyInstanceOf(AsynchronousCloseException.class);
        assertThat(link.lent).isNull();
        awaitClosed();
    }

    /** Where nothing was sent, the peer may have offered a buffer since. */
    @Test
    void shouldLendTheBufferOfAWriteAgainWhileItWaits() throws Exception {
        link.lendFrom = 100;
        CompletableFuture<Integer> writer = start(() -> channel.write(ByteBuffer.allocateDirect(100)));
        assertThat(link.lendingAgain.await(20, TimeUnit.SECONDS)).isTrue();
        channel.close();
        assertThatThrownBy(writer::get).cause().isExactlyInstanceOf(AsynchronousCloseException.class);
    }

    @Test
    void shouldLendNoBufferThatIsSmall() throws Exception {
        link.lendFrom = 100;
        assertThat(channel.write(ByteBuffer.allocateDirect(99))).isEqualTo(99);
        assertThat(link.lending.getCount()).isEqualTo(1);
    }

    @Test
    void shouldCountWhatWasSentOfABufferWhenTheOutputIsShut() throws Exception {
        link.lendFrom = 100;
        link.sentOfLent = 60;
        CompletableFuture<Integer> writer = start(() -> channel.write(ByteBuffer.allocateDirect(100)));
        assertThat(link.lending.await(20, TimeUnit.SECONDS)).isTrue();
        channel.shutdownOutput();
        assertThat(writer.get(20, TimeUnit.SECONDS)).isEqualTo(60);
        assertThat(link.lent).isNull();
    }

    @Test
    void shouldLendBuffersOfAWriteThatIsPendingUntilItFails() {
        link.lendFrom = 100;
        channel.reclaim();
        channel.lend(ByteBuffer.allocateDirect(99), null);
        assertThat(link.lent).isNull();
        channel.lend(ByteBuffer.allocateDirect(100), null);
        assertThat(link.lent).isNotNull();
        channel.reclaim();
        assertThat(link.lent).isNull();
    }

    @Test
    void shouldCloseWhenAWaitIsInterrupted() throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        CompletableFuture<Integer> reader = start(() -> {
            thread.complete(Thread.currentThread());
            return channel.read(ByteBuffer.allocate(1));
        });
        link.receiving.await();
        thread.get().interrupt();
        assertThatThrownBy(reader::get).cause().isExactlyInstanceOf(ClosedByInterruptException.class);
        assertThat(channel.isOpen()).isFalse();
        awaitClosed();
    }

    @Test
    void shouldCloseWhenEnteredWithAnInterrupt() throws Exception {
        link.readable = 1;
        CompletableFuture<Integer> reader = start(() -> {
            Thread.currentThread().interrupt();
            return channel.read(ByteBuffer.allocate(1));
        });
        assertThatThrownBy(reader::get).cause().isExactlyInstanceOf(ClosedByInterruptException.class);
        assertThat(link.receiving.getCount()).isEqualTo(1);
    }

    @Test
    void shouldRemainResetOnceItWasReset() throws Exception {
        link.failure = new IOException("Connection reset");
        assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(1))).isExactlyInstanceOf(SocketException.class)
                .hasMessage("Connection reset");
        link.failure = null;
        link.readable = 1;
        assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(1))).isExactlyInstanceOf(SocketException.class)
                .hasMessage("Connection reset");
        assertThatThrownBy(() -> channel.write(ByteBuffer.allocate(1))).isExactlyInstanceOf(IOException.class)
                .hasMessage("Broken pipe");
    }

    @Test
    void shouldAbortWithLingerZeroAlone() throws Exception {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        channel.setOption(StandardSocketOptions.SO_LINGER, 5);
        channel.close();
        assertThat(link.aborted).isFalse();
    }

    @Test
    void shouldAbortWithLingerZero() throws Exception {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        channel.close();
        assertThat(link.aborted).isTrue();
    }

    @Test
    void shouldEndTheOutputOnlyOnceTheWriterHasLeft() throws Exception {
        CompletableFuture<Integer> writer = start(() -> {
            while (true) {
                channel.write(ByteBuffer.allocate(1000));
            }
        });
        link.awaitSends(1);
        channel.shutdownOutput();
        assertThatThrownBy(writer::get).cause().isInstanceOf(ClosedChannelException.class);
    }

    @Test
    void shouldKeepTheRulesWhoeverCloses() throws Exception {
        for (int round = 0; round < 300; round++) {
            WatchfulLink fresh = new WatchfulLink();
            fresh.readable = 1;
            RSocketChannel shared =
                    RSocketChannel.accepted(JdkProvider.get(), EngineHolder.instance(), fresh, Map.of());
            List<CompletableFuture<Integer>> users = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                users.add(start(() -> forEver(() -> shared.read(ByteBuffer.allocate(1)))));
                users.add(start(() -> forEver(() -> shared.write(ByteBuffer.allocate(3)))));
            }
            fresh.awaitSends(round * 10); // each round later, so that the close comes upon every step
            shared.close();
            for (CompletableFuture<Integer> user : users) {
                assertThatThrownBy(user::get).isInstanceOf(ExecutionException.class)
                        .cause().isInstanceOf(ClosedChannelException.class);
            }
            assertThat(fresh.closes).hasValue(1);
            assertThat(fresh.offences).hasValue(0);
        }
    }

    private static Integer forEver(Callable<Integer> call) throws Exception {
        while (true) {
            call.call();
        }
    }

    private void awaitClosed() throws InterruptedException {
        assertThat(link.closed.await(20, TimeUnit.SECONDS)).isTrue();
    }

    private static CompletableFuture<Integer> start(Callable<Integer> body) {
        CompletableFuture<Integer> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(body.call());
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }
}
