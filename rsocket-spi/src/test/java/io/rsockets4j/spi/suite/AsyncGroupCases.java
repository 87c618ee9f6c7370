/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.spi.suite.kit.Handled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.IllegalChannelGroupException;
import java.nio.channels.ShutdownChannelGroupException;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

/** Groups: which threads invoke handlers, and how groups end. */
abstract class AsyncGroupCases extends AsyncCase {
    private static final long PATIENCE_SECONDS = 20;

    private static ByteBuffer one() {
        return ByteBuffer.allocate(1);
    }

    /** A handler of reads and writes that only wants to know the number. */
    private static CompletionHandler<Integer, Object> then(IntConsumer next) {
        return new CompletionHandler<>() {
            @Override
            public void completed(Integer result, Object attachment) {
                next.accept(result);
            }

            @Override
            public void failed(Throwable cause, Object attachment) {
                next.accept(Integer.MIN_VALUE);
            }
        };
    }

    private static Handled<Integer> startRead(AsynchronousSocketChannel channel) {
        Handled<Integer> read = new Handled<>();
        channel.read(one(), null, read);
        return read;
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void shouldInvokeHandlersOnTheThreadsOfTheGroup() throws Exception {
        GroupThreads factory = new GroupThreads();
        AsyncPair pair = connectAsync(fixedGroup(2, factory));
        Handled<Integer> pending = startRead(pair.client());
        Handled<Integer> immediate = new Handled<>();
        pair.client().write(one(), null, immediate);
        get(pair.server().write(one()));
        assertThat(factory.threads()).contains(pending.thread(), immediate.thread());
        assertThat(factory.threads().size()).isLessThanOrEqualTo(2);
    }

    @Test
    void shouldInvokeHandlersOnDaemonThreadsByDefault() throws Exception {
        AsyncPair pair = connectAsync();
        Handled<Integer> read = startRead(pair.client());
        get(pair.server().write(one()));
        assertThat(read.thread().isDaemon()).isTrue();
        assertThat(read.thread()).isNotSameAs(Thread.currentThread());
    }

    /** On a thread of the group a handler may be invoked before the operation's method returns, but not for ever. */
    @Test
    void shouldBoundTheHandlersOnOneStack() throws Exception {
        AsyncPair pair = connectAsync(fixedGroup(1, new GroupThreads()));
        int[] depths = new int[2]; // now, and the greatest
        CountDownLatch finished = new CountDownLatch(1);
        write(pair.client(), depths, 1000, finished);
        await(finished);
        assertThat(depths[1]).isBetween(1, 64);
    }

    private static void write(AsynchronousSocketChannel channel, int[] depths, int left, CountDownLatch finished) {
        channel.write(one(), null, then(n -> {
            depths[0]++;
            depths[1] = Math.max(depths[1], depths[0]);
            if (left > 0 && n == 1) {
                write(channel, depths, left - 1, finished);
            } else {
                finished.countDown();
            }
            depths[0]--;
        }));
    }

    /** The two handlers wait for each other, so both must run at once. */
    @Test
    void shouldInvokeHandlersAtTheSameTimeOnDifferentThreads() throws Exception {
        AsynchronousChannelGroup fixed = fixedGroup(2, new GroupThreads());
        for (AsynchronousChannelGroup group : new AsynchronousChannelGroup[] {null, fixed}) {
            AsyncPair first = connectAsync(group);
            AsyncPair second = connectAsync(group);
            CountDownLatch both = new CountDownLatch(2);
            CountDownLatch met = new CountDownLatch(2);
            for (AsyncPair pair : new AsyncPair[] {first, second}) {
                pair.client().read(one(), null, then(n -> {
                    both.countDown();
                    try {
                        await(both);
                        met.countDown();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }));
                get(pair.server().write(one()));
            }
            await(met);
        }
    }

    /** The default group serves others though as many handlers as it had threads, and more, are stuck. */
    @Test
    void shouldServeOthersWhileHandlersAreStuck() throws Exception {
        int stuck = Runtime.getRuntime().availableProcessors() + 2;
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch entered = new CountDownLatch(stuck);
        CountDownLatch left = new CountDownLatch(stuck);
        try {
            for (int i = 0; i < stuck; i++) {
                AsyncPair pair = connectAsync();
                pair.client().read(one(), null, then(n -> {
                    entered.countDown();
                    try {
                        await(release);
                        left.countDown();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }));
                get(pair.server().write(one()));
            }
            await(entered);
            AsyncPair other = connectAsync();
            Handled<Integer> read = startRead(other.client());
            get(other.server().write(one()));
            assertThat(read.result()).isEqualTo(1);
        } finally {
            release.countDown();
        }
        await(left);
    }

    /** What a handler throws is the thread's end; another takes its place. */
    @Test
    void shouldReplaceAThreadWhoseHandlerThrows() throws Exception {
        GroupThreads factory = new GroupThreads();
        AsyncPair pair = connectAsync(fixedGroup(1, factory));
        RuntimeException trouble = new RuntimeException("thrown by a handler");
        pair.client().write(one(), null, then(n -> {
            throw trouble;
        }));
        Handled<Integer> read = startRead(pair.client());
        get(pair.server().write(one()));
        assertThat(read.result()).isEqualTo(1);
        assertThat(factory.uncaught()).isSameAs(trouble);
        assertThat(factory.threads()).hasSize(2);
    }

    @Test
    void shouldBorrowTheThreadsOfAnExecutor() throws Exception {
        GroupThreads factory = new GroupThreads();
        ExecutorService executor = Executors.newSingleThreadExecutor(factory);
        AsynchronousChannelGroup group = onExecutor(executor, 0);
        AsyncPair pair = connectAsync(group);
        assertThat(executor.submit(() -> 7).get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(7);
        for (int i = 0; i < 100; i++) {
            Handled<Integer> read = startRead(pair.client());
            get(pair.server().write(one()));
            assertThat(read.result()).isEqualTo(1);
            assertThat(factory.threads()).containsExactly(read.thread());
        }
        assertThat(executor.submit(() -> 7).get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(7);
    }

    @Test
    void shouldUseTheThreadsOfACachedPool() throws Exception {
        GroupThreads factory = new GroupThreads();
        AsyncPair pair = connectAsync(onExecutor(Executors.newCachedThreadPool(factory), 1));
        Handled<Integer> read = startRead(pair.client());
        get(pair.server().write(one()));
        assertThat(factory.threads()).contains(read.thread());
    }

    private AsynchronousChannelGroup onExecutor(ExecutorService executor, int initialSize) throws IOException {
        AsynchronousChannelGroup group =
                sockets().asyncClientProvider().openAsynchronousChannelGroup(executor, initialSize);
        closing(group::shutdownNow);
        return group;
    }

    /** No contract says so, but every group of the JDK is an executor. */
    @Test
    void shouldRunCommandsOnTheThreadsOfTheGroup() throws Exception {
        GroupThreads factory = new GroupThreads();
        AsynchronousChannelProvider provider = sockets().asyncProvider();
        for (AsynchronousChannelGroup group : List.of(
                provider.openAsynchronousChannelGroup(2, factory),
                provider.openAsynchronousChannelGroup(Executors.newCachedThreadPool(factory), 0),
                provider.openAsynchronousChannelGroup(Executors.newFixedThreadPool(3, factory), 2))) {
            BlockingQueue<Thread> ran = new LinkedBlockingQueue<>();
            ((Executor) group).execute(() -> ran.add(Thread.currentThread()));
            assertThat(factory.threads()).contains(ran.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
            group.shutdown();
            assertThat(group.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThatThrownBy(() -> ((Executor) group).execute(() -> ran.add(Thread.currentThread())))
                    .isInstanceOf(RejectedExecutionException.class);
            assertThat(ran).isEmpty();
        }
    }

    @Test
    void shouldRefuseGroupsThatMakeNoSense() throws Exception {
        AsynchronousChannelProvider provider = sockets().asyncClientProvider();
        assertThatThrownBy(() -> provider.openAsynchronousChannelGroup(0, new GroupThreads()))
                .isExactlyInstanceOf(IllegalArgumentException.class).hasMessage("'nThreads' must be > 0");
        assertThatThrownBy(() -> provider.openAsynchronousChannelGroup(1, null))
                .isExactlyInstanceOf(NullPointerException.class);
        AsynchronousChannelGroup foreign = new AsynchronousChannelGroup(provider) {
            @Override
            public boolean isShutdown() {
                return false;
            }

            @Override
            public boolean isTerminated() {
                return false;
            }

            @Override
            public void shutdown() {
                throw new UnsupportedOperationException();
            }

            @Override
            public void shutdownNow() {
                throw new UnsupportedOperationException();
            }

            @Override
            public boolean awaitTermination(long timeout, TimeUnit unit) {
                return false;
            }
        };
        assertThatThrownBy(() -> openAsync(foreign)).isExactlyInstanceOf(IllegalChannelGroupException.class);
        assertThat(fixedGroup(1, new GroupThreads()).provider()).isSameAs(provider);
    }

    // ---- the end of a group

    @Test
    void shouldTerminateWhenItsLastChannelIsClosed() throws Exception {
        GroupThreads factory = new GroupThreads();
        AsynchronousChannelGroup group = fixedGroup(2, factory);
        AsyncPair pair = connectAsync(group);
        group.shutdown();
        assertThat(group.isShutdown()).isTrue();
        assertThat(group.isTerminated()).isFalse();
        assertThat(group.awaitTermination(1, TimeUnit.MILLISECONDS)).isFalse();
        assertThatThrownBy(() -> openAsync(group)).isExactlyInstanceOf(ShutdownChannelGroupException.class);
        Handled<Integer> read = startRead(pair.client());
        get(pair.server().write(one()));
        assertThat(read.result()).isEqualTo(1);
        pair.client().close();
        assertThat(group.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(group.isTerminated()).isTrue();
        for (Thread thread : factory.threads()) {
            thread.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
            assertThat(thread.isAlive()).isFalse();
        }
    }

    @Test
    void shouldTerminateAtOnceWithoutChannels() throws Exception {
        AsynchronousChannelGroup group = fixedGroup(1, new GroupThreads());
        assertThat(group.isShutdown()).isFalse();
        group.shutdown();
        assertThat(group.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void shouldCloseItsChannelsByShutdownNow() throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor(new GroupThreads());
        AsynchronousChannelGroup group = onExecutor(executor, 0);
        AsyncPair pair = connectAsync(group);
        AsynchronousSocketChannel unconnected = openAsync(group);
        Handled<Integer> read = startRead(pair.client());
        group.shutdownNow();
        assertThat(read.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
        assertThat(pair.client().isOpen()).isFalse();
        assertThat(unconnected.isOpen()).isFalse();
        assertThat(get(pair.server().read(one()))).isEqualTo(-1);
        assertThat(group.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(executor.isTerminated()).isTrue();
    }

    @Test
    void shouldAcceptNothingInAGroupThatIsShutDown() throws Exception {
        AsynchronousChannelProvider provider = sockets().asyncServerProvider();
        AsynchronousChannelGroup group = provider.openAsynchronousChannelGroup(1, new GroupThreads());
        closing(group::shutdownNow);
        AsynchronousServerSocketChannel server = listenAsync(group);
        Handled<AsynchronousSocketChannel> accept = new Handled<>();
        server.accept(null, accept);
        group.shutdown();
        AsynchronousSocketChannel client = openAsync();
        Future<Void> connect = client.connect(server.getLocalAddress());
        assertThat(accept.failure()).isExactlyInstanceOf(IOException.class)
                .hasCauseExactlyInstanceOf(ShutdownChannelGroupException.class);
        get(connect);
        assertThat(get(client.read(one()))).isEqualTo(-1);
    }
}
