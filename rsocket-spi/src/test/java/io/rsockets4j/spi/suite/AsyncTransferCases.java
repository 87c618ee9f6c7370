/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.spi.suite.kit.Handled;
import io.rsockets4j.spi.suite.kit.Pair;
import io.rsockets4j.spi.suite.kit.Payload;
import io.rsockets4j.spi.suite.kit.Task;
import io.rsockets4j.spi.suite.kit.Threads;
import io.rsockets4j.spi.suite.kit.Wire;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Asynchronous channels move bytes, by futures and by handlers. */
abstract class AsyncTransferCases extends AsyncCase {
    private static final int MANY = 20;

    private final Payload payload = new Payload(31);

    @Test
    void shouldMoveBytesByFutures() throws Exception {
        AsyncPair pair = connectAsync();
        assertThat(get(pair.client().write(payload.slice(0, 100)))).isEqualTo(100);
        ByteBuffer target = ByteBuffer.allocate(200);
        assertThat(get(pair.server().read(target))).isEqualTo(100).isEqualTo(target.position());
        payload.check(target.flip(), 0);
    }

    @Test
    void shouldCompleteAReadThatWasPending() throws Exception {
        AsyncPair pair = connectAsync();
        ByteBuffer target = ByteBuffer.allocateDirect(200);
        Future<Integer> read = pair.client().read(target);
        assertThat(read.isDone()).isFalse();
        get(pair.server().write(payload.slice(0, 7)));
        assertThat(get(read)).isEqualTo(7);
        assertThat(read.isDone()).isTrue();
        assertThat(read.isCancelled()).isFalse();
        payload.check(target.flip(), 0);
    }

    /** The thread that waits for a future is asleep when the bytes come. */
    @Test
    void shouldWakeAThreadThatWaitsForAFuture() throws Exception {
        AsyncPair pair = connectAsync();
        Future<Integer> read = pair.client().read(ByteBuffer.allocate(1));
        Task<Integer> waiter = start("waiter", read::get);
        waiter.awaitBlockedIn("get");
        get(pair.server().write(ByteBuffer.allocate(1)));
        assertThat(waiter.join()).isEqualTo(1);
    }

    @Test
    void shouldWakeAllThreadsThatWaitForAFuture() throws Exception {
        AsyncPair pair = connectAsync();
        Future<Integer> read = pair.client().read(ByteBuffer.allocate(1));
        List<Task<Integer>> waiters = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Task<Integer> waiter = start("waiter" + i, read::get);
            waiter.awaitBlockedIn("get");
            waiters.add(waiter);
        }
        get(pair.server().write(ByteBuffer.allocate(1)));
        for (Task<Integer> waiter : waiters) {
            assertThat(waiter.join()).isEqualTo(1);
        }
    }

    /** The first waiter is interrupted: the others' bytes come all the same. */
    @Test
    void shouldLeaveAFutureThatAnInterruptedThreadWaitedFor() throws Exception {
        AsyncPair pair = connectAsync();
        Future<Integer> read = pair.client().read(ByteBuffer.allocate(1));
        Task<Integer> first = start("first", read::get);
        first.awaitBlockedIn("get");
        Task<Integer> second = start("second", read::get);
        second.awaitBlockedIn("get");
        first.interrupt();
        assertThat(first.failure()).isExactlyInstanceOf(InterruptedException.class);
        get(pair.server().write(ByteBuffer.allocate(1)));
        assertThat(second.join()).isEqualTo(1);
        assertThat(pair.client().isOpen()).isTrue();
    }

    @Test
    void shouldCompleteAFutureThatNobodyWaitsFor() throws Exception {
        AsyncPair pair = connectAsync();
        Future<Integer> read = pair.client().read(ByteBuffer.allocate(1));
        get(pair.server().write(ByteBuffer.allocate(1)));
        Threads.await("the read", read::isDone);
        assertThat(read.get()).isEqualTo(1);
    }

    @Test
    void shouldTellHandlersTheResultAndTheAttachment() throws Exception {
        AsyncPair pair = connectAsync();
        Handled<Integer> read = new Handled<>();
        Handled<Integer> written = new Handled<>();
        ByteBuffer target = ByteBuffer.allocate(16);
        pair.client().read(target, "reading", read);
        pair.server().write(payload.slice(0, 16), "writing", written);
        assertThat(written.result()).isEqualTo(16);
        assertThat(written.attachment()).isEqualTo("writing");
        assertThat(read.result()).isEqualTo(16);
        assertThat(read.attachment()).isEqualTo("reading");
        payload.check(target.flip(), 0);
    }

    @Test
    void shouldMoveALotInBothDirectionsAtOnce() throws Exception {
        AsyncPair pair = connectAsync();
        int bytes = 8 << 20;
        Task<Void> up = start("up", () -> pump(pair.client(), bytes));
        Task<Void> down = start("down", () -> pump(pair.server(), bytes));
        Task<Void> server = start("server", () -> drain(pair.server(), bytes));
        Task<Void> client = start("client", () -> drain(pair.client(), bytes));
        up.join();
        down.join();
        server.join();
        client.join();
        assertThat(get(pair.client().write(ByteBuffer.allocate(1)))).isEqualTo(1);
    }

    private Void pump(AsynchronousSocketChannel channel, int bytes) throws Exception {
        writeFully(channel, payload.slice(0, bytes));
        return null;
    }

    private Void drain(AsynchronousSocketChannel channel, int bytes) throws Exception {
        ByteBuffer target = ByteBuffer.allocateDirect(bytes);
        readFully(channel, target);
        payload.check(target.flip(), 0);
        return null;
    }

    @Test
    void shouldScatterAndGather() throws Exception {
        AsyncPair pair = connectAsync();
        ByteBuffer[] sources = {null, payload.slice(0, 3), ByteBuffer.allocate(0), payload.slice(3, 5)};
        Handled<Long> written = new Handled<>();
        pair.client().write(sources, 1, 3, 0, TimeUnit.SECONDS, null, written);
        assertThat(written.result()).isEqualTo(8);
        ByteBuffer[] targets = {ByteBuffer.allocate(0), ByteBuffer.allocate(2), ByteBuffer.allocateDirect(6), null};
        long got = 0;
        while (got < 8) { // a stream may hand out what was written at once in parts
            Handled<Long> read = new Handled<>();
            pair.server().read(targets, 0, 3, 0, TimeUnit.SECONDS, null, read);
            assertThat(read.result()).isPositive();
            got += read.result();
        }
        assertThat(got).isEqualTo(8);
        payload.check(targets[1].flip(), 0);
        payload.check(targets[2].flip(), 2);
    }

    @Test
    void shouldScatterWhatComesLater() throws Exception {
        AsyncPair pair = connectAsync();
        ByteBuffer[] targets = {ByteBuffer.allocate(2), ByteBuffer.allocate(20)};
        Handled<Long> read = new Handled<>();
        pair.server().read(targets, 0, 2, 0, TimeUnit.SECONDS, null, read);
        assertThat(read.isDone()).isFalse();
        get(pair.client().write(payload.slice(0, 10)));
        assertThat(read.result()).isEqualTo(10);
        payload.check(targets[0].flip(), 0);
        payload.check(targets[1].flip(), 2);
    }

    @Test
    void shouldReadNothingIntoAFullBuffer() throws Exception {
        AsyncPair pair = connectAsync();
        assertThat(get(pair.client().read(ByteBuffer.allocate(0)))).isZero();
        assertThat(get(pair.client().write(ByteBuffer.allocate(0)))).isZero();
        Handled<Long> scattered = new Handled<>();
        pair.client().read(new ByteBuffer[] {ByteBuffer.allocate(0)}, 0, 1, 0, TimeUnit.SECONDS, null, scattered);
        assertThat(scattered.result()).isZero();
    }

    @Test
    void shouldReadTheEndAfterTheLastByte() throws Exception {
        AsyncPair pair = connectAsync();
        get(pair.client().write(payload.slice(0, 10)));
        pair.client().close();
        ByteBuffer target = ByteBuffer.allocate(10);
        readFully(pair.server(), target);
        payload.check(target.flip(), 0);
        assertThat(get(pair.server().read(ByteBuffer.allocate(1)))).isEqualTo(-1);
        assertThat(get(pair.server().read(ByteBuffer.allocate(1)))).isEqualTo(-1);
    }

    @Test
    void shouldEndAPendingReadByTheEndOfTheStream() throws Exception {
        AsyncPair pair = connectAsync();
        Handled<Integer> read = new Handled<>();
        pair.server().read(ByteBuffer.allocate(1), null, read);
        pair.client().shutdownOutput();
        assertThat(read.result()).isEqualTo(-1);
        get(pair.server().write(payload.slice(0, 1)));
        assertThat(get(pair.client().read(ByteBuffer.allocate(1)))).isEqualTo(1);
    }

    @Test
    void shouldTellOfAResetOnceAndThenOfTheEnd() throws Exception {
        ServerSocketChannel listener = listen();
        AsynchronousSocketChannel client = openAsync();
        Future<Void> connected = client.connect(listener.getLocalAddress());
        SocketChannel server = closing(listener.accept());
        get(connected);
        Handled<Integer> read = new Handled<>();
        client.read(ByteBuffer.allocate(1), null, read);
        server.setOption(StandardSocketOptions.SO_LINGER, 0);
        server.close();
        assertThat(read.failure()).isInstanceOf(IOException.class).hasMessage("Connection reset");
        assertThat(get(client.read(ByteBuffer.allocate(1)))).isEqualTo(-1);
        assertThat(failureOf(client.write(ByteBuffer.allocate(1)))).isInstanceOf(IOException.class)
                .hasMessage("Broken pipe");
    }

    @Test
    void shouldTalkToBlockingChannels() throws Exception {
        ServerSocketChannel listener = listen();
        AsynchronousSocketChannel client = openAsync();
        Future<Void> connected = client.connect(listener.getLocalAddress());
        SocketChannel server = closing(listener.accept());
        get(connected);
        Task<Void> echo = start("echo", () -> {
            Wire.echo(server);
            return null;
        });
        for (int i = 0; i < 100; i++) {
            writeFully(client, payload.slice(i * 64L, 64));
            ByteBuffer reply = ByteBuffer.allocate(64);
            readFully(client, reply);
            payload.check(reply.flip(), i * 64L);
        }
        client.close();
        echo.join();
    }

    @Test
    void shouldAcceptBlockingChannels() throws Exception {
        AsynchronousServerSocketChannel server = listenAsync();
        Handled<AsynchronousSocketChannel> accepted = new Handled<>();
        server.accept("accepting", accepted);
        SocketChannel client = open();
        client.connect(server.getLocalAddress());
        AsynchronousSocketChannel served = closing(accepted.result());
        assertThat(accepted.attachment()).isEqualTo("accepting");
        Wire.writeFully(client, payload.slice(0, 10));
        ByteBuffer target = ByteBuffer.allocate(10);
        readFully(served, target);
        payload.check(target.flip(), 0);
    }

    /** Whatever the sockets under test are, a client that knows nothing of them is served, or none is. */
    @Test
    void shouldAcceptWhatConnectedBefore() throws Exception {
        AsynchronousServerSocketChannel server = listenAsync();
        List<SocketChannel> clients = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            SocketChannel client = open();
            client.connect(server.getLocalAddress());
            clients.add(client);
        }
        for (int i = 0; i < MANY; i++) {
            AsynchronousSocketChannel accepted = closing(get(server.accept()));
            InetSocketAddress remote = (InetSocketAddress) accepted.getRemoteAddress();
            assertThat(clients).anyMatch(client -> client.socket().getLocalPort() == remote.getPort());
        }
    }

    /** A chain of operations, each begun by the handler of the one before: longer than any stack. */
    @Test
    void shouldEchoByHandlersAlone() throws Exception {
        AsynchronousServerSocketChannel server = listenAsync();
        AtomicReference<Throwable> trouble = new AtomicReference<>();
        server.accept(null, new CompletionHandler<AsynchronousSocketChannel, Object>() {
            @Override
            public void completed(AsynchronousSocketChannel channel, Object unused) {
                server.accept(null, this);
                new AsyncEcho(closing(channel), trouble).start();
            }

            @Override
            public void failed(Throwable cause, Object unused) {
                if (server.isOpen()) {
                    trouble.set(cause);
                }
            }
        });
        CountDownLatch finished = new CountDownLatch(MANY);
        for (int i = 0; i < MANY; i++) {
            AsynchronousSocketChannel client = openAsync();
            get(client.connect(server.getLocalAddress()));
            new AsyncCaller(client, payload, finished, trouble).call();
        }
        assertThat(finished.await(20, TimeUnit.SECONDS)).as("all calls, without %s", trouble.get()).isTrue();
        assertThat(trouble.get()).isNull();
    }

    /** Both ends are asynchronous here and blocking there, so that the kinds are mixed on one pair of processes. */
    @Test
    void shouldWorkBesideBlockingChannels() throws Exception {
        Pair blocking = connect();
        AsyncPair asynchronous = connectAsync();
        Task<Integer> reader = start("reader", () -> blocking.client().read(ByteBuffer.allocate(1)));
        Handled<Integer> read = new Handled<>();
        asynchronous.client().read(ByteBuffer.allocate(1), null, read);
        get(asynchronous.server().write(ByteBuffer.allocate(1)));
        assertThat(read.result()).isEqualTo(1);
        Wire.writeFully(blocking.server(), ByteBuffer.allocate(1));
        assertThat(reader.join()).isEqualTo(1);
    }
}
