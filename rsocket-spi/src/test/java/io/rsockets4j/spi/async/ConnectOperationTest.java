/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.engine.Engine;
import io.rsockets4j.core.engine.FakeFabric;
import io.rsockets4j.spi.channel.RSocketChannel;
import io.rsockets4j.spi.jdk.JdkProvider;
import io.rsockets4j.spi.selector.RSelector;
import io.rsockets4j.spi.stream.WatchfulLink;
import io.rsockets4j.spi.suite.kit.Handled;
import io.rsockets4j.spi.suite.kit.Machine;
import io.rsockets4j.spi.suite.kit.Resources;
import io.rsockets4j.spi.suite.kit.Threads;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousChannel;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.CompletionHandler;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How an asynchronous connect ends whose peer answers when the test lets it: on which thread, and what it tells. */
@Timeout(60)
class ConnectOperationTest {
    private static final InetSocketAddress PEER = new InetSocketAddress(Machine.address(), 80);
    private static final SelectorProvider JDK = JdkProvider.get();
    private static final int MANY = 64;

    private final Resources resources = new Resources();
    private final Handled<Void> handler = new Handled<>();
    private final FakeFabric fabric = new FakeFabric("shm");
    private final WatchfulLink link = new WatchfulLink();
    private final CountDownLatch mayAnswer = new CountDownLatch(1);
    private final CompletableFuture<Thread> asking = new CompletableFuture<>();
    private RAsynchronousChannelGroup group;
    private Selector selector; // that nobody polls: the test does what the poller would
    private RSocketChannel channel;
    private FakeOwner owner;
    private ConnectOperation operation;

    @BeforeEach
    void open() throws IOException {
        open("shm,tcp");
    }

    private void open(String paths) throws IOException {
        Engine engine = FakeFabric.engine(paths, "", fabric);
        fabric.whenAsked = () -> {
            asking.complete(Thread.currentThread());
            awaitUninterruptibly(mayAnswer);
        };
        group = RAsynchronousChannelGroup.fixed(null, JDK, 1, Thread::new);
        resources.add(group::shutdownNow);
        selector = resources.add(new RSelector(JDK, engine.spinPolicy(), engine.lendBell()));
        channel = resources.add(RSocketChannel.unconnected(JDK, engine, null));
        channel.configureBlocking(false);
        resources.add(mayAnswer::countDown);
        owner = new FakeOwner();
        Poller poller = new Poller(selector, new TaskQueue(), key -> { });
        operation = new ConnectOperation(group, owner, new Readiness(poller, channel), channel);
    }

    @AfterEach
    void closeAndJoin() {
        resources.close();
    }

    private void connect() {
        operation.connect(PEER, handler, "attachment", null);
    }

    /** The thread that connects has been let go, and has done what it does. */
    private void letThePeerAnswer() throws Exception {
        Thread connects = asking.get(20, TimeUnit.SECONDS);
        mayAnswer.countDown();
        Threads.awaitBlocked(connects, "getTask"); // of its pool
    }

    /** The group has one thread, which has invoked every handler by now that was submitted before. */
    private void letHandlersRun() throws Exception {
        FutureTask<Void> task = new FutureTask<>(() -> null);
        group.execute(task);
        task.get(20, TimeUnit.SECONDS);
    }

    /** What the poller looks for. */
    private int expected() {
        SelectionKey key = channel.keyFor(selector);
        return key == null ? 0 : key.interestOps();
    }

    @Test
    void shouldLeaveTheWaitForThePeerToAThreadOfItsOwn() throws Exception {
        fabric.answer = link;
        connect();
        Thread connects = asking.get(20, TimeUnit.SECONDS);
        assertThat(connects.getName()).isEqualTo("rsockets4j-connect");
        assertThat(operation.isConnecting()).isTrue();
        assertThat(operation.isConnected()).isFalse();
        assertThat(expected()).as("not before that thread says so").isZero();
        letHandlersRun();
        assertThat(handler.isDone()).isFalse();
        letThePeerAnswer();
        assertThat(handler.result()).isNull();
        assertThat(handler.attachment()).isEqualTo("attachment");
        assertThat(handler.thread()).isNotIn(connects, Thread.currentThread());
        assertThat(operation.isConnected()).isTrue();
        assertThat(operation.isConnecting()).isFalse();
        assertThat(channel.isConnected()).isTrue();
        assertThat(owner.closes).hasValue(0);
    }

    @Test
    void shouldRefuseAnotherConnectWhileItIsPendingAndOnceConnected() throws Exception {
        fabric.answer = link;
        connect();
        assertThatThrownBy(this::connect).isExactlyInstanceOf(ConnectionPendingException.class);
        assertThat(operation.lock.isLocked()).isFalse();
        letThePeerAnswer();
        assertThatThrownBy(this::connect).isExactlyInstanceOf(AlreadyConnectedException.class);
        letHandlersRun();
        assertThat(handler.result()).as("of the first alone").isNull();
    }

    @Test
    void shouldRefuseToConnectWhatWasAccepted() {
        operation.accepted();
        assertThat(operation.isConnected()).isTrue();
        assertThatThrownBy(this::connect).isExactlyInstanceOf(AlreadyConnectedException.class);
        assertThat(asking).isNotDone();
    }

    @Test
    void shouldFailOnAClosedChannelWhateverCameBefore() throws Exception {
        operation.accepted();
        owner.close();
        connect();
        assertThat(handler.failure()).isExactlyInstanceOf(ClosedChannelException.class);
        assertThat(asking).isNotDone();
    }

    @Test
    void shouldCloseTheChannelBeforeItTellsOfAFailure() throws Exception {
        open("shm");
        CompletableFuture<Boolean> open = new CompletableFuture<>();
        operation.connect(PEER, new CompletionHandler<Void, Object>() {
            @Override
            public void completed(Void result, Object attachment) {
                handler.completed(result, attachment);
            }

            @Override
            public void failed(Throwable cause, Object attachment) {
                open.complete(channel.isOpen());
                handler.failed(cause, attachment);
            }
        }, "attachment", null);
        letThePeerAnswer();
        assertThat(handler.failure()).isExactlyInstanceOf(ConnectException.class)
                .hasMessageStartingWith("Connection refused");
        assertThat(handler.attachment()).isEqualTo("attachment");
        assertThat(open.get()).isFalse();
        letHandlersRun();
        assertThat(handler.failure()).as("not that of the close").isExactlyInstanceOf(ConnectException.class);
        assertThat(owner.closes).hasValue(1);
        assertThat(operation.isConnected()).isFalse();
    }

    @Test
    void shouldTellOfAnErrorInTheThreadThatConnects() throws Exception {
        LinkageError broken = new LinkageError("broken");
        fabric.whenAsked = () -> {
            throw broken;
        };
        connect();
        assertThat(handler.failure()).isSameAs(broken);
        assertThat(owner.closes).hasValue(1);
    }

    @Test
    void shouldEndByACloseAndResetTheLinkThatComesAfterwards() throws Exception {
        fabric.answer = link;
        connect();
        asking.get(20, TimeUnit.SECONDS);
        owner.close();
        assertThat(handler.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
        letThePeerAnswer();
        letHandlersRun();
        assertThat(handler.failure()).as("once").isExactlyInstanceOf(AsynchronousCloseException.class);
        assertThat(link.closes).hasValue(1);
        assertThat(link.aborted).isTrue();
        assertThat(operation.isConnected()).isFalse();
    }

    /** The close has not come to the operation yet, which fails as if it had. */
    @Test
    void shouldTellOfACloseThatTheThreadFinds() throws Exception {
        fabric.failure = new ClosedChannelException();
        connect();
        asking.get(20, TimeUnit.SECONDS);
        channel.close();
        letThePeerAnswer();
        assertThat(handler.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
    }

    @Test
    void shouldNotBecomeConnectedOnceCancelledThoughThePeerAnswers() throws Exception {
        fabric.answer = link;
        OperationFuture<Void> future = new OperationFuture<>(operation, owner);
        operation.connect(PEER, null, null, future);
        asking.get(20, TimeUnit.SECONDS);
        assertThat(future.cancel(false)).isTrue();
        letThePeerAnswer();
        assertThat(future.isCancelled()).isTrue();
        assertThat(operation.isConnected()).isFalse();
        assertThatThrownBy(this::connect).isExactlyInstanceOf(ConnectionPendingException.class);
        assertThat(owner.closes).as("that is left to the program").hasValue(0);
    }

    @Test
    void shouldLeaveToThePollerWhatTcpHasNotFinished() throws Exception {
        ServerSocketChannel server = resources.add(JDK.openServerSocketChannel());
        server.bind(new InetSocketAddress(Machine.address(), 0), 1);
        mayAnswer.countDown(); // nobody is there but by TCP
        fill(server.getLocalAddress());
        operation.connect(server.getLocalAddress(), handler, "attachment", null);
        Threads.await("the poller's turn", () -> expected() == SelectionKey.OP_CONNECT);
        operation.run();
        assertThat(expected()).as("no room yet").isEqualTo(SelectionKey.OP_CONNECT);
        assertThat(handler.isDone()).isFalse();
        assertThat(operation.isConnected()).isFalse();
        server.configureBlocking(false);
        Threads.await("the connection", () -> { // once TCP tries again
            SocketChannel accepted = server.accept();
            if (accepted != null) {
                resources.add(accepted);
            }
            operation.run();
            return handler.isDone();
        });
        assertThat(handler.result()).isNull();
        assertThat(operation.isConnected()).isTrue();
        assertThat(expected()).isZero();
    }

    /** Connects until the backlog is full. */
    private void fill(SocketAddress address) throws IOException {
        for (int i = 0; i < MANY; i++) {
            SocketChannel filler = resources.add(JDK.openSocketChannel());
            filler.configureBlocking(false);
            if (!filler.connect(address) && !isSoonConnected(filler)) {
                return;
            }
        }
        throw new AssertionError("a backlog took " + MANY + " connections");
    }

    private static boolean isSoonConnected(SocketChannel filler) throws IOException {
        long begin = System.nanoTime();
        while (!filler.finishConnect()) {
            if (System.nanoTime() - begin > TimeUnit.MILLISECONDS.toNanos(200)) {
                return false;
            }
            Thread.onSpinWait();
        }
        return true;
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** An asynchronous channel as the operation sees it. */
    private final class FakeOwner implements AsynchronousChannel {
        private final AtomicInteger closes = new AtomicInteger();

        @Override
        public void close() throws IOException {
            closes.incrementAndGet();
            channel.close();
            operation.closed();
        }

        @Override
        public boolean isOpen() {
            return channel.isOpen();
        }
    }
}
