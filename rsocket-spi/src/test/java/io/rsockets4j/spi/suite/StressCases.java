/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.spi.suite.kit.Pair;
import io.rsockets4j.spi.suite.kit.Payload;
import io.rsockets4j.spi.suite.kit.Task;
import io.rsockets4j.spi.suite.kit.Wire;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many threads on few objects, in orders that nobody chose. Whatever happens is one of the JDK's outcomes, and it
 * happens.
 */
@Timeout(60)
abstract class StressCases extends SuiteCase {
    private static final int ROUNDS = 150;

    private final Payload payload = new Payload(13);

    @Test
    void shouldEndReaderAndWriterWheneverTheirChannelIsClosed() throws Exception {
        ServerSocketChannel server = listen();
        int ended = 0;
        for (int i = 0; i < ROUNDS; i++) {
            Pair pair = connect(server);
            Task<Throwable> reader = start("reader", () -> outcomeOf(() -> readForEver(pair.client())));
            Task<Throwable> writer = start("writer", () -> outcomeOf(() -> writeForEver(pair.client())));
            Task<Throwable> echo = start("echo", () -> outcomeOf(() -> Wire.echo(pair.server())));
            spinAWhile(i);
            pair.client().close();
            assertThat(reader.join()).isInstanceOf(ClosedChannelException.class);
            assertThat(writer.join()).isInstanceOf(ClosedChannelException.class);
            assertEndOfPeer(echo.join());
            pair.server().close();
            ended++;
        }
        assertThat(ended).isEqualTo(ROUNDS);
    }

    @Test
    void shouldEndTheOtherEndWheneverOneIsClosed() throws Exception {
        ServerSocketChannel server = listen();
        for (int i = 0; i < ROUNDS; i++) {
            Pair pair = connect(server);
            Task<Throwable> reader = start("reader", () -> outcomeOf(() -> readForEver(pair.client())));
            Task<Throwable> writer = start("writer", () -> outcomeOf(() -> writeForEver(pair.client())));
            spinAWhile(i);
            pair.server().close();
            assertEndOfPeer(reader.join());
            assertEndOfPeer(writer.join());
            assertThat(pair.client().isOpen()).isTrue();
            pair.client().close();
        }
    }

    @Test
    void shouldCloseBothEndsAtOnceWithoutHanging() throws Exception {
        ServerSocketChannel server = listen();
        for (int i = 0; i < ROUNDS; i++) {
            Pair pair = connect(server);
            Wire.writeFully(pair.client(), payload.slice(0, i));
            Task<Void> other = start("closer", () -> {
                pair.server().close();
                return null;
            });
            pair.client().close();
            other.join();
            assertThat(pair.client().isOpen() || pair.server().isOpen()).isFalse();
        }
    }

    @Test
    void shouldKeepTheInterruptWheneverItComes() throws Exception {
        ServerSocketChannel server = listen();
        for (int i = 0; i < ROUNDS; i++) {
            Pair pair = connect(server);
            Task<Throwable> reader = start("reader", () -> outcomeOf(() -> readForEver(pair.client())));
            spinAWhile(i);
            reader.interrupt();
            assertThat(reader.join()).isExactlyInstanceOf(ClosedByInterruptException.class);
            assertThat(reader.wasInterruptedAtEnd()).isTrue();
            assertThat(pair.server().read(ByteBuffer.allocate(1))).isEqualTo(-1);
            pair.server().close();
        }
    }

    @Test
    void shouldAcceptOrRefuseWheneverTheServerIsClosed() throws Exception {
        for (int i = 0; i < ROUNDS / 15; i++) {
            ServerSocketChannel server = listen();
            SocketAddress address = server.getLocalAddress();
            Task<Throwable> accepter = start("accepter", () -> outcomeOf(() -> acceptForEver(server)));
            Task<Throwable> client = start("client", () -> outcomeOf(() -> connectForEver(address)));
            spinAWhile(i);
            server.close();
            assertThat(accepter.join()).isInstanceOf(ClosedChannelException.class);
            assertThat(client.join()).isInstanceOf(IOException.class);
        }
    }

    @Test
    void shouldNotLoseAWakeupOrAByteWhileKeysComeAndGo() throws Exception {
        Selector selector = openSelector();
        ServerSocketChannel server = listen();
        CountDownLatch done = new CountDownLatch(400);
        Task<Void> selecting = start("selecting", () -> countBytes(selector, done));
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 400; i++) {
            Pair pair = connect(server);
            pair.client().configureBlocking(false);
            pair.client().register(selector, SelectionKey.OP_READ);
            if (random.nextBoolean()) {
                selector.wakeup();
                pair.server().write(ByteBuffer.allocate(1));
            } else {
                pair.server().write(ByteBuffer.allocate(1));
                selector.wakeup();
            }
        }
        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        selector.wakeup();
        selecting.join();
    }

    @Test
    void shouldCarryManyStreamsAtOnceOnFewCores() throws Exception {
        ServerSocketChannel server = listen();
        List<Task<Void>> tasks = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Pair pair = connect(server);
            int chunk = 10_007 * (i + 1);
            tasks.add(start("forth", () -> send(pair.client(), chunk)));
            tasks.add(start("back", () -> send(pair.server(), chunk)));
            tasks.add(start("client", () -> receive(pair.client(), chunk)));
            tasks.add(start("server", () -> receive(pair.server(), chunk)));
        }
        for (Task<Void> task : tasks) {
            task.join();
        }
        assertThat(tasks).noneMatch(Task::isRunning);
    }

    private interface Action {
        void run() throws Exception;
    }

    private static Throwable outcomeOf(Action action) {
        try {
            action.run();
            return null;
        } catch (Exception e) {
            return e;
        }
    }

    /** The peer's close is an end of stream, or a reset if it left bytes unread. */
    private static void assertEndOfPeer(Throwable outcome) {
        if (outcome != null) {
            assertThat(outcome).isInstanceOf(IOException.class).isNotInstanceOf(ClosedChannelException.class);
        }
    }

    private void readForEver(SocketChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(5000);
        for (long received = 0;;) {
            if (channel.read(buffer.clear()) < 0) {
                throw new EOFException("end of stream");
            }
            payload.check(buffer.flip(), received);
            received += buffer.limit();
        }
    }

    private void writeForEver(SocketChannel channel) throws IOException {
        Wire.send(channel, payload, Long.MAX_VALUE, 3001);
    }

    private static void acceptForEver(ServerSocketChannel server) throws IOException {
        for (;;) {
            server.accept().close();
        }
    }

    private void connectForEver(SocketAddress address) throws IOException {
        for (;;) {
            try (SocketChannel client = sockets().clientProvider().openSocketChannel()) {
                client.connect(address);
            }
        }
    }

    private static Void countBytes(Selector selector, CountDownLatch done) throws IOException {
        ByteBuffer target = ByteBuffer.allocate(10);
        while (done.getCount() > 0) {
            selector.select();
            for (SelectionKey key : selector.selectedKeys()) {
                assertThat(((SocketChannel) key.channel()).read(target.clear())).isEqualTo(1);
                key.channel().close();
                done.countDown();
            }
            selector.selectedKeys().clear();
        }
        return null;
    }

    private Void send(SocketChannel channel, int chunk) throws IOException {
        Wire.send(channel, payload, 6_000_000, chunk);
        return null;
    }

    private Void receive(SocketChannel channel, int chunk) throws IOException {
        Wire.receive(channel, payload, 6_000_000, chunk + 1);
        return null;
    }

    /** Up to a millisecond, and none at all every tenth time. */
    private static void spinAWhile(int round) {
        long end = System.nanoTime() + (round % 10 == 0 ? 0 : ThreadLocalRandom.current().nextLong(1_000_000));
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }
}
