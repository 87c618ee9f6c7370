/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm.ring;

import static io.rsockets4j.core.shm.ring.SlotDescriptor.FIRST_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RingWrapTest {
    private static final int CAPACITY = 4 * FIRST_BYTES;

    private final RingPair ring = new RingPair(CAPACITY).restart(() -> true);

    @AfterEach
    void nothingIsStoredOutside() {
        ring.checkGuards();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 64, 1000, 4096, 8191, 8193, CAPACITY - 1, CAPACITY})
    void shouldCarryAMessageThatBeginsAtEachOffset(int length) throws RingCorruptedException {
        ring.grow();
        int back = CAPACITY - length % CAPACITY; // with the message a whole turn, so that the next begins one further
        for (int offset = 0; offset < CAPACITY; offset++) {
            assertThat(ring.write(length)).as("offset %d", offset).isEqualTo(length);
            assertThat(ring.read(length)).as("offset %d", offset).isEqualTo(length);
            int step = (back + 1) % CAPACITY;
            ring.write(step);
            ring.read(step);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 64, 1000, 4095, 4096})
    void shouldCarryAMessageThatBeginsAtEachOffsetOfTheFirstPage(int length) throws RingCorruptedException {
        for (int offset = 0; offset < FIRST_BYTES; offset++) {
            ring.advance(length).advance((2 * FIRST_BYTES - length + 1) % FIRST_BYTES);
        }
        assertThat(ring.control().getAcquire(SlotDescriptor.GROWN_AT)).as("what fits needs no more pages").isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 13, 4096, CAPACITY - 1})
    void shouldFillUpAtEachOffsetAndNoFurther(int firstPart) throws RingCorruptedException {
        ring.grow();
        for (int offset = 0; offset < CAPACITY; offset += 5) {
            assertThat(ring.write(firstPart)).isEqualTo(firstPart);
            assertThat(ring.write(2 * CAPACITY)).isEqualTo(CAPACITY - firstPart);
            assertThat(ring.write(1)).as("a byte more than the ring holds").isZero();
            assertThat(ring.read(1)).isEqualTo(1);
            assertThat(ring.write(2)).as("credit for the byte that was read").isEqualTo(1);
            assertThat(ring.read(2 * CAPACITY)).isEqualTo(CAPACITY);
            assertThat(ring.read(1)).as("a byte more than was sent").isZero();
            ring.write(4);
            ring.read(4);
        }
    }

    @Test
    void shouldTakeAndGiveNothingWhereNothingIsAskedFor() throws RingCorruptedException {
        assertThat(ring.write(0)).isZero();
        assertThat(ring.read(0)).isZero();
        ring.write(10);
        assertThat(ring.read(0)).isZero();
        assertThat(ring.read(10)).isEqualTo(10);
    }

    @Test
    void shouldLeaveBytesAroundTheRangeOfABufferAlone() throws RingCorruptedException {
        ByteBuffer src = Payload.of(0, 100).position(20).limit(50);
        assertThat(ring.out().write(src.asReadOnlyBuffer())).isEqualTo(30);
        ByteBuffer dst = ByteBuffer.allocateDirect(100).position(10).limit(90);
        assertThat(ring.in().read(dst)).isEqualTo(30);
        assertThat(dst.position()).isEqualTo(40);
        Payload.check(dst.duplicate().flip().position(10), 20);
        dst.limit(100);
        for (int i = 0; i < 100; i++) {
            if (i < 10 || i >= 40) {
                assertThat(dst.get(i)).as("byte %d", i).isZero();
            }
        }
    }
}
