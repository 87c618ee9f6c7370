/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.spi.jdk.JdkProvider;
import io.rsockets4j.spi.suite.kit.Threads;
import java.io.IOException;
import java.nio.channels.ShutdownChannelGroupException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** That the workers of a group run every task, whatever the handlers before it do. */
@Timeout(30)
class WorkersTest {
    private final CountDownLatch release = new CountDownLatch(1);
    private final BlockingQueue<Throwable> thrown = new LinkedBlockingQueue<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private ExecutorService executor;
    private Poller poller;
    private Workers workers;

    private void start(int wanted, boolean mayGrow) throws IOException {
        executor = Executors.newCachedThreadPool(body -> {
            Thread thread = new Thread(body);
            threads.add(thread);
            thread.setDaemon(true);
            thread.setUncaughtExceptionHandler((dead, cause) -> thrown.add(cause));
            return thread;
        });
        TaskQueue tasks = new TaskQueue();
        poller = new Poller(JdkProvider.get().openSelector(), tasks, Readiness.collector(tasks));
        workers = new Workers(null, poller, tasks, executor, wanted, mayGrow);
        workers.start();
    }

    @AfterEach
    void stop() throws Exception {
        release.countDown();
        poller.close();
        workers.stop();
        assertThat(executor.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void shouldRunTasksInOrderOnOneThread() throws Exception {
        start(1, false);
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch all = new CountDownLatch(100);
        for (int i = 0; i < 100; i++) {
            int number = i;
            workers.submit(new Command(() -> {
                order.add(number);
                all.countDown();
            }));
        }
        assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(order).isSorted();
    }

    @Test
    void shouldRunATaskBehindAHandlerThatDoesNotReturn() throws Exception {
        start(2, false);
        Threads.await("one to wait for a call while the other leads",
                () -> threads.stream().anyMatch(WorkersTest::isIdle));
        assertThatTasksRunBehindABlockedOne();
    }

    private static boolean isIdle(Thread thread) {
        return thread.getState() == Thread.State.WAITING && Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("acquireUninterruptibly"));
    }

    @Test
    void shouldGrowWhereAHandlerDoesNotReturn() throws Exception {
        start(1, true);
        assertThatTasksRunBehindABlockedOne();
    }

    private void assertThatTasksRunBehindABlockedOne() throws InterruptedException {
        CountDownLatch blocked = new CountDownLatch(1);
        workers.submit(new Command(() -> {
            blocked.countDown();
            try {
                release.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }));
        assertThat(blocked.await(20, TimeUnit.SECONDS)).isTrue();
        CountDownLatch ran = new CountDownLatch(1);
        workers.submit(new Command(ran::countDown));
        assertThat(ran.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(release.getCount()).isEqualTo(1); // the first is still there
    }

    @Test
    void shouldReplaceAWorkerWhoseHandlerHasThrown() throws Exception {
        start(1, false);
        IllegalStateException failure = new IllegalStateException("from a handler");
        workers.submit(new Command(() -> {
            throw failure;
        }));
        assertThat(thrown.poll(20, TimeUnit.SECONDS)).isSameAs(failure);
        CountDownLatch ran = new CountDownLatch(1);
        workers.submit(new Command(ran::countDown));
        assertThat(ran.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void shouldRunWhatWasSubmittedBeforeItStopped() throws Exception {
        start(1, false);
        CountDownLatch ran = new CountDownLatch(2);
        CountDownLatch submitted = new CountDownLatch(1);
        workers.submit(new Command(() -> {
            workers.submit(new Command(ran::countDown));
            workers.stop();
            submitted.countDown();
            ran.countDown();
        }));
        assertThat(submitted.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(ran.await(20, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(() -> workers.submit(new Command(() -> { })))
                .isExactlyInstanceOf(ShutdownChannelGroupException.class);
    }

    /** No thread takes the place of one that ends by an exception then, and its handlers are still invoked. */
    @Test
    void shouldRunWhatIsBehindHandlersThatThrowAfterItStopped() throws Exception {
        start(1, false);
        IllegalStateException first = new IllegalStateException("from a handler");
        IllegalStateException second = new IllegalStateException("from another handler");
        CountDownLatch ran = new CountDownLatch(1);
        workers.submit(new Command(() -> {
            workers.submit(new Command(() -> {
                throw second;
            }));
            workers.submit(new Command(ran::countDown));
            workers.stop();
            throw first;
        }));
        assertThat(ran.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(List.of(take(thrown), take(thrown))).containsExactlyInAnyOrder(first, second);
    }

    private static Throwable take(BlockingQueue<Throwable> queue) throws InterruptedException {
        Throwable next = queue.poll(20, TimeUnit.SECONDS);
        assertThat(next).isNotNull();
        return next;
    }
}
