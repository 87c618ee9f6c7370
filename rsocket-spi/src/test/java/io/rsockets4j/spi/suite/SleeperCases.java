/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.spi.suite.kit.Capability;
import io.rsockets4j.spi.suite.kit.Handled;
import io.rsockets4j.spi.suite.kit.Pair;
import io.rsockets4j.spi.suite.kit.Requires;
import io.rsockets4j.spi.suite.kit.Task;
import io.rsockets4j.spi.suite.kit.Threads;
import io.rsockets4j.spi.suite.kit.Wire;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.InterruptedByTimeoutException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that sleep, for a moment or for long, many at once, or together with a selector. */
abstract class SleeperCases extends AsyncCase {
    private static final int MANY = 1000;
    private static final int ROUNDS = 500;
    private static final int ENDS = 12;
    private static final int LIMIT_SECONDS = 20;
    private static final int HOUR_MILLIS = 3_600_000;

    // ---- time limits

    @Test
    void shouldEndReadsAfterAMillisecond() throws Exception {
        Pair pair = connect();
        Socket socket = pair.client().socket();
        socket.setSoTimeout(1);
        InputStream in = socket.getInputStream();
        start("reader", () -> afterAMillisecondEach(() ->
                assertThatThrownBy(in::read).isInstanceOf(SocketTimeoutException.class))).join();
        pair.server().write(ByteBuffer.wrap(new byte[] {7}));
        Threads.await("the byte", () -> in.available() == 1);
        assertThat(in.read()).isEqualTo(7);
    }

    @Test
    void shouldEndAcceptsAfterAMillisecond() throws Exception {
        ServerSocketChannel server = listen();
        ServerSocket socket = server.socket();
        socket.setSoTimeout(1);
        start("accepter", () -> afterAMillisecondEach(() ->
                assertThatThrownBy(socket::accept).isInstanceOf(SocketTimeoutException.class))).join();
    }

    @Test
    void shouldEndSelectsAfterAMillisecond() throws Exception {
        Selector selector = openSelector();
        register(selector, connect().client(), SelectionKey.OP_READ);
        register(selector, listen(), SelectionKey.OP_ACCEPT);
        start("selecting", () -> afterAMillisecondEach(() -> assertThat(selector.select(1)).isZero())).join();
    }

    @Test
    void shouldEndAsynchronousReadsAfterAMillisecond() throws Exception {
        for (int i = 0; i < 10; i++) { // a channel whose read had no time reads no more
            AsyncPair pair = connectAsync();
            Handled<Integer> read = new Handled<>();
            long started = System.nanoTime();
            pair.client().read(ByteBuffer.allocate(1), 1, TimeUnit.MILLISECONDS, null, read);
            assertThat(read.failure()).isExactlyInstanceOf(InterruptedByTimeoutException.class);
            assertThat(System.nanoTime() - started).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    private interface Wait {
        void run() throws Exception;
    }

    private static Void afterAMillisecondEach(Wait wait) throws Exception {
        for (int i = 0; i < 50; i++) {
            long started = System.nanoTime();
            wait.run();
            assertThat(System.nanoTime() - started).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(1));
        }
        return null;
    }

    @Test
    void shouldEndLongSleepsByWhatTheyWaitFor() throws Exception {
        ServerSocketChannel server = listen();
        server.socket().setSoTimeout(HOUR_MILLIS);
        Task<Socket> accepter = start("accepter", () -> server.socket().accept());
        accepter.awaitBlockedIn("accept");
        Socket client = connectTo(server).socket();
        closing(accepter.join()).getOutputStream().write(7);
        client.setSoTimeout(HOUR_MILLIS);
        assertThat(client.getInputStream().read()).isEqualTo(7);
        Task<Integer> reader = start("reader", () -> client.getInputStream().read());
        reader.awaitBlockedIn("read");
        accepter.join().getOutputStream().write(8);
        assertThat(reader.join()).isEqualTo(8);
    }

    @Test
    void shouldEndLongSelectsByWhatTheyWaitFor() throws Exception {
        Pair pair = connect();
        Selector selector = openSelector();
        SelectionKey key = register(selector, pair.client(), SelectionKey.OP_READ);
        for (int i = 0; i < 3; i++) {
            Task<Integer> select = start("selecting", () -> selector.select(HOUR_MILLIS));
            select.awaitBlockedIn("select");
            pair.server().write(ByteBuffer.allocate(1));
            assertThat(select.join()).isEqualTo(1);
            assertThat(selector.selectedKeys().remove(key)).isTrue();
            assertThat(pair.client().read(ByteBuffer.allocate(2))).isEqualTo(1);
        }
    }

    /** The thread of the group sleeps for all that is pending, and knows of the read's time limit. */
    @Test
    void shouldEndLongAsynchronousReadsByWhatTheyWaitFor() throws Exception {
        AtomicReference<Thread> ofGroup = new AtomicReference<>();
        AsyncPair pair = connectAsync(fixedGroup(1, task -> {
            Thread thread = new Thread(task, "suite-group");
            thread.setDaemon(true);
            ofGroup.set(thread);
            return thread;
        }));
        for (int i = 0; i < 3; i++) {
            Handled<Integer> read = new Handled<>();
            ByteBuffer target = ByteBuffer.allocate(2);
            pair.client().read(target, 1, TimeUnit.HOURS, null, read);
            Threads.awaitBlocked(ofGroup.get(), "run");
            get(pair.server().write(ByteBuffer.wrap(new byte[] {(byte) i})));
            assertThat(read.result()).isEqualTo(1);
            assertThat(target.get(0)).isEqualTo((byte) i);
        }
    }

    // ---- ends that come from this side, so often that one sleep until a limit of ours is too long

    @Test
    void shouldEndReadsAtOnceByClose() throws Exception {
        for (int i = 0; i < ENDS; i++) {
            SocketChannel channel = connect().client();
            Task<Integer> reader = startReader(channel);
            channel.close();
            assertThat(reader.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
        }
    }

    @Test
    void shouldEndReadsAtOnceByShutdownInput() throws Exception {
        for (int i = 0; i < ENDS; i++) {
            SocketChannel channel = connect().client();
            Task<Integer> reader = startReader(channel);
            channel.shutdownInput();
            assertThat(reader.join()).isEqualTo(-1);
        }
    }

    @Test
    void shouldEndReadsAtOnceByAnInterrupt() throws Exception {
        for (int i = 0; i < ENDS; i++) {
            Task<Integer> reader = startReader(connect().client());
            reader.interrupt();
            assertThat(reader.failure()).isExactlyInstanceOf(ClosedByInterruptException.class);
        }
    }

    private Task<Integer> startReader(SocketChannel channel) {
        Task<Integer> reader = start("reader", () -> channel.read(ByteBuffer.allocate(1)));
        reader.awaitBlockedIn("read");
        return reader;
    }

    @Test
    void shouldEndWritesAtOnceByCloseOrShutdownOutput() throws Exception {
        List<SocketChannel> channels = new ArrayList<>();
        for (int i = 0; i < ENDS; i++) {
            channels.add(connect().client());
        }
        Wire.fillUp(channels); // together, as each would take its time
        for (int i = 0; i < ENDS; i++) {
            SocketChannel channel = channels.get(i);
            Task<Void> writer = startWriterToFull(channel);
            if (i % 2 == 0) {
                channel.close();
            } else {
                channel.shutdownOutput();
            }
            assertThat(writer.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
        }
    }

    @Test
    void shouldEndAcceptsAtOnceByCloseOrAnInterrupt() throws Exception {
        for (int i = 0; i < ENDS; i++) {
            ServerSocketChannel server = listen();
            Task<SocketChannel> accepter = start("accepter", server::accept);
            accepter.awaitBlockedIn("accept");
            if (i % 2 == 0) {
                server.close();
            } else {
                accepter.interrupt();
            }
            assertThat(accepter.failure()).isInstanceOf(AsynchronousCloseException.class);
        }
    }

    @Test
    void shouldEndSelectsAtOnceByAWakeupOrAnInterrupt() throws Exception {
        Selector selector = openSelector();
        register(selector, connect().client(), SelectionKey.OP_READ);
        for (int i = 0; i < ENDS; i++) {
            Task<Integer> select = start("selecting", () -> selector.select());
            select.awaitBlockedIn("select");
            if (i % 2 == 0) {
                selector.wakeup();
            } else {
                select.interrupt();
            }
            assertThat(select.join()).isZero();
        }
    }

    @Test
    void shouldEndAllThatAThreadGroupWaitsForByItsInterrupt() throws Exception {
        ThreadGroup group = new ThreadGroup("suite-sleepers");
        SocketChannel channel = connect().client();
        ServerSocketChannel server = listen();
        Selector selector = openSelector();
        register(selector, connect().client(), SelectionKey.OP_READ);
        List<Task<?>> sleepers = new ArrayList<>();
        Thread parent = new Thread(group, () -> { // whose children are of its group
            sleepers.add(startPlatform("reader", () -> channel.read(ByteBuffer.allocate(1))));
            sleepers.add(startPlatform("accepter", server::accept));
            sleepers.add(startPlatform("selecting", () -> selector.select()));
        });
        parent.start();
        parent.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
        assertThat(sleepers).hasSize(3);
        sleepers.get(0).awaitBlockedIn("read");
        sleepers.get(1).awaitBlockedIn("accept");
        sleepers.get(2).awaitBlockedIn("select");
        group.interrupt();
        assertThat(sleepers.get(0).failure()).isExactlyInstanceOf(ClosedByInterruptException.class);
        assertThat(sleepers.get(1).failure()).isExactlyInstanceOf(ClosedByInterruptException.class);
        assertThat(sleepers.get(2).join()).isEqualTo(0);
        assertThat(sleepers.get(2).wasInterruptedAtEnd()).isTrue();
        Pair after = connect(); // nobody whom others need was in that group
        after.client().write(ByteBuffer.allocate(1));
        assertThat(after.server().read(ByteBuffer.allocate(1))).isEqualTo(1);
    }

    // ---- many

    @Test
    @Requires(Capability.THOUSAND_CONNECTIONS)
    @Timeout(60)
    void shouldWakeEachOfAThousandThreads() throws Exception {
        ServerSocketChannel server = listen(MANY);
        List<Pair> pairs = new ArrayList<>();
        List<Task<Integer>> readers = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            Pair pair = connect(server);
            pairs.add(pair);
            readers.add(startPlatform("reader", () -> pair.client().read(ByteBuffer.allocate(1))));
        }
        readers.get(MANY - 1).awaitBlockedIn("read");
        for (int i = 0; i < MANY; i += 2) { // the others go on sleeping
            pairs.get(i).server().write(ByteBuffer.allocate(1));
        }
        for (int i = 0; i < MANY; i += 2) {
            assertThat(readers.get(i).join()).isEqualTo(1);
        }
        assertThat(readers.get(MANY - 1).isRunning()).isTrue();
        for (int i = 1; i < MANY; i += 2) {
            if (i % 4 == 1) {
                pairs.get(i).server().close();
            } else {
                pairs.get(i).client().close();
            }
        }
        for (int i = 1; i < MANY; i += 2) {
            if (i % 4 == 1) {
                assertThat(readers.get(i).join()).isEqualTo(-1);
            } else {
                assertThat(readers.get(i).failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
            }
        }
    }

    // ---- together

    /** The thread that waits for a future reads itself; the group's poller knows of the read too. */
    @Test
    void shouldWakeAThreadThatWaitsForAFutureBesideTheGroup() throws Exception {
        AsyncPair pair = connectAsync();
        Task<Void> echo = start("echo", () -> {
            for (int round = 0; round < ROUNDS; round++) {
                exchange(pair.server(), round, false);
            }
            return null;
        });
        for (int round = 0; round < ROUNDS; round++) {
            exchange(pair.client(), round, true);
        }
        echo.join();
    }

    private static void exchange(AsynchronousSocketChannel channel, int round, boolean first) throws Exception {
        ByteBuffer byteRead = ByteBuffer.allocate(1);
        Future<Integer> read = channel.read(byteRead);
        if (first) {
            get(channel.write(ByteBuffer.wrap(new byte[] {(byte) round})));
        }
        assertThat(get(read)).isEqualTo(1);
        assertThat(byteRead.get(0)).isEqualTo((byte) round);
        if (!first) {
            get(channel.write(ByteBuffer.wrap(new byte[] {(byte) round})));
        }
    }

    @Test
    void shouldWakeTwoSelectorsThatSleepForOneChannel() throws Exception {
        Pair pair = connect();
        Selector first = openSelector();
        Selector second = openSelector();
        register(first, pair.client(), SelectionKey.OP_READ);
        register(second, pair.client(), SelectionKey.OP_READ);
        for (int round = 0; round < 50; round++) {
            Task<Integer> one = start("first", () -> first.select());
            Task<Integer> other = start("second", () -> second.select());
            if (round % 2 == 0) {
                one.awaitBlockedIn("select");
                other.awaitBlockedIn("select");
            }
            pair.server().write(ByteBuffer.allocate(1));
            assertThat(one.join()).isEqualTo(1);
            assertThat(other.join()).isEqualTo(1);
            first.selectedKeys().clear();
            second.selectedKeys().clear();
            assertThat(pair.client().read(ByteBuffer.allocate(2))).isEqualTo(1);
        }
    }

    @Test
    void shouldWakeAReaderAndAWriterOfOneChannel() throws Exception {
        Pair pair = connect();
        Task<Void> writer = startBlockedWriter(pair.client());
        Task<Integer> reader = start("reader", () -> pair.client().read(ByteBuffer.allocate(1)));
        reader.awaitBlockedIn("read");
        pair.server().write(ByteBuffer.allocate(1));
        assertThat(reader.join()).isEqualTo(1);
        assertThat(writer.isRunning()).isTrue();
        pair.client().shutdownOutput();
        assertThat(writer.failure()).isInstanceOf(AsynchronousCloseException.class);
    }
}
