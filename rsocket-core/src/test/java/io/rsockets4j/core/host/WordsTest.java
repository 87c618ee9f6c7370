/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WordsTest {
    private static final int BYTES = 32;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.nativeOrder());
    private final Words words = new Words(memory.position(5));

    @Test
    void shouldSeeAllOfTheMemoryWhereverItsPositionIs() {
        words.putRelease(0, 1);
        words.putOpaque(BYTES - Long.BYTES, 2);
        words.putIntVolatile(BYTES - Long.BYTES + Integer.BYTES, 3);
        assertThat(memory.getLong(0)).isEqualTo(1);
        assertThat(memory.getInt(BYTES - Integer.BYTES)).isEqualTo(3);
        assertThat(words.nextSet(0, 1, BYTES / Long.BYTES)).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, -8, BYTES - 7, BYTES, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void shouldTouchNothingOutsideOfIt(int offset) {
        assertThatThrownBy(() -> words.getAcquire(offset)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> words.putRelease(offset, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> words.compareAndSet(offset, 0, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> words.addressOfLowBits(offset)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> words.putBytes(offset, new byte[9])).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(memory.getLong(BYTES - Long.BYTES)).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, BYTES - 3, BYTES})
    void shouldTouchNoHalfWordOutsideOfIt(int offset) {
        assertThatThrownBy(() -> words.getInt(offset)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> words.putIntVolatile(offset, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(words.getInt(BYTES - Integer.BYTES)).isZero();
    }

    @Test
    void shouldCountTheOffsetsOfAPartFromWhereItBegins() {
        Words part = words.slice(16, 8);
        part.putRelease(0, 7);
        assertThat(words.getAcquire(16)).isEqualTo(7);
        assertThat(part.address()).isEqualTo(words.address() + 16);
        assertThatThrownBy(() -> part.getAcquire(1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> words.slice(16, 17)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void shouldClearFromTheBeginningAndNoFurther() {
        words.putRelease(8, 1);
        words.putRelease(16, 1);
        words.clear(16);
        assertThat(words.getAcquire(8)).isZero();
        assertThat(words.getAcquire(16)).isEqualTo(1);
        assertThatThrownBy(() -> words.clear(BYTES + 1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    /** Buffers of all kinds, whose bytes from 2 on are 12, 13, 14 and so on. */
    private static List<ByteBuffer> buffers() {
        ByteBuffer heap = ByteBuffer.allocate(BYTES);
        ByteBuffer direct = ByteBuffer.allocateDirect(BYTES);
        ByteBuffer partOfHeap = ByteBuffer.allocate(2 * BYTES).slice(7, BYTES);
        ByteBuffer partOfDirect = ByteBuffer.allocateDirect(2 * BYTES).slice(7, BYTES);
        List<ByteBuffer> all = List.of(heap, direct, partOfHeap, partOfDirect);
        for (ByteBuffer buffer : all) {
            for (int i = 0; i < BYTES; i++) {
                buffer.put(i, (byte) (10 + i));
            }
            buffer.position(9);
        }
        return all;
    }

    @Test
    void shouldCopyFromBuffersOfAllKinds() {
        for (ByteBuffer buffer : buffers()) {
            for (ByteBuffer src : List.of(buffer, buffer.asReadOnlyBuffer())) {
                words.clear(BYTES);
                words.put(3, src, 2, 5);
                assertThat(memory.slice(2, 7)).as("%s", src)
                        .isEqualTo(ByteBuffer.wrap(new byte[] {0, 12, 13, 14, 15, 16, 0}));
                assertThat(src.position()).isEqualTo(9);
            }
        }
    }

    @Test
    void shouldCopyToBuffersOfAllKinds() {
        words.putBytes(3, new byte[] {1, 2, 3});
        for (ByteBuffer dst : buffers()) {
            words.get(3, dst, 2, 3);
            assertThat(dst.slice(1, 5)).as("%s", dst).isEqualTo(ByteBuffer.wrap(new byte[] {11, 1, 2, 3, 15}));
            assertThat(dst.position()).isEqualTo(9);
            ByteBuffer readOnly = dst.asReadOnlyBuffer();
            assertThatThrownBy(() -> words.get(0, readOnly, 0, 1)).isInstanceOf(ReadOnlyBufferException.class);
        }
    }

    @Test
    void shouldCopyNothingOutsideOfEither() {
        for (ByteBuffer buffer : buffers()) {
            int[][] calls = {{-1, 0, 1}, {BYTES, 0, 1}, {0, -1, 1}, {0, BYTES, 1}, {0, 0, BYTES + 1}, {1, 0, BYTES},
                {0, 1, BYTES}, {0, 0, -1}, {Integer.MAX_VALUE, 0, 2}, {0, Integer.MAX_VALUE, 2}};
            for (int[] call : calls) {
                assertThatThrownBy(() -> words.put(call[0], buffer, call[1], call[2])).as("%s", buffer)
                        .isInstanceOf(IndexOutOfBoundsException.class);
                assertThatThrownBy(() -> words.get(call[0], buffer, call[1], call[2])).as("%s", buffer)
                        .isInstanceOf(IndexOutOfBoundsException.class);
            }
            assertThat(buffer.get(0)).isEqualTo((byte) 10);
        }
        assertThat(memory.getLong(0)).isZero();
    }

    /** Its address is good for nothing any more. */
    @Test
    void shouldNotTouchTheMemoryOfASegmentThatIsClosed() throws ReflectiveOperationException {
        assumeTrue(Runtime.version().feature() >= 22, "java.lang.foreign");
        Class<?> arenas = Class.forName("java.lang.foreign.Arena");
        Object arena = arenas.getMethod("ofShared").invoke(null);
        Object segment = arenas.getMethod("allocate", long.class, long.class).invoke(arena, BYTES, 1);
        ByteBuffer buffer = (ByteBuffer) Class.forName("java.lang.foreign.MemorySegment").getMethod("asByteBuffer")
                .invoke(segment);
        buffer.put(0, (byte) 5);
        words.put(0, buffer, 0, 1);
        assertThat(memory.get(0)).isEqualTo((byte) 5);
        arenas.getMethod("close").invoke(arena);
        assertThatThrownBy(() -> words.put(0, buffer, 0, 1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> words.get(0, buffer, 0, 1)).isInstanceOf(IllegalStateException.class);
    }
}
