/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm.ring;

import static io.rsockets4j.core.shm.ring.SlotDescriptor.FIRST_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RingGrowthTest {
    private static final int CAPACITY = 2 * FIRST_BYTES;

    private final RingPair ring = new RingPair(CAPACITY);

    @AfterEach
    void nothingIsStoredOutside() {
        ring.checkGuards();
    }

    @Test
    void shouldGrowAtEveryFillLevel() throws RingCorruptedException {
        for (int fill = 0; fill <= FIRST_BYTES; fill++) {
            for (int wrap = fill % 7; wrap < FIRST_BYTES; wrap += 511) {
                growAt(fill, wrap);
            }
        }
    }

    @Test
    void shouldGrowAtEveryWrapPosition() throws RingCorruptedException {
        for (int wrap = 0; wrap < FIRST_BYTES; wrap++) {
            for (int fill = wrap % 7; fill <= FIRST_BYTES; fill += 511) {
                growAt(fill, wrap);
            }
            growAt(FIRST_BYTES, wrap);
        }
    }

    /** With {@code fill} bytes unread, the oldest of them at offset {@code wrap}, a message comes that does not fit. */
    private void growAt(int fill, int wrap) throws RingCorruptedException {
        ring.restart(() -> true).advance(wrap);
        assertThat(ring.write(fill)).isEqualTo(fill);
        int rest = CAPACITY - FIRST_BYTES; // behind the first page, which stays as it is until it has been read
        assertThat(ring.write(2 * CAPACITY)).as("fill %d, wrap %d", fill, wrap)
                .isEqualTo(fill == 0 ? CAPACITY : rest);
        assertThat(ring.write(1)).isZero();
        if (fill > 0) {
            assertThat(ring.read(fill - 1)).isEqualTo(fill - 1);
            assertThat(ring.write(1)).as("a byte of the first page is unread").isZero();
            assertThat(ring.read(1)).isEqualTo(1);
            assertThat(ring.write(2 * CAPACITY)).as("the first page has been read").isEqualTo(FIRST_BYTES);
        }
        assertThat(ring.read(2 * CAPACITY)).isEqualTo(CAPACITY);
        assertThat(ring.write(2 * CAPACITY)).isEqualTo(CAPACITY);
        assertThat(ring.read(2 * CAPACITY)).isEqualTo(CAPACITY);
    }

    @Test
    void shouldGoOnWithTheFirstPageWhereGrowthIsRefused() throws RingCorruptedException {
        ring.restart(() -> false);
        for (int wrap = 0; wrap < FIRST_BYTES; wrap += 3) {
            assertThat(ring.write(2 * CAPACITY)).isEqualTo(FIRST_BYTES);
            assertThat(ring.write(1)).isZero();
            assertThat(ring.out().isWritable()).isFalse();
            assertThat(ring.read(1)).isEqualTo(1);
            assertThat(ring.write(2)).isEqualTo(1);
            assertThat(ring.read(2 * CAPACITY)).isEqualTo(FIRST_BYTES);
            ring.advance(3);
        }
        assertThat(ring.control().getAcquire(SlotDescriptor.GROWN_AT)).isZero();
    }

    @Test
    void shouldGrowWhenMemoryIsThereAgain() throws RingCorruptedException {
        AtomicBoolean memory = new AtomicBoolean();
        for (int wrap = 0; wrap < FIRST_BYTES; wrap += 3) {
            memory.set(false);
            ring.restart(memory::get).advance(wrap);
            assertThat(ring.write(2 * CAPACITY)).isEqualTo(FIRST_BYTES);
            assertThat(ring.read(wrap)).isEqualTo(wrap);
            memory.set(true);
            assertThat(ring.out().isWritable()).isTrue();
            assertThat(ring.write(2 * CAPACITY)).isEqualTo(CAPACITY - FIRST_BYTES + (wrap == FIRST_BYTES ? wrap : 0));
            assertThat(ring.read(2 * CAPACITY)).isEqualTo(CAPACITY - wrap);
            assertThat(ring.write(2 * CAPACITY)).isEqualTo(CAPACITY);
            assertThat(ring.read(2 * CAPACITY)).isEqualTo(CAPACITY);
        }
    }

    @Test
    void shouldNotGrowForAByteThatFits() throws RingCorruptedException {
        AtomicBoolean asked = new AtomicBoolean();
        ring.restart(() -> {
            asked.set(true);
            return true;
        });
        for (int i = 0; i < 10 * FIRST_BYTES; i++) {
            ring.advance(1 + i % FIRST_BYTES);
        }
        assertThat(asked).isFalse();
    }

    @Test
    void shouldBeginEachConnectionWithTheFirstPage() throws RingCorruptedException {
        for (int i = 0; i < 3; i++) {
            ring.restart(() -> true).grow();
        }
        ring.restart(() -> false);
        assertThat(ring.write(CAPACITY)).isEqualTo(FIRST_BYTES);
    }
}
