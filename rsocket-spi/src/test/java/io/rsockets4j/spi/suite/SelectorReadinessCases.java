/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;

import io.rsockets4j.spi.suite.kit.Machine;
import io.rsockets4j.spi.suite.kit.Pair;
import io.rsockets4j.spi.suite.kit.Task;
import io.rsockets4j.spi.suite.kit.Wire;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which keys are selected with which ready operations, and what a select counts. */
abstract class SelectorReadinessCases extends SuiteCase {
    private static final int READ = SelectionKey.OP_READ;
    private static final int WRITE = SelectionKey.OP_WRITE;
    private static final int LONG_MS = 20_000;
    private static final int AT_ONCE_ROUNDS = 300; // a race that is lost now and then

    @Test
    void shouldReportOnlyWhatIsOfInterest() throws Exception {
        Selector selector = openSelector();
        Pair pair = connect();
        pair.server().write(ByteBuffer.allocate(1));
        SelectionKey key = register(selector, pair.client(), READ | WRITE);
        awaitReady(selector, key, READ | WRITE);
        assertReadyAfter(selector, key, READ, READ);
        assertReadyAfter(selector, key, WRITE, WRITE);
        key.interestOps(0);
        selector.selectedKeys().clear();
        assertThat(selector.selectNow()).isZero();
        assertThat(selector.selectedKeys()).isEmpty();
    }

    @Test
    void shouldCountNothingWhenASelectedKeyIsReadyForTheSame() throws Exception {
        Selector selector = openSelector();
        Pair pair = connect();
        SelectionKey key = register(selector, pair.client(), READ);
        pair.server().write(ByteBuffer.allocate(1));
        assertThat(selector.select(LONG_MS)).isEqualTo(1);
        assertThat(selector.selectNow()).isZero();
        assertThat(selector.select()).isZero();
        assertThat(selector.selectedKeys()).containsExactly(key);
        selector.selectedKeys().remove(key);
        assertThat(selector.select(LONG_MS)).isEqualTo(1);
    }

    @Test
    void shouldAddToTheReadyOpsOfASelectedKeyAndCountIt() throws Exception {
        Selector selector = openSelector();
        Pair pair = connect();
        SelectionKey key = register(selector, pair.client(), WRITE);
        assertThat(selector.select(LONG_MS)).isEqualTo(1);
        key.interestOps(READ | WRITE);
        assertThat(selector.selectNow()).isZero();
        pair.server().write(ByteBuffer.allocate(1));
        int updated = 0;
        for (long end = System.nanoTime() + 20_000_000_000L; updated == 0 && System.nanoTime() < end;) {
            updated = selector.selectNow();
        }
        assertThat(updated).isEqualTo(1);
        assertThat(key.readyOps()).isEqualTo(READ | WRITE);
    }

    @Test
    void shouldKeepTheReadyOpsOfASelectedKeyWhenTheyPass() throws Exception {
        Selector selector = openSelector();
        Pair pair = connect();
        SelectionKey key = register(selector, pair.client(), READ);
        pair.server().write(ByteBuffer.allocate(1));
        assertThat(selector.select(LONG_MS)).isEqualTo(1);
        assertThat(pair.client().read(ByteBuffer.allocate(10))).isEqualTo(1);
        assertThat(selector.selectNow()).isZero();
        assertThat(key.isReadable()).isTrue();
        selector.selectedKeys().clear();
        assertThat(selector.selectNow()).isZero();
        assertThat(selector.selectedKeys()).isEmpty();
    }

    @Test
    void shouldStayReadyWhileBytesAreLeft() throws Exception {
        Selector selector = openSelector();
        Pair pair = connect();
        SelectionKey key = register(selector, pair.client(), READ);
        pair.server().write(ByteBuffer.allocate(3));
        for (int i = 0; i < 3; i++) {
            awaitReady(selector, key, READ);
            assertThat(pair.client().read(ByteBuffer.allocate(1))).isEqualTo(1);
            selector.selectedKeys().clear();
        }
        assertThat(selector.selectNow()).isZero();
    }

    @Test
    void shouldStayReadableAtTheEndOfTheStream() throws Exception {
        Selector selector = openSelector();
        Pair pair = connect();
        SelectionKey key = register(selector, pair.client(), READ);
        pair.server().close();
        for (int i = 0; i < 3; i++) {
            awaitReady(selector, key, READ);
            assertThat(pair.client().read(ByteBuffer.allocate(1))).isEqualTo(-1);
            selector.selectedKeys().clear();
        }
        assertThat(pair.client().isOpen()).isTrue();
    }

    @Test
    void shouldBeReadyAfterAReset() throws Exception {
        Selector selector = openSelector();
        Pair pair = connect();
        SelectionKey key = register(selector, pair.client(), READ);
        pair.server().setOption(StandardSocketOptions.SO_LINGER, 0);
        pair.server().close();
        awaitReady(selector, key, READ);
        IOException reset = assertThrowsExactly(SocketException.class,
                () -> pair.client().read(ByteBuffer.allocate(1)));
        assertThat(reset).hasMessage("Connection reset");
    }

    @Test
    void shouldNotBeWritableWhileFull() throws Exception {
        Selector selector = openSelector();
        Pair pair = connect();
        Wire.fillUp(pair.client());
        SelectionKey key = register(selector, pair.client(), READ | WRITE);
        assertThat(selector.selectNow()).isZero();
        pair.server().write(ByteBuffer.allocate(1));
        awaitReady(selector, key, READ);
        assertThat(key.isWritable()).isFalse();
    }

    @Test
    void shouldBeAcceptableUntilAllAreAccepted() throws Exception {
        Selector selector = openSelector();
        ServerSocketChannel server = listen();
        SelectionKey key = register(selector, server, SelectionKey.OP_ACCEPT);
        for (int i = 0; i < 3; i++) {
            connectTo(server);
        }
        for (int i = 0; i < 3; i++) {
            awaitReady(selector, key, SelectionKey.OP_ACCEPT);
            assertThat(closing(server.accept())).isNotNull();
            selector.selectedKeys().clear();
        }
        assertThat(selector.selectNow()).isZero();
        assertThat(server.accept()).isNull();
    }

    @Test
    void shouldSeeAtOnceThatSomebodyIsConnected() throws Exception {
        Selector selector = openSelector();
        ServerSocketChannel server = listen();
        register(selector, server, SelectionKey.OP_ACCEPT);
        for (int i = 0; i < AT_ONCE_ROUNDS; i++) {
            try (SocketChannel client = connectTo(server)) {
                assertThat(selector.selectNow()).as("round %d, of %s", i, client).isEqualTo(1);
                server.accept().close();
            }
            selector.selectedKeys().clear();
        }
    }

    @Test
    void shouldGiveEachReadyKeyToTheConsumer() throws Exception {
        Selector selector = openSelector();
        Pair first = connect();
        Pair second = connect();
        SelectionKey firstKey = register(selector, first.client(), READ);
        SelectionKey secondKey = register(selector, second.client(), WRITE);
        first.server().write(ByteBuffer.allocate(1));
        List<SelectionKey> consumed = new ArrayList<>();
        for (long end = System.nanoTime() + 20_000_000_000L; consumed.size() < 2 && System.nanoTime() < end;) {
            consumed.clear();
            assertThat(selector.select(consumed::add, LONG_MS)).isEqualTo(consumed.size());
        }
        assertThat(consumed).containsExactlyInAnyOrder(firstKey, secondKey);
        assertThat(firstKey.isReadable()).isTrue();
        assertThat(selector.selectedKeys()).isEmpty();
        assertThat(selector.selectNow(key -> assertThat(key.readyOps()).isPositive())).isEqualTo(2);
        assertThat(selector.select(key -> key.interestOps(0))).isEqualTo(2);
        assertThat(selector.selectNow(key -> { })).isZero();
    }

    @Test
    void shouldLeaveOutAKeyWhoseInterestTheConsumerHasCleared() throws Exception {
        Selector selector = openSelector();
        SelectionKey first = register(selector, connect().client(), WRITE);
        SelectionKey second = register(selector, connect().client(), WRITE);
        assertThat(selector.selectNow(key -> (key == first ? second : first).interestOps(0))).isEqualTo(1);
        assertThat(selector.selectNow()).isEqualTo(1);
    }

    @Test
    void shouldPassOnWhatTheConsumerThrows() throws Exception {
        Selector selector = openSelector();
        register(selector, connect().client(), WRITE);
        IllegalStateException thrown = new IllegalStateException("from the consumer");
        assertThat(assertThrowsExactly(IllegalStateException.class, () -> selector.select(key -> {
            throw thrown;
        }))).isSameAs(thrown);
        assertThat(selector.selectNow()).isEqualTo(1);
    }

    @Test
    void shouldSelectPipesAndDatagramsBesideItsOwnChannels() throws Exception {
        Selector selector = openSelector();
        Pair pair = connect();
        Pipe pipe = sockets().provider().openPipe();
        closing(pipe.sink());
        DatagramChannel datagrams = closing(sockets().provider().openDatagramChannel());
        datagrams.bind(new InetSocketAddress(Machine.address(), 0));
        SelectionKey socketKey = register(selector, pair.client(), READ);
        SelectionKey pipeKey = register(selector, closing(pipe.source()), READ);
        SelectionKey datagramKey = register(selector, datagrams, READ);
        assertThat(selector.selectNow()).isZero();
        pipe.sink().write(ByteBuffer.allocate(1));
        awaitOnly(selector, pipeKey);
        assertThat(pipe.source().read(ByteBuffer.allocate(10))).isEqualTo(1);
        datagrams.send(ByteBuffer.allocate(1), datagrams.getLocalAddress());
        awaitOnly(selector, datagramKey);
        assertThat(datagrams.receive(ByteBuffer.allocate(10))).isEqualTo(datagrams.getLocalAddress());
        pair.server().write(ByteBuffer.allocate(1));
        awaitOnly(selector, socketKey);
        assertThat(selector.keys()).hasSize(3);
    }

    @Test
    void shouldWakeForEachKindOfChannelWhileBlocked() throws Exception {
        Selector selector = openSelector();
        Pair pair = connect();
        Pipe pipe = sockets().provider().openPipe();
        closing(pipe.sink());
        register(selector, pair.client(), READ);
        SelectionKey pipeKey = register(selector, closing(pipe.source()), READ);
        Task<Integer> select = start("selecting", () -> selector.select());
        select.awaitBlockedIn("select");
        pipe.sink().write(ByteBuffer.allocate(1));
        assertThat(select.join()).isEqualTo(1);
        assertThat(selector.selectedKeys()).containsExactly(pipeKey);
    }

    @Test
    void shouldCountEveryReadyChannelOfMany() throws Exception {
        Selector selector = openSelector();
        ServerSocketChannel server = listen();
        List<SocketChannel> peers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            Pair pair = connect(server);
            register(selector, pair.client(), READ);
            peers.add(pair.server());
        }
        assertThat(selector.selectNow()).isZero();
        for (int i = 0; i < 50; i += 2) {
            peers.get(i).write(ByteBuffer.allocate(1));
        }
        int total = 0;
        for (long end = System.nanoTime() + 20_000_000_000L; total < 25 && System.nanoTime() < end;) {
            total += selector.select(LONG_MS);
        }
        assertThat(total).isEqualTo(25);
        assertThat(selector.selectedKeys()).hasSize(25).allMatch(SelectionKey::isReadable);
        assertThat(selector.selectNow()).isZero();
    }

    /** Selects until the key is ready for exactly these operations. */
    private static void awaitReady(Selector selector, SelectionKey key, int ops) throws IOException {
        int ready = 0;
        for (long end = System.nanoTime() + 20_000_000_000L; ready != ops && System.nanoTime() < end;) {
            selector.select(LONG_MS);
            ready = selector.selectedKeys().contains(key) ? key.readyOps() : 0;
        }
        assertThat(ready).isEqualTo(ops);
    }

    private static void awaitOnly(Selector selector, SelectionKey key) throws IOException {
        selector.selectedKeys().clear();
        assertThat(selector.select(LONG_MS)).isEqualTo(1);
        assertThat(selector.selectedKeys()).containsExactly(key);
    }

    private static void assertReadyAfter(Selector selector, SelectionKey key, int interest, int ready)
            throws IOException {
        key.interestOps(interest);
        selector.selectedKeys().clear();
        assertThat(selector.selectNow()).isEqualTo(1);
        assertThat(key.readyOps()).isEqualTo(ready);
    }
}
