/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.spi.suite.kit.Machine;
import io.rsockets4j.spi.suite.kit.Pair;
import io.rsockets4j.spi.suite.kit.Payload;
import io.rsockets4j.spi.suite.kit.Task;
import io.rsockets4j.spi.suite.kit.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes arrive whole and in order, whatever the sizes of writes, reads and rings, over blocking channels. */
abstract class DataTransferCases extends SuiteCase {
    private static final int KIB = 1024;
    private static final int MIB = 1024 * KIB;
    /** The default size of a ring; streams below are longer, so they wrap. */
    private static final int RING = 256 * KIB;

    private final Payload payload = new Payload(1);

    @Test
    void shouldEchoMessagesOfEverySizeUpToOneKibibyte() throws Exception {
        Pair pair = connect();
        start("echo", () -> echoAndClose(pair.server()));
        long position = 0;
        for (int size = 1; size <= KIB; size++) {
            echoOnce(pair.client(), position, size);
            position += size;
        }
        pair.client().shutdownOutput();
        assertThat(pair.client().read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(ints = {4095, 4096, 4097, 65_521, 65_536, RING - 1, RING, RING + 1, MIB + 7, 5 * MIB})
    void shouldEchoLargeMessages(int size) throws Exception {
        Pair pair = connect();
        start("echo", () -> echoAndClose(pair.server()));
        Task<Void> sender = start("sender", () -> send(pair.client(), 3L * size, size));
        Wire.receive(pair.client(), payload, 3L * size, size);
        sender.join();
        pair.client().shutdownOutput();
        assertThat(pair.client().read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @ParameterizedTest
    @CsvSource({"1, 4096, 600", "3, 7, 900", "4096, 1, 600", "509, 1021, 4096", "1021, 509, 4096", "4099, 65537, 8192",
        "65536, 65536, 8192", "262143, 262145, 8192", "262144, 262144, 8192", "262145, 262143, 8192",
        "1048573, 77, 4096", "77, 1048573, 4096"})
    void shouldKeepOrderWhenWritesAndReadsDisagreeInSize(int writeSize, int readSize, int kib) throws Exception {
        Pair pair = connect();
        int some = Math.max(RING, 4 * Math.max(writeSize, readSize)) / KIB + 44; // around the ring, and a few of each
        long bytes = (long) Machine.lessWhereSlow(kib, Math.min(kib, some)) * KIB;
        Task<Void> sender = start("sender", () -> send(pair.client(), bytes, writeSize));
        Wire.receive(pair.server(), payload, bytes, readSize);
        sender.join();
        pair.client().close();
        assertThat(pair.server().read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    /**
     * As 257 is prime to the ring's size, each lap splits a message at another offset, and 257 laps split it at every
     * one.
     */
    @Test
    void shouldWrapInsideAMessageAtEveryOffset() throws Exception {
        Pair pair = connect();
        long bytes = 257L * RING;
        Task<Void> sender = start("sender", () -> send(pair.client(), bytes, 257));
        Wire.receive(pair.server(), payload, bytes, 64 * KIB);
        sender.join();
        assertThat(pair.client().isOpen()).isTrue();
    }

    /** Both counters move by the same odd step in turn, so that a full and an empty ring occur at every offset. */
    @ParameterizedTest
    @ValueSource(ints = {8191, 65_537, 131_071})
    void shouldPassMessagesInTurnAcrossTheEndOfTheRing(int size) throws Exception {
        Pair pair = connect();
        int rounds = 4 * RING / size + 200;
        start("echo", () -> echoAndClose(pair.server()));
        for (int i = 0; i < rounds; i++) {
            echoOnce(pair.client(), (long) i * size, size);
        }
        pair.client().shutdownOutput();
        assertThat(pair.client().read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCompleteAWriteLargerThanAllBuffersInOneCall(boolean direct) throws Exception {
        Pair pair = connect();
        ByteBuffer large = direct ? ByteBuffer.allocateDirect(24 * MIB) : ByteBuffer.allocate(24 * MIB);
        payload.fill(large, 0);
        large.flip();
        Task<Integer> writer = start("writer", () -> pair.client().write(large));
        writer.awaitBlockedIn("write");
        Wire.receive(pair.server(), payload, 24 * MIB, 100_003);
        assertThat(writer.join()).isEqualTo(24 * MIB);
        assertThat(large.hasRemaining()).isFalse();
    }

    @Test
    void shouldLoseNothingWhenTheReaderIsSlowerThanTheWriter() throws Exception {
        Pair pair = connect();
        long bytes = 40L * MIB;
        Task<Void> writer = start("writer", () -> send(pair.client(), bytes, 96 * KIB + 1));
        ByteBuffer buffer = ByteBuffer.allocate(64 * KIB);
        long received = 0;
        while (received < bytes) {
            if (received < 400 * KIB) {
                writer.awaitBlockedIn("write");
            }
            pair.server().read(buffer.clear());
            payload.check(buffer.flip(), received);
            received += buffer.limit();
        }
        writer.join();
        assertThat(received).isEqualTo(bytes);
    }

    @Test
    void shouldLoseNothingWhenTheWriterIsSlowerThanTheReader() throws Exception {
        Pair pair = connect();
        Task<Void> reader = start("reader", () -> receive(pair.server(), 20 * 333, 4096));
        for (int i = 0; i < 20; i++) {
            reader.awaitBlockedIn("read");
            Wire.writeFully(pair.client(), payload.slice(i * 333L, 333));
        }
        reader.join();
        assertThat(reader.isRunning()).isFalse();
    }

    @Test
    @Timeout(60)
    void shouldMove64MebibytesBothWaysAtOnceWithAReaderAndAWriterOnEachEnd() throws Exception {
        Pair pair = connect();
        Task<Long> clientSends = start("client-writer", () -> sendWithCrc(pair.client(), 11, 64 * MIB));
        Task<Long> serverSends = start("server-writer", () -> sendWithCrc(pair.server(), 12, 64 * MIB));
        Task<Long> clientGets = start("client-reader", () -> receiveWithCrc(pair.client()));
        Task<Long> serverGets = start("server-reader", () -> receiveWithCrc(pair.server()));
        assertThat(serverGets.join()).isEqualTo(clientSends.join());
        assertThat(clientGets.join()).isEqualTo(serverSends.join());
    }

    @Test
    void shouldNotMixTheBlocksOfConcurrentWriters() throws Exception {
        Pair pair = connect();
        Task<Void> ones = start("ones", () -> writeBlocks(pair.client(), (byte) 1));
        Task<Void> twos = start("twos", () -> writeBlocks(pair.client(), (byte) 2));
        int[] blocks = new int[3];
        ByteBuffer block = ByteBuffer.allocate(1000);
        for (int i = 0; i < 4000; i++) {
            Wire.readFully(pair.server(), block.clear());
            byte[] bytes = block.array();
            assertThat(bytes).containsOnly(bytes[0]);
            blocks[bytes[0]]++;
        }
        ones.join();
        twos.join();
        assertThat(blocks).containsExactly(0, 2000, 2000);
    }

    @Test
    void shouldGiveEachByteToOneOfTwoConcurrentReaders() throws Exception {
        Pair pair = connect();
        Task<long[]> first = start("first", () -> sumUntilEof(pair.server()));
        Task<long[]> second = start("second", () -> sumUntilEof(pair.server()));
        long sum = 0;
        ByteBuffer buffer = ByteBuffer.allocate(1013);
        for (int i = 0; i < 1000; i++) {
            payload.fill(buffer.clear(), i * 1013L);
            for (byte b : buffer.array()) {
                sum += b;
            }
            Wire.writeFully(pair.client(), buffer.flip());
        }
        pair.client().shutdownOutput();
        long[] a = first.join();
        long[] b = second.join();
        assertThat(a[0] + b[0]).isEqualTo(1000 * 1013);
        assertThat(a[1] + b[1]).isEqualTo(sum);
    }

    private void echoOnce(SocketChannel channel, long position, int size) throws IOException {
        Wire.writeFully(channel, payload.slice(position, size));
        payload.check(Wire.readFully(channel, ByteBuffer.allocate(size)).flip(), position);
    }

    private static Void echoAndClose(SocketChannel channel) throws IOException {
        try (channel) {
            Wire.echo(channel);
        }
        return null;
    }

    private Void send(SocketChannel channel, long bytes, int chunk) throws IOException {
        Wire.send(channel, payload, bytes, chunk);
        return null;
    }

    private Void receive(SocketChannel channel, long bytes, int chunk) throws IOException {
        Wire.receive(channel, payload, bytes, chunk);
        return null;
    }

    private static Long sendWithCrc(SocketChannel channel, long seed, long bytes) throws IOException {
        CRC32C crc = new CRC32C();
        Payload content = new Payload(seed);
        ByteBuffer buffer = ByteBuffer.allocateDirect(96 * KIB + 11);
        for (long sent = 0; sent < bytes;) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), bytes - sent));
            content.fill(buffer, sent);
            sent += buffer.position();
            crc.update(buffer.flip().duplicate());
            Wire.writeFully(channel, buffer);
        }
        channel.shutdownOutput();
        return crc.getValue();
    }

    private static Long receiveWithCrc(SocketChannel channel) throws IOException {
        CRC32C crc = new CRC32C();
        ByteBuffer buffer = ByteBuffer.allocateDirect(80 * KIB + 3);
        while (channel.read(buffer.clear()) >= 0) {
            crc.update(buffer.flip());
        }
        return crc.getValue();
    }

    private static Void writeBlocks(SocketChannel channel, byte value) throws IOException {
        ByteBuffer block = ByteBuffer.allocate(1000);
        while (block.hasRemaining()) {
            block.put(value);
        }
        for (int i = 0; i < 2000; i++) {
            channel.write(block.rewind());
        }
        return null;
    }

    private static long[] sumUntilEof(SocketChannel channel) throws IOException {
        long[] countAndSum = new long[2];
        ByteBuffer buffer = ByteBuffer.allocate(797);
        while (channel.read(buffer.clear()) >= 0) {
            countAndSum[0] += buffer.position();
            buffer.flip();
            while (buffer.hasRemaining()) {
                countAndSum[1] += buffer.get();
            }
        }
        return countAndSum;
    }
}
