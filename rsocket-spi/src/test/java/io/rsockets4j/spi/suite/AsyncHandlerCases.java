/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.spi.suite.kit.Handled;
import io.rsockets4j.spi.suite.kit.Machine;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * That a handler is not invoked inside a call that ends its operation, and is invoked though its group ends. Groups
 * have one thread each, so that what that thread is to do later comes after what it does now.
 */
abstract class AsyncHandlerCases extends AsyncCase {
    private static final long PATIENCE_SECONDS = 20L * Machine.SLOWNESS;
    private static final long PENDING_MS = 200L * Machine.SLOWNESS;

    /** Tells how an operation ended, by its result or its failure, whichever it was. */
    private static <V> CompletionHandler<V, Object> whenEnded(Consumer<Object> listener) {
        return new CompletionHandler<>() {
            @Override
            public void completed(V result, Object attachment) {
                listener.accept(result);
            }

            @Override
            public void failed(Throwable cause, Object attachment) {
                listener.accept(cause);
            }
        };
    }

    private static ByteBuffer one() {
        return ByteBuffer.allocate(1);
    }

    /** @return what a thread of a group returns, which is done there as in a handler */
    private static <T> T on(AsynchronousChannelGroup group, Callable<T> body) throws Exception {
        FutureTask<T> task = new FutureTask<>(body);
        ((Executor) group).execute(task);
        return get(task);
    }

    private static <T> T take(BlockingQueue<T> queue) throws InterruptedException {
        return queue.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private static void assertTerminates(AsynchronousChannelGroup group) throws InterruptedException {
        assertThat(group.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(group.isTerminated()).isTrue();
    }

    /** Writes until a write is pending, because the peer reads nothing. */
    private static BlockingQueue<Object> startPendingWriteWithHandler(AsynchronousSocketChannel channel)
            throws InterruptedException {
        while (true) {
            BlockingQueue<Object> ended = new LinkedBlockingQueue<>();
            channel.write(ByteBuffer.allocateDirect(256 * 1024), null, whenEnded(ended::add));
            if (ended.poll(PENDING_MS, TimeUnit.MILLISECONDS) == null) {
                return ended;
            }
        }
    }

    // ---- not inside the call

    @Test
    void shouldInvokeWhatCloseEndsAfterClose() throws Exception {
        AsynchronousChannelGroup group = fixedGroup(1, new GroupThreads());
        AsynchronousSocketChannel channel = connectAsync(group).client();
        List<Object> order = new CopyOnWriteArrayList<>();
        BlockingQueue<Object> ended = new LinkedBlockingQueue<>();
        BlockingQueue<Object> write = startPendingWriteWithHandler(channel);
        channel.read(one(), null, whenEnded(end -> {
            order.add("read");
            order.add(write.isEmpty());
            ended.add(end);
        }));
        on(group, () -> {
            channel.close();
            return order.add("closed");
        });
        assertThat(take(ended)).isExactlyInstanceOf(AsynchronousCloseException.class);
        assertThat(take(write)).isExactlyInstanceOf(AsynchronousCloseException.class);
        assertThat(order).containsExactly("closed", "read", false); // the write has ended before the read
    }

    @Test
    void shouldInvokeAPendingAcceptAfterClose() throws Exception {
        AsynchronousChannelGroup group = fixedServerGroup();
        AsynchronousServerSocketChannel server = listenAsync(group);
        List<Object> order = new CopyOnWriteArrayList<>();
        BlockingQueue<Object> ended = new LinkedBlockingQueue<>();
        server.accept(null, whenEnded(end -> {
            order.add("accept");
            ended.add(end);
        }));
        on(group, () -> {
            server.close();
            return order.add("closed");
        });
        assertThat(take(ended)).isExactlyInstanceOf(AsynchronousCloseException.class);
        assertThat(order).containsExactly("closed", "accept");
    }

    @Test
    void shouldInvokeAWriteThatShutdownOutputEndsAfterIt() throws Exception {
        AsynchronousChannelGroup group = fixedGroup(1, new GroupThreads());
        AsynchronousSocketChannel channel = connectAsync(group).client();
        BlockingQueue<Object> write = startPendingWriteWithHandler(channel);
        boolean within = on(group, () -> {
            channel.shutdownOutput();
            return !write.isEmpty();
        });
        assertThat(within).isFalse();
        assertThat(take(write)).isNotNull();
    }

    /** Also where somebody has connected already, so that it completes at once. */
    @Test
    void shouldInvokeAnAcceptAfterItsCall() throws Exception {
        AsynchronousChannelGroup group = fixedServerGroup();
        AsynchronousServerSocketChannel server = listenAsync(group);
        get(openAsync().connect(server.getLocalAddress()));
        List<Object> order = new CopyOnWriteArrayList<>();
        BlockingQueue<Object> ended = new LinkedBlockingQueue<>();
        on(group, () -> {
            server.accept(null, whenEnded(end -> {
                order.add("accept");
                ended.add(end);
            }));
            return order.add("returned");
        });
        assertThat(take(ended)).isInstanceOfSatisfying(AsynchronousSocketChannel.class, this::closing);
        assertThat(order).containsExactly("returned", "accept");
    }

    private AsynchronousChannelGroup fixedServerGroup() throws Exception {
        AsynchronousChannelGroup group =
                sockets().asyncServerProvider().openAsynchronousChannelGroup(1, new GroupThreads());
        closing(group::shutdownNow);
        return group;
    }

    // ---- whatever a handler throws, and though the group ends

    @Test
    void shouldCloseThoughAHandlerThatThisEndsThrows() throws Exception {
        GroupThreads threads = new GroupThreads();
        AsynchronousChannelGroup group = fixedGroup(1, threads);
        AsynchronousSocketChannel channel = connectAsync(group).client();
        RuntimeException trouble = new RuntimeException("thrown by a handler");
        BlockingQueue<Object> write = startPendingWriteWithHandler(channel);
        channel.read(one(), null, whenEnded(end -> {
            throw trouble;
        }));
        group.shutdown();
        on(group, () -> {
            channel.close();
            return null;
        });
        assertThat(take(write)).isExactlyInstanceOf(AsynchronousCloseException.class);
        assertThat(threads.uncaught()).isSameAs(trouble);
        assertTerminates(group);
    }

    @Test
    void shouldCloseAllByShutdownNowThoughHandlersThrow() throws Exception {
        AsynchronousChannelGroup group = fixedGroup(1, new GroupThreads());
        List<AsynchronousSocketChannel> channels =
                List.of(connectAsync(group).client(), connectAsync(group).client(), connectAsync(group).client());
        for (AsynchronousSocketChannel channel : channels) {
            channel.read(one(), null, whenEnded(end -> {
                throw new RuntimeException("thrown by a handler");
            }));
        }
        on(group, () -> {
            group.shutdownNow();
            return null;
        });
        assertThat(channels).noneMatch(AsynchronousSocketChannel::isOpen);
        assertTerminates(group);
    }

    /** The failure closes the channel, which is the last one of its group, and then the handler is invoked. */
    @Test
    void shouldInvokeARefusedConnectThatEndsItsGroup() throws Exception {
        AsynchronousChannelGroup group = fixedGroup(1, new GroupThreads());
        AsynchronousSocketChannel channel = openAsync(group);
        Handled<Void> connect = new Handled<>();
        on(group, () -> {
            group.shutdown();
            channel.connect(Machine.closedPort(), null, connect);
            return null;
        });
        assertThat(connect.failure()).isExactlyInstanceOf(ConnectException.class);
        assertThat(channel.isOpen()).isFalse();
        assertTerminates(group);
    }
}
