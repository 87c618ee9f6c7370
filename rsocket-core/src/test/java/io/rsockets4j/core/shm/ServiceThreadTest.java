/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.log.LogCapture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Without this thread nobody would be woken, and connects would hang: it outlives whatever goes wrong on it. */
@Timeout(30)
class ServiceThreadTest {
    private static final long LIMIT_SECONDS = 10;

    @TempDir
    private Path directory;
    private final LogCapture log = LogCapture.of(ServiceThread.class);
    private final ServiceThread service = new ServiceThread();

    @AfterEach
    void end() {
        service.end();
        log.close();
    }

    private <T> T ask(Callable<T> task) throws IOException {
        return service.submit(task).await(System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS));
    }

    @Test
    void shouldGoOnAfterAnErrorOfATaskOrATimer() throws Exception {
        service.execute(ServiceThreadTest::runOutOfMemory);
        assertThat(ask(() -> 1)).isEqualTo(1);
        service.schedule(ServiceThreadTest::runOutOfMemory, 0);
        Eventually.until("both are told of", () -> log.lines().size() == 2);
        assertThat(ask(() -> 2)).isEqualTo(2);
        assertThat(log.lines()).containsOnly("SEVERE rsockets4j: the service thread goes on after an error");
    }

    @Test
    void shouldTellWhoWaitsForATaskOfItsError() throws Exception {
        assertThatThrownBy(() -> ask(() -> {
            throw new StackOverflowError("a test's");
        })).isInstanceOf(IOException.class).hasRootCauseInstanceOf(StackOverflowError.class);
        assertThat(ask(() -> 1)).isEqualTo(1);
    }

    @Test
    void shouldEndOnlyThePeerWhoseHandlerFails() throws Exception {
        try (UnixPair bad = UnixPair.open(directory); UnixPair good = UnixPair.open(directory)) {
            CompletableFuture<IOException> failed = serve(bad, ServiceThreadTest::runOutOfMemory);
            CompletableFuture<Void> served = new CompletableFuture<>();
            serve(good, () -> served.complete(null));
            bad.near().write(ByteBuffer.allocate(1));
            assertThat(failed.get(LIMIT_SECONDS, TimeUnit.SECONDS)).hasRootCauseInstanceOf(OutOfMemoryError.class);
            good.near().write(ByteBuffer.allocate(1));
            served.get(LIMIT_SECONDS, TimeUnit.SECONDS);
            assertThat(log.lines()).containsExactly("SEVERE rsockets4j: a handler of the service thread failed");
        }
    }

    /** A selector does not wait in a thread that is interrupted. */
    @Test
    void shouldForgetAnInterrupt() throws Exception {
        Thread thread = ask(Thread::currentThread);
        thread.interrupt();
        Eventually.until("the interrupt is forgotten", () -> ask(() -> !Thread.currentThread().isInterrupted()));
    }

    private CompletableFuture<IOException> serve(UnixPair pair, Runnable whenReady) throws IOException {
        CompletableFuture<IOException> failed = new CompletableFuture<>();
        pair.far().configureBlocking(false);
        ServiceThread.Handler handler = new ServiceThread.Handler() {
            @Override
            public void ready() throws IOException {
                pair.far().read(ByteBuffer.allocate(1));
                whenReady.run();
            }

            @Override
            public void failed(IOException cause) {
                failed.complete(cause);
            }
        };
        ask(() -> {
            service.register(pair.far(), SelectionKey.OP_READ, handler);
            return null;
        });
        return failed;
    }

    private static void runOutOfMemory() {
        throw new OutOfMemoryError("a test's");
    }
}
