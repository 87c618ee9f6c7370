/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.spi.RSocketAsynchronousChannelProvider;
import io.rsockets4j.spi.RSocketSelectorProvider;
import io.rsockets4j.spi.channel.ConnectThreads;
import io.rsockets4j.spi.suite.kit.Threads;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The threads that serve asynchronous channels and connects: whose they are, and that an interrupt does no harm. */
@Timeout(60)
class AsyncThreadsTest {
    @Test
    void shouldBelongToTheSystem() throws Exception {
        CompletableFuture<Thread> connect = new CompletableFuture<>();
        ConnectThreads.execute(() -> connect.complete(Thread.currentThread()));
        CompletableFuture<Thread> timeout = new CompletableFuture<>();
        Timeouts.schedule(() -> timeout.complete(Thread.currentThread()), 1);
        CompletableFuture<Thread> handler = new CompletableFuture<>();
        defaultGroup().execute(() -> handler.complete(Thread.currentThread()));
        assertIsTheSystems(connect.get(20, TimeUnit.SECONDS));
        assertIsTheSystems(timeout.get(20, TimeUnit.SECONDS));
        assertIsTheSystems(handler.get(20, TimeUnit.SECONDS));
    }

    @Test
    void shouldForgetAnInterruptOfTheWatchdog() throws Exception {
        CountDownLatch ran = new CountDownLatch(1);
        defaultGroup().execute(ran::countDown); // which has the watchdog look
        assertThat(ran.await(20, TimeUnit.SECONDS)).isTrue();
        Thread watchdog = thread("rsockets4j-watchdog");
        assertIsTheSystems(watchdog);
        interrupt(watchdog);
    }

    @Test
    void shouldForgetAnInterruptOfTheThreadThatLendsOthers() throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        RAsynchronousChannelGroup group = (RAsynchronousChannelGroup)
                new RSocketAsynchronousChannelProvider().openAsynchronousChannelGroup(executor, 0);
        Thread lender = thread("rsockets4j-async");
        assertIsTheSystems(lender);
        interrupt(lender);
        CountDownLatch ran = new CountDownLatch(1);
        group.execute(ran::countDown);
        assertThat(ran.await(20, TimeUnit.SECONDS)).isTrue();
        group.shutdown();
        assertThat(group.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }

    private static RAsynchronousChannelGroup defaultGroup() throws Exception {
        return new DefaultGroup(new RSocketAsynchronousChannelProvider(), new RSocketSelectorProvider()).get();
    }

    private static Thread thread(String name) {
        return Thread.getAllStackTraces().keySet().stream().filter(thread -> thread.getName().equals(name))
                .findFirst().orElseThrow();
    }

    private static void assertIsTheSystems(Thread thread) {
        assertThat(thread.getThreadGroup().getParent()).as(thread.getName()).isNull();
    }

    private static void interrupt(Thread thread) throws Exception {
        thread.interrupt();
        Threads.await(thread.getName() + " to forget the interrupt", () -> !thread.isInterrupted());
        assertThat(thread.isAlive()).isTrue();
    }
}
