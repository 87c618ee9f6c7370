/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.log.LogCapture;
import io.rsockets4j.core.verbs.CmEvent;
import io.rsockets4j.core.verbs.CmId;
import io.rsockets4j.core.verbs.ConnectionManager;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A connection manager that breaks takes no connection with it, and does not stop the thread that ends them. */
@Timeout(30)
class CmThreadTest {
    private static final int FAILURES = 3;

    private final LogCapture log = LogCapture.of(CmThread.class);
    private final BrokenManager manager = new BrokenManager();

    @AfterEach
    void stop() {
        manager.ended = true; // the thread is a daemon, and never ends by itself
        log.close();
    }

    @Test
    void shouldGoOnWithTasksAndDeadlinesOfABrokenManagerAndSayItOnce() throws Exception {
        CmThread thread = new CmThread(manager);
        CompletableFuture<Void> task = new CompletableFuture<>();
        CompletableFuture<Void> timer = new CompletableFuture<>();
        thread.execute(() -> task.complete(null));
        thread.schedule(1, () -> timer.complete(null));
        task.get(10, TimeUnit.SECONDS);
        timer.get(10, TimeUnit.SECONDS);
        assertThat(manager.failures.tryAcquire(FAILURES, 10, TimeUnit.SECONDS)).isTrue();
        assertThat(log.lines()).containsExactly("SEVERE rsockets4j: the RDMA connection manager tells no more: no RDMA"
                + " connection can be made until this program is started again");
    }

    @Test
    void shouldGoOnAfterATaskThatFails() throws Exception {
        CmThread thread = new CmThread(manager);
        thread.execute(() -> {
            throw new IllegalStateException("a task's mistake");
        });
        CompletableFuture<Void> next = new CompletableFuture<>();
        thread.execute(() -> next.complete(null));
        next.get(10, TimeUnit.SECONDS);
        assertThat(log.lines()).contains("SEVERE rsockets4j: the RDMA connection manager's thread goes on after an"
                + " error");
    }

    /** Neither an error of memory nor one that nobody declares ends the thread; nor does an interrupt keep it busy. */
    @Test
    void shouldGoOnAfterAnyThrowableAndAnInterrupt() throws Exception {
        CmThread thread = new CmThread(manager);
        thread.execute(() -> {
            throw new OutOfMemoryError("a test's");
        });
        thread.execute(() -> CmThreadTest.<RuntimeException>sneak(new Exception("nobody declares it")));
        CompletableFuture<Thread> interrupted = new CompletableFuture<>();
        thread.execute(() -> {
            Thread.currentThread().interrupt();
            interrupted.complete(Thread.currentThread());
        });
        assertThat(interrupted.get(10, TimeUnit.SECONDS).getThreadGroup().getParent()).isNull();
        CompletableFuture<Boolean> next = new CompletableFuture<>();
        manager.failures.acquire(1 + manager.failures.drainPermits()); // the turn after the interrupt
        thread.execute(() -> next.complete(Thread.currentThread().isInterrupted()));
        assertThat(next.get(10, TimeUnit.SECONDS)).isFalse();
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable any) throws T {
        throw (T) any;
    }

    /** Tells of no event. */
    private static final class BrokenManager implements ConnectionManager {
        private final Semaphore failures = new Semaphore(0);
        private final CountDownLatch never = new CountDownLatch(1);
        private volatile boolean ended;

        @Override
        public CmId createId() {
            throw new UnsupportedOperationException();
        }

        @Override
        public CmEvent await(int timeoutMillis) throws IOException {
            if (ended) {
                awaitForEver();
            }
            failures.release();
            throw new IOException("the channel is gone");
        }

        private void awaitForEver() {
            try {
                never.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void wakeup() {
            // it never sleeps
        }

        @Override
        public void close() {
            throw new UnsupportedOperationException();
        }
    }
}
