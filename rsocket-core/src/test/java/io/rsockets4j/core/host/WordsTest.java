/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
}
