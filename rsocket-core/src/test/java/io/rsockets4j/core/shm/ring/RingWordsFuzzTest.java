/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm.ring;

import static io.rsockets4j.core.shm.ring.SlotDescriptor.COUNT;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.FIRST_BYTES;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.GROWN_AT;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.HEAD;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.PASSED;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.TAIL;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.URGENT;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import java.nio.ByteBuffer;

/**
 * Whatever a peer writes into a ring's words, between what the program reads and writes: counts stay within the ring,
 * no byte is stored outside, or the peer is found out.
 */
class RingWordsFuzzTest {
    private static final int CAPACITY = 4 * FIRST_BYTES;
    private static final int[] WORDS = {TAIL, HEAD, GROWN_AT, URGENT, PASSED};
    private static final int SIZE = 2 * CAPACITY - 1;

    private final RingPair ring = new RingPair(CAPACITY);
    private final ByteBuffer scratch = ByteBuffer.allocate(SIZE + 1);

    @FuzzTest(maxDuration = "1h", maxExecutions = 1_000_000)
    void shouldKeepWithinBoundsOrRefuse(byte @NotNull [] data) {
        ring.restart(() -> true);
        ByteBuffer script = ByteBuffer.wrap(data);
        try {
            while (script.remaining() > Long.BYTES) {
                step(script.get(), script.getLong());
                look();
            }
        } catch (RingCorruptedException e) {
            assertThat(e).hasMessageStartingWith("Connection reset: the peer's ");
        }
        ring.checkGuards();
    }

    private void step(byte kind, long value) throws RingCorruptedException {
        switch (kind & 7) {
            case 0 -> ring.out().write(scratch.clear().limit((int) (value & SIZE)));
            case 1 -> ring.in().read(scratch.clear().limit((int) (value & SIZE)));
            case 2 -> ring.out().markUrgent();
            case 3 -> ring.in().urgentInline((value & 1) != 0);
            default -> {
                int word = WORDS[Math.floorMod(value, WORDS.length)];
                // Near to what is there, or anything at all.
                long base = (kind & 4) != 0 && (kind & 1) != 0 ? ring.control().getAcquire(word) : 0;
                ring.control().putRelease(word, base + value / WORDS.length);
            }
        }
    }

    /** What any thread may ask. */
    private void look() {
        assertThat(ring.in().available()).isBetween(0, CAPACITY);
        assertThat(ring.out().credit()).isBetween(0L, (long) CAPACITY);
        assertThat(ring.in().head()).isBetween(0L, COUNT);
        if (!ring.in().isReadable()) {
            assertThat(ring.in().isFinished()).as("finished, but not readable").isFalse();
        }
        if (!ring.out().isWritable()) {
            assertThat(ring.out().isPeerClosed()).as("closed, but not writable").isFalse();
        }
    }
}
