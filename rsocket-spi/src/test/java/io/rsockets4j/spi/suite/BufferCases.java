/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.spi.suite.kit.Pair;
import io.rsockets4j.spi.suite.kit.Payload;
import io.rsockets4j.spi.suite.kit.Task;
import io.rsockets4j.spi.suite.kit.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kind of buffer, one or many at once: which bytes move, what is returned, and how the positions change. */
abstract class BufferCases extends SuiteCase {
    private final Payload payload = new Payload(2);

    static Stream<ByteBuffer> buffersOf1000() {
        return Stream.of(ByteBuffer.allocate(1000), ByteBuffer.allocateDirect(1000),
                ByteBuffer.allocate(1017).position(17).slice(), ByteBuffer.allocateDirect(1003).position(3).slice(),
                ByteBuffer.wrap(new byte[1300], 200, 1000).slice());
    }

    @ParameterizedTest
    @MethodSource("buffersOf1000")
    void shouldWriteFromEveryKindOfBuffer(ByteBuffer buffer) throws Exception {
        Pair pair = connect();
        payload.fill(buffer, 0);
        assertThat(pair.client().write(buffer.flip())).isEqualTo(1000);
        assertThat(buffer.position()).isEqualTo(1000);
        Wire.receive(pair.server(), payload, 1000, 1000);
    }

    @ParameterizedTest
    @MethodSource("buffersOf1000")
    void shouldReadIntoEveryKindOfBuffer(ByteBuffer buffer) throws Exception {
        Pair pair = connect();
        Wire.writeFully(pair.client(), payload.slice(0, 1000));
        Wire.readFully(pair.server(), buffer);
        payload.check(buffer.flip(), 0);
        assertThat(buffer.position()).isEqualTo(1000);
    }

    @Test
    void shouldTouchOnlyTheBytesBetweenPositionAndLimit() throws Exception {
        Pair pair = connect();
        pair.client().write(payload.slice(0, 200).position(50).limit(120));
        ByteBuffer target = ByteBuffer.allocate(200).position(10).limit(80);
        Wire.readFully(pair.server(), target);
        assertThat(target.limit()).isEqualTo(80);
        assertThat(target.array()).startsWith(new byte[10]).endsWith(new byte[120]);
        payload.check(target.position(10), 50);
    }

    @Test
    void shouldReturnWhatHasArrivedWithoutWaitingForMore() throws Exception {
        Pair pair = connect();
        ByteBuffer target = ByteBuffer.allocate(4096);
        pair.client().write(payload.slice(0, 10));
        assertThat(pair.server().read(target)).isEqualTo(10);
        assertThat(target.position()).isEqualTo(10);
        payload.check(target.flip(), 0);
    }

    @Test
    void shouldWriteAReadOnlyBuffer() throws Exception {
        Pair pair = connect();
        assertThat(pair.client().write(payload.slice(0, 30).asReadOnlyBuffer())).isEqualTo(30);
        Wire.receive(pair.server(), payload, 30, 30);
        ByteBuffer[] both = {payload.slice(0, 10).asReadOnlyBuffer(), payload.slice(10, 20).asReadOnlyBuffer()};
        assertThat(pair.client().write(both)).isEqualTo(30);
        Wire.receive(pair.server(), payload, 30, 30);
    }

    @Test
    void shouldRefuseToReadIntoAReadOnlyBuffer() throws Exception {
        SocketChannel channel = connect().server();
        ByteBuffer readOnly = ByteBuffer.allocate(10).asReadOnlyBuffer();
        ByteBuffer[] mixed = {ByteBuffer.allocate(10), readOnly};
        assertThatThrownBy(() -> channel.read(readOnly))
                .isExactlyInstanceOf(IllegalArgumentException.class).hasMessage("Read-only buffer");
        channel.configureBlocking(false);
        assertThatThrownBy(() -> channel.read(mixed))
                .isExactlyInstanceOf(IllegalArgumentException.class).hasMessage("Read-only buffer");
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void shouldRefuseNullBuffers() throws Exception {
        SocketChannel channel = connect().server();
        ByteBuffer none = null;
        assertThatThrownBy(() -> channel.read(none)).isExactlyInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> channel.write(none)).isExactlyInstanceOf(NullPointerException.class);
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void shouldReturnZeroForEmptyBuffersWithoutBlocking() throws Exception {
        Pair pair = connect();
        ByteBuffer[] empties = {ByteBuffer.allocate(0), ByteBuffer.allocateDirect(0)};
        assertThat(pair.client().read(ByteBuffer.allocate(0))).isZero();
        assertThat(pair.client().write(ByteBuffer.allocate(0))).isZero();
        assertThat(pair.client().read(empties)).isZero();
        assertThat(pair.client().write(empties)).isZero();
        assertThat(pair.client().read(new ByteBuffer[0])).isZero();
        assertThat(pair.client().write(new ByteBuffer[0])).isZero();
    }

    @Test
    void shouldGatherBuffersInOrderSkippingEmptyOnes() throws Exception {
        Pair pair = connect();
        ByteBuffer[] parts = {ByteBuffer.allocate(0), payload.slice(0, 13), direct(13, 4001),
            ByteBuffer.allocateDirect(0), payload.slice(4014, 1)};
        assertThat(pair.client().write(parts)).isEqualTo(4015);
        assertThat(parts).noneMatch(ByteBuffer::hasRemaining);
        Wire.receive(pair.server(), payload, 4015, 4096);
    }

    @Test
    void shouldScatterIntoBuffersInOrderSkippingFullOnes() throws Exception {
        Pair pair = connect();
        pair.client().write(payload.slice(0, 4015));
        ByteBuffer[] parts = {ByteBuffer.allocate(0), ByteBuffer.allocate(13), ByteBuffer.allocateDirect(4001),
            ByteBuffer.allocate(5)};
        for (long total = 0; total < 4015;) {
            total += pair.server().read(parts);
        }
        assertThat(parts[3].position()).isEqualTo(1);
        payload.check(parts[1].flip(), 0);
        payload.check(parts[2].flip(), 13);
        payload.check(parts[3].flip(), 4014);
    }

    @Test
    void shouldUseOnlyTheBuffersBetweenOffsetAndLength() throws Exception {
        Pair pair = connect();
        ByteBuffer[] parts = {payload.slice(900, 5), payload.slice(0, 7), payload.slice(7, 8), payload.slice(900, 5)};
        assertThat(pair.client().write(parts, 1, 2)).isEqualTo(15);
        assertThat(parts[0].position()).isZero();
        assertThat(parts[3].position()).isZero();
        ByteBuffer[] targets = {ByteBuffer.allocate(4), ByteBuffer.allocate(9), ByteBuffer.allocate(50),
            ByteBuffer.allocate(4)};
        for (long total = 0; total < 15;) {
            total += pair.server().read(targets, 1, 2);
        }
        assertThat(targets[0].position()).isZero();
        payload.check(targets[1].flip(), 0);
        payload.check(targets[2].flip(), 9);
        assertThat(targets[2].limit()).isEqualTo(6);
    }

    @Test
    void shouldRefuseAnOffsetOrLengthOutsideTheArray() throws Exception {
        SocketChannel channel = connect().client();
        ByteBuffer[] two = {ByteBuffer.allocate(1), ByteBuffer.allocate(1)};
        assertThatThrownBy(() -> channel.read(two, 1, 2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> channel.write(two, -1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> channel.write(two, 0, -1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void shouldGatherMoreThanAnyBufferHoldsAndMoreThanOneSystemCallTakes() throws Exception {
        Pair pair = connect();
        int count = 3000;
        int size = 2003;
        ByteBuffer[] parts = new ByteBuffer[count];
        for (int i = 0; i < count; i++) {
            parts[i] = i % 2 == 0 ? payload.slice((long) i * size, size) : direct((long) i * size, size);
        }
        Task<Void> writer = start("writer", () -> writeAll(pair.client(), parts));
        Wire.receive(pair.server(), payload, (long) count * size, 64 * 1024);
        writer.join();
        assertThat(parts).noneMatch(ByteBuffer::hasRemaining);
    }

    @Test
    void shouldReturnPartOfAGatheringWriteInNonBlockingMode() throws Exception {
        Pair pair = connect();
        pair.client().configureBlocking(false);
        ByteBuffer[] parts = {payload.slice(0, 9_000_000), payload.slice(9_000_000, 9_000_000)};
        long written = 0;
        for (long n = pair.client().write(parts); n > 0; n = pair.client().write(parts)) {
            written += n;
        }
        assertThat(written).isPositive().isLessThan(18_000_000);
        assertThat(parts[0].position() + parts[1].position()).isEqualTo((int) written);
        Wire.receive(pair.server(), payload, written, 64 * 1024);
    }

    private static Void writeAll(SocketChannel channel, ByteBuffer[] parts) throws IOException {
        for (int first = 0; first < parts.length;) {
            channel.write(parts, first, parts.length - first);
            while (first < parts.length && !parts[first].hasRemaining()) {
                first++;
            }
        }
        return null;
    }

    private ByteBuffer direct(long position, int length) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(length);
        payload.fill(buffer, position);
        return buffer.flip();
    }
}
