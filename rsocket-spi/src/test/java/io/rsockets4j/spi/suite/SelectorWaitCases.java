/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;

import io.rsockets4j.spi.suite.kit.Machine;
import io.rsockets4j.spi.suite.kit.Pair;
import io.rsockets4j.spi.suite.kit.Task;
import io.rsockets4j.spi.suite.kit.Wire;
import java.io.IOException;
import java.net.BindException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When a select waits, for how long, and what ends it: readiness, a timeout, a wakeup, and nothing else. */
abstract class SelectorWaitCases extends SuiteCase {
    @Test
    void shouldReturnAtOnceFromSelectNow() throws Exception {
        Selector selector = openSelector();
        assertThat(selector.selectNow()).isZero();
        register(selector, connect().client(), SelectionKey.OP_READ);
        assertThat(selector.selectNow()).isZero();
        assertThat(selector.selectedKeys()).isEmpty();
    }

    @Test
    void shouldWaitForTheWholeTimeout() throws Exception {
        Selector selector = openSelector();
        register(selector, connect().client(), SelectionKey.OP_READ);
        for (int timeoutMs : new int[] {1, 30, 120}) {
            long start = System.nanoTime();
            assertThat(selector.select(timeoutMs)).isZero();
            assertThat(elapsedMs(start)).isGreaterThanOrEqualTo(timeoutMs);
        }
    }

    @Test
    void shouldWaitForTheWholeTimeoutThoughNothingIsRegistered() throws Exception {
        Selector selector = openSelector();
        long start = System.nanoTime();
        assertThat(selector.select(50)).isZero();
        assertThat(elapsedMs(start)).isGreaterThanOrEqualTo(50);
    }

    @Test
    void shouldRefuseANegativeTimeout() throws Exception {
        Selector selector = openSelector();
        assertThrowsExactly(IllegalArgumentException.class, () -> selector.select(-1));
        assertThrowsExactly(IllegalArgumentException.class, () -> selector.select(key -> { }, -1));
        assertThrowsExactly(NullPointerException.class, () -> selector.select(null, 1));
        assertThat(selector.isOpen()).isTrue();
    }

    @Test
    void shouldWakeUpABlockedSelect() throws Exception {
        Selector selector = openSelector();
        register(selector, connect().client(), SelectionKey.OP_READ);
        Task<Integer> select = startSelecting(selector);
        assertThat(selector.wakeup()).isSameAs(selector);
        assertThat(select.join()).isZero();
        assertThat(selector.selectedKeys()).isEmpty();
    }

    @Test
    void shouldRememberOneWakeupForTheNextSelect() throws Exception {
        Selector selector = openSelector();
        register(selector, connect().client(), SelectionKey.OP_READ);
        selector.wakeup();
        selector.wakeup();
        assertThat(selector.select()).isZero();
        assertBlocksUntilWakeup(selector);
    }

    @Test
    void shouldForgetAWakeupAfterSelectNow() throws Exception {
        Selector selector = openSelector();
        selector.wakeup();
        assertThat(selector.selectNow()).isZero();
        assertBlocksUntilWakeup(selector);
    }

    @Test
    void shouldBlockAgainAfterAWakeup() throws Exception {
        Selector selector = openSelector();
        register(selector, connect().client(), SelectionKey.OP_READ);
        for (int i = 0; i < 20; i++) {
            assertBlocksUntilWakeup(selector);
        }
        assertThat(selector.isOpen()).isTrue();
    }

    @Test
    void shouldEndSelectWhenBytesArrive() throws Exception {
        Selector selector = openSelector();
        Pair pair = connect();
        SelectionKey key = register(selector, pair.client(), SelectionKey.OP_READ);
        ByteBuffer target = ByteBuffer.allocate(10);
        for (int i = 0; i < 20; i++) {
            Task<Integer> select = startSelecting(selector);
            pair.server().write(ByteBuffer.wrap(new byte[] {(byte) i}));
            assertThat(select.join()).isEqualTo(1);
            assertThat(key.readyOps()).isEqualTo(SelectionKey.OP_READ);
            assertThat(pair.client().read(target.clear())).isEqualTo(1);
            assertThat(target.get(0)).isEqualTo((byte) i);
            selector.selectedKeys().clear();
        }
    }

    @Test
    void shouldEndSelectWhenThereIsRoomToWrite() throws Exception {
        Selector selector = openSelector();
        Pair pair = connect();
        Wire.fillUp(pair.client());
        SelectionKey key = register(selector, pair.client(), SelectionKey.OP_WRITE);
        Task<Integer> select = startSelecting(selector);
        Task<Long> reader = start("reader", () -> drain(pair.server(), select));
        assertThat(select.join()).isEqualTo(1);
        assertThat(key.readyOps()).isEqualTo(SelectionKey.OP_WRITE);
        assertThat(reader.join()).isPositive();
        assertThat(pair.client().write(ByteBuffer.allocate(100))).isPositive();
    }

    @Test
    void shouldEndSelectWhenThePeerShutsDownItsOutput() throws Exception {
        Selector selector = openSelector();
        Pair pair = connect();
        SelectionKey key = register(selector, pair.client(), SelectionKey.OP_READ);
        Task<Integer> select = startSelecting(selector);
        pair.server().shutdownOutput();
        assertThat(select.join()).isEqualTo(1);
        assertThat(key.isReadable()).isTrue();
        assertThat(pair.client().read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @Test
    void shouldEndSelectWhenThePeerCloses() throws Exception {
        Selector selector = openSelector();
        Pair pair = connect();
        SelectionKey key = register(selector, pair.client(), SelectionKey.OP_READ);
        Task<Integer> select = startSelecting(selector);
        pair.server().close();
        assertThat(select.join()).isEqualTo(1);
        assertThat(key.isReadable()).isTrue();
        assertThat(pair.client().read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @Test
    void shouldEndSelectWhenSomebodyConnects() throws Exception {
        Selector selector = openSelector();
        ServerSocketChannel server = listen();
        SelectionKey key = register(selector, server, SelectionKey.OP_ACCEPT);
        Task<Integer> select = startSelecting(selector);
        SocketChannel client = connectTo(server);
        assertThat(select.join()).isEqualTo(1);
        assertThat(key.isAcceptable()).isTrue();
        assertThat(closing(server.accept()).getRemoteAddress()).isEqualTo(client.getLocalAddress());
        selector.selectedKeys().clear();
        assertThat(selector.selectNow()).isZero();
    }

    @Test
    void shouldSeeBySelectNowWhoComesAfterASelect() throws Exception {
        Selector selector = openSelector();
        ServerSocketChannel server = listen();
        register(selector, server, SelectionKey.OP_ACCEPT);
        Task<Integer> select = startSelecting(selector);
        connectTo(server);
        assertThat(select.join()).isEqualTo(1);
        closing(server.accept());
        for (int i = 0; i < 3; i++) {
            selector.selectedKeys().clear();
            connectTo(server);
            long start = System.nanoTime();
            while (selector.selectNow() == 0) {
                assertThat(elapsedMs(start)).isLessThan(10_000);
                Thread.onSpinWait();
            }
            closing(server.accept());
        }
    }

    /** The selector never sleeps meanwhile. */
    @Test
    void shouldSeeWhoConnectsWhileAnotherClientIsAlwaysReady() throws Exception {
        Selector selector = openSelector();
        ServerSocketChannel server = listen();
        SelectionKey key = register(selector, server, SelectionKey.OP_ACCEPT);
        Task<Integer> select = startSelecting(selector);
        SocketChannel first = connectTo(server);
        assertThat(select.join()).isEqualTo(1);
        register(selector, closing(server.accept()), SelectionKey.OP_READ);
        first.write(ByteBuffer.allocate(1));
        for (int i = 0; i < 20; i++) {
            selectAndWork(selector);
        }
        connectTo(server);
        int selections = 0;
        while (!selector.selectedKeys().contains(key)) {
            selectAndWork(selector);
            assertThat(++selections).isLessThan(200);
        }
    }

    private static void selectAndWork(Selector selector) throws IOException {
        selector.selectedKeys().clear();
        assertThat(selector.select()).isPositive();
        long start = System.nanoTime();
        while (System.nanoTime() - start < 100_000) {
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldLetGoOfAClosedListenerBeforeItSleeps() throws Exception {
        Selector selector = openSelector();
        ServerSocketChannel closed = listen();
        SocketAddress address = closed.getLocalAddress();
        register(selector, closed, SelectionKey.OP_ACCEPT);
        assertThat(selector.selectNow()).isZero();
        Task<Integer> select = start("selecting", () -> {
            closed.close();
            return selector.select();
        });
        select.awaitBlockedIn("select");
        long start = System.nanoTime();
        ServerSocketChannel next = openServer();
        while (next.socket().getLocalPort() < 0) {
            try {
                next.bind(address);
            } catch (BindException e) {
                assertThat(elapsedMs(start)).as("held by a selector that sleeps").isLessThan(3_000);
                Thread.onSpinWait();
            }
        }
        selector.wakeup();
        assertThat(select.join()).isZero();
    }

    @Test
    void shouldSeeAnInterestThatChangesDuringSelect() throws Exception {
        Selector selector = openSelector();
        SelectionKey key = register(selector, connect().client(), SelectionKey.OP_READ);
        Task<Integer> select = startSelecting(selector);
        key.interestOps(SelectionKey.OP_WRITE);
        selector.wakeup();
        int first = select.join();
        assertThat(first + selector.selectNow()).isEqualTo(1);
        assertThat(key.readyOps()).isEqualTo(SelectionKey.OP_WRITE);
    }

    @Test
    void shouldNotEndSelectWhenAnotherKeyIsCancelled() throws Exception {
        Selector selector = openSelector();
        SelectionKey cancelled = register(selector, connect().client(), SelectionKey.OP_READ);
        Pair pair = connect();
        register(selector, pair.client(), SelectionKey.OP_READ);
        Task<Integer> select = startSelecting(selector);
        cancelled.cancel();
        select.awaitBlockedIn("select");
        pair.server().write(ByteBuffer.allocate(1));
        assertThat(select.join()).isEqualTo(1);
        assertThat(selector.keys()).hasSize(1);
    }

    @Test
    void shouldNotEndSelectWhenARegisteredChannelIsClosed() throws Exception {
        Selector selector = openSelector();
        Pair closed = connect();
        register(selector, closed.client(), SelectionKey.OP_READ);
        Task<Integer> select = startSelecting(selector);
        closed.client().close();
        select.awaitBlockedIn("select");
        selector.wakeup();
        assertThat(select.join()).isZero();
        assertThat(selector.keys()).isEmpty();
        assertThat(closed.server().read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @Test
    void shouldSeeAChannelThatIsRegisteredDuringSelect() throws Exception {
        Selector selector = openSelector();
        Pair pair = connect();
        Task<Integer> select = startSelecting(selector);
        SelectionKey key = register(selector, pair.client(), SelectionKey.OP_READ);
        pair.server().write(ByteBuffer.allocate(1));
        selector.wakeup();
        int first = select.join();
        int second = first == 1 ? 0 : selector.select(20_000);
        assertThat(first + second).isEqualTo(1);
        assertThat(selector.selectedKeys()).containsExactly(key);
    }

    /** Rounded up, as a timeout of whole milliseconds may be counted from the next tick of a coarser clock. */
    private static long elapsedMs(long startNs) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs + 999_999);
    }

    /** Traffic of others, on channels that are not registered or have no interest, is no reason to return. */
    @Test
    void shouldNotReturnEarlyBecauseOthersAreBusy() throws Exception {
        Selector selector = openSelector();
        ServerSocketChannel server = listen();
        register(selector, connect(server).client(), SelectionKey.OP_READ);
        Pair busy = connect(server);
        Pair ignored = connect(server);
        register(selector, ignored.client(), 0);
        ignored.server().write(ByteBuffer.allocate(100));
        Task<Void> echo = start("echo", () -> {
            Wire.echo(busy.server());
            return null;
        });
        Task<Integer> traffic = start("traffic", () -> pingPong(busy.client()));
        while (traffic.isRunning()) {
            long start = System.nanoTime();
            assertThat(selector.select(20)).isZero();
            assertThat(elapsedMs(start)).isGreaterThanOrEqualTo(20);
        }
        assertThat(traffic.join()).isPositive();
        busy.client().close();
        echo.join();
    }

    /** Many round trips, or those of five seconds on a busy machine. Returns how many. */
    private static Integer pingPong(SocketChannel channel) throws Exception {
        ByteBuffer buffer = ByteBuffer.allocateDirect(64);
        long start = System.nanoTime();
        int done = 0;
        while (done < Machine.lessWhereSlow(20_000, 1000) && elapsedMs(start) < 5000) {
            Wire.writeFully(channel, buffer.clear());
            Wire.readFully(channel, buffer.clear());
            done++;
        }
        return done;
    }

    private void assertBlocksUntilWakeup(Selector selector) throws Exception {
        Task<Integer> select = startSelecting(selector);
        selector.wakeup();
        assertThat(select.join()).isZero();
    }

    private Task<Integer> startSelecting(Selector selector) {
        Task<Integer> select = start("selecting", () -> selector.select());
        select.awaitBlockedIn("select");
        return select;
    }

    /** Reads until the selecting thread has ended. */
    private static Long drain(SocketChannel channel, Task<Integer> select) throws Exception {
        ByteBuffer target = ByteBuffer.allocateDirect(64 * 1024);
        long total = 0;
        channel.configureBlocking(false);
        while (select.isRunning()) {
            total += channel.read(target.clear());
        }
        return total;
    }
}
