/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rsockets4j.spi.suite.kit.Capability;
import io.rsockets4j.spi.suite.kit.Pair;
import io.rsockets4j.spi.suite.kit.Requires;
import io.rsockets4j.spi.suite.kit.Task;
import io.rsockets4j.spi.suite.kit.Wire;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;

/** Urgent bytes: dropped, or delivered in their place in the stream to those who ask for that. */
@Requires(Capability.URGENT_DATA)
abstract class UrgentDataCases extends SuiteCase {
    private static final int URGENT_BYTES = 300_000;

    @Test
    void shouldDropAnUrgentByte() throws Exception {
        Pair pair = connect();
        write(pair.client(), 1);
        pair.client().socket().sendUrgentData(2);
        write(pair.client(), 3);
        assertThat(read(pair.server(), 2)).containsExactly(1, 3);
    }

    /** A selector that was asked in between has seen nothing, as an urgent byte is no reason to read. */
    @Test
    void shouldDropAnUrgentByteThatIsNextWhenAnotherComes() throws Exception {
        Pair pair = connect();
        pair.client().socket().sendUrgentData(1);
        pair.client().socket().sendUrgentData(2);
        write(pair.client(), 3);
        pair.client().socket().sendUrgentData(4);
        write(pair.client(), 5);
        assertThat(read(pair.server(), 2)).containsExactly(3, 5);
    }

    @Test
    void shouldDeliverAnUrgentByteBehindOthersWhenAnotherComes() throws Exception {
        Pair pair = connect();
        write(pair.client(), 1);
        pair.client().socket().sendUrgentData(2);
        pair.client().socket().sendUrgentData(3);
        write(pair.client(), 4);
        assertThat(read(pair.server(), 3)).containsExactly(1, 2, 4);
    }

    @Test
    void shouldDropAnUrgentByteBeforeTheEnd() throws Exception {
        Pair pair = connect();
        write(pair.client(), 1);
        pair.client().socket().sendUrgentData(2);
        pair.client().shutdownOutput();
        assertThat(read(pair.server(), 1)).containsExactly(1);
        assertThat(pair.server().read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    /** What an earlier connection marked must not matter to one that comes after it. */
    @Test
    void shouldForgetTheMarkWithItsConnection() throws Exception {
        for (int i = 0; i < 20; i++) {
            Pair pair = connect();
            write(pair.client(), 1);
            assertThat(read(pair.server(), 1)).containsExactly(1);
            pair.client().socket().sendUrgentData(2);
            write(pair.client(), 3);
            assertThat(read(pair.server(), 1)).containsExactly(3);
            pair.client().close();
            pair.server().close();
            Pair next = connect();
            write(next.client(), 4);
            write(next.client(), 5);
            assertThat(read(next.server(), 2)).containsExactly(4, 5);
            next.client().close();
            next.server().close();
        }
    }

    @Test
    void shouldDeliverUrgentBytesInTheirPlace() throws Exception {
        Pair pair = connect();
        pair.server().socket().setOOBInline(true);
        byte[] expected = new byte[200];
        for (int i = 0; i < expected.length; i++) {
            expected[i] = (byte) i;
            if (i % 3 == 0) {
                write(pair.client(), i);
            } else {
                pair.client().socket().sendUrgentData(i);
            }
        }
        assertThat(read(pair.server(), expected.length)).isEqualTo(expected);
    }

    @Test
    void shouldWakeAReaderWithAnUrgentByteThatItAskedFor() throws Exception {
        Pair pair = connect();
        pair.client().socket().setOOBInline(true);
        Task<byte[]> reader = start("reader", () -> read(pair.client(), 1));
        reader.awaitBlockedIn("read");
        pair.server().socket().sendUrgentData(7);
        assertThat(reader.join()).containsExactly(7);
    }

    @Test
    void shouldNotSelectAKeyForAnUrgentByteThatIsDropped() throws Exception {
        Pair pair = connect();
        Selector selector = openSelector();
        SelectionKey key = register(selector, pair.server(), SelectionKey.OP_READ);
        pair.client().socket().sendUrgentData(1);
        assertThat(selector.selectNow()).isZero();
        write(pair.client(), 2);
        assertThat(selector.select(20_000)).isEqualTo(1);
        assertThat(selector.selectedKeys()).containsExactly(key);
        assertThat(read(pair.server(), 1)).containsExactly(2);
    }

    @Test
    void shouldSayThatThereIsNoRoomForAnUrgentByte() throws Exception {
        SocketChannel channel = connect().client();
        Wire.fillUp(channel);
        channel.configureBlocking(false);
        Throwable full = null;
        while (full == null) { // TCP may find room for some
            full = catchThrowable(() -> channel.socket().sendUrgentData(1));
        }
        assertThat(full).isExactlyInstanceOf(IOException.class).hasMessage("Socket buffer full");
    }

    /** More than any buffer holds: those that are dropped make room. */
    @Test
    void shouldGoOnWhereNothingButUrgentBytesWasSent() throws Exception {
        Pair pair = connect();
        Task<Void> sender = start("sender", () -> {
            for (int i = 0; i < URGENT_BYTES; i++) {
                pair.client().socket().sendUrgentData(1);
            }
            write(pair.client(), 2);
            return null;
        });
        sender.awaitBlockedIn("sendUrgentData");
        InputStream reader = pair.server().socket().getInputStream();
        int read = reader.read();
        while (read == 1) { // TCP delivers one that another has overtaken
            read = reader.read();
        }
        assertThat(read).isEqualTo(2);
        sender.join();
    }

    @Test
    void shouldEndABlockedUrgentByteByClose() throws Exception {
        SocketChannel channel = connect().client();
        Wire.fillUp(channel);
        Task<Void> sender = start("sender", () -> {
            for (;;) {
                channel.socket().sendUrgentData(1);
            }
        });
        sender.awaitBlockedIn("sendUrgentData");
        channel.close();
        assertThat(sender.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
    }

    private static void write(SocketChannel channel, int value) throws IOException {
        Wire.writeFully(channel, ByteBuffer.wrap(new byte[] {(byte) value}));
    }

    private static byte[] read(SocketChannel channel, int count) throws IOException {
        return Wire.readFully(channel, ByteBuffer.allocate(count)).array();
    }
}
