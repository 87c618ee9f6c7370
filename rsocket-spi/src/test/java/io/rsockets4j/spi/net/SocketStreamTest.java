/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.spi.stream.WatchfulLink;
import io.rsockets4j.spi.suite.kit.Threads;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a socket's stream makes of closes, interrupts, timeouts and resets. */
@Timeout(30)
class SocketStreamTest {
    private final WatchfulLink link = new WatchfulLink();
    private final SocketStream stream = new SocketStream(link);

    @AfterEach
    void keepTheRules() throws InterruptedException {
        stream.close(false);
        assertThat(link.closed.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(link.closes).hasValue(1);
        assertThat(link.offences).hasValue(0);
    }

    @Test
    void shouldTimeOut() {
        assertThatThrownBy(() -> stream.read(new byte[1], 0, 1, 1)).isExactlyInstanceOf(SocketTimeoutException.class)
                .hasMessage("Read timed out");
        assertThatThrownBy(() -> stream.read(1)).isExactlyInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void shouldTellAReaderThatWaitsOfTheClose() throws Exception {
        CompletableFuture<Integer> reader = start(() -> stream.read(new byte[1], 0, 1, 0));
        link.receiving.await();
        stream.close(false);
        assertThatThrownBy(reader::get).isInstanceOf(ExecutionException.class).cause()
                .isExactlyInstanceOf(SocketException.class).hasMessage("Socket closed");
    }

    @Test
    void shouldNotWaitForAReaderThatIsBusy() throws Exception {
        link.holdReceive = new CountDownLatch(1);
        CompletableFuture<Integer> reader = start(() -> stream.read(new byte[1], 0, 1, 0));
        link.receiving.await();
        stream.close(false);
        assertThat(link.closes).hasValue(0);
        link.holdReceive.countDown();
        assertThatThrownBy(reader::get).cause().hasMessage("Socket closed");
    }

    @Test
    void shouldWaitOnWhenInterruptedAndKeepTheStatus() throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        CompletableFuture<Boolean> reader = start(() -> {
            thread.complete(Thread.currentThread());
            assertThat(stream.read(new byte[1], 0, 1, 0)).isEqualTo(1);
            return Thread.interrupted();
        });
        link.receiving.await();
        thread.get().interrupt();
        Threads.await("the wait to take the interrupt", () -> !thread.get().isInterrupted());
        assertThat(reader).isNotDone();
        link.readable = 1;
        assertThat(reader.get()).isTrue();
    }

    @Test
    void shouldEndTheOutputBeforeItCloses() {
        link.readable = 1; // which would make it a reset
        stream.close(false);
        assertThat(link.endedFirst).isTrue();
        assertThat(link.aborted).isFalse();
    }

    @Test
    void shouldResetWithoutEndingTheOutput() {
        stream.close(true);
        assertThat(link.endedFirst).isFalse();
        assertThat(link.aborted).isTrue();
    }

    @Test
    void shouldCloseAsTheKernelDoesWhereItIsForgotten() {
        stream.forget();
        assertThat(link.closes).hasValue(1);
        assertThat(link.endedFirst).isFalse();
    }

    @Test
    void shouldNotBeForgottenOnceItIsClosed() throws Exception {
        link.holdReceive = new CountDownLatch(1);
        CompletableFuture<Integer> reader = start(() -> stream.read(new byte[1], 0, 1, 0));
        link.receiving.await();
        stream.close(false); // which the reader completes
        stream.forget();
        link.holdReceive.countDown();
        assertThatThrownBy(reader::get).isInstanceOf(ExecutionException.class);
        assertThat(link.closed.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(link.endedFirst).isTrue();
    }

    @Test
    void shouldRemainResetOnceItWasReset() {
        link.failure = new IOException("Connection reset");
        assertThatThrownBy(() -> stream.read(0)).isExactlyInstanceOf(SocketException.class)
                .hasMessage("Connection reset");
        link.failure = null;
        link.readable = 1;
        assertThatThrownBy(() -> stream.read(0)).hasMessage("Connection reset");
        assertThatThrownBy(() -> stream.write(1)).isExactlyInstanceOf(SocketException.class)
                .hasMessage("Broken pipe");
    }

    @Test
    void shouldWriteAllAndReadTheEnd() throws IOException {
        stream.write(new byte[5], 0, 5); // the link takes one byte at a time
        stream.write(6);
        link.awaitSends(6);
        link.readable = 1; // but the input has ended
        stream.shutdownInput();
        assertThat(stream.read(new byte[1], 0, 1, 0)).isEqualTo(Link.EOF);
        stream.shutdownOutput();
        assertThatThrownBy(() -> stream.write(7)).isExactlyInstanceOf(SocketException.class)
                .hasMessage("Broken pipe");
    }

    private static <T> CompletableFuture<T> start(Callable<T> body) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(body.call());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }
}
