/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm.ring;

import static io.rsockets4j.core.shm.ring.SlotDescriptor.CLOSED;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.COUNT;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.FIN;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.FIRST_BYTES;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.GROWN_AT;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.HEAD;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.RESET;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.TAIL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a peer that is broken or hostile may leave in the words of a ring. */
class RingCorruptionTest {
    private static final int CAPACITY = 4 * FIRST_BYTES;

    private final RingPair ring = new RingPair(CAPACITY).restart(() -> true);
    private final ByteBuffer dst = ByteBuffer.allocate(2 * CAPACITY);

    @AfterEach
    void nothingIsStoredOutside() {
        ring.checkGuards();
    }

    @ParameterizedTest
    @ValueSource(longs = {99, 0, 100 + FIRST_BYTES + 1, 100 + CAPACITY, COUNT, COUNT | FIN, 99 | FIN | RESET})
    void shouldRefuseAnImpossibleTailOfTheFirstPage(long tail) throws RingCorruptedException {
        ring.advance(100);
        ring.control().putRelease(TAIL, tail);
        assertThatThrownBy(() -> ring.in().read(dst)).isInstanceOf(RingCorruptedException.class)
                .hasMessageStartingWith("Connection reset: the peer's tail=" + (tail & COUNT) + " is outside 100 to ");
        assertThat(dst.position()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {100 + FIRST_BYTES, 0, 102 + FIRST_BYTES + CAPACITY, COUNT, COUNT | FIN})
    void shouldRefuseAnImpossibleTailOfTheWholeRing(long tail) throws RingCorruptedException {
        ring.advance(100).grow(); // the head is at 101 + FIRST_BYTES
        ring.control().putRelease(TAIL, tail);
        assertThatThrownBy(() -> ring.in().read(dst)).isInstanceOf(RingCorruptedException.class)
                .hasMessage("Connection reset: the peer's tail=" + (tail & COUNT) + " is outside "
                        + (101 + FIRST_BYTES) + " to " + (101 + FIRST_BYTES + CAPACITY));
        assertThat(dst.position()).isZero();
    }

    @Test
    void shouldRefuseATailThatRunsBackwardsOverUnreadBytes() throws RingCorruptedException {
        ring.write(1000);
        ring.in().read(dst.limit(1));
        ring.control().putRelease(TAIL, 999);
        ring.in().read(dst.limit(1000)); // what was seen before is there
        assertThatThrownBy(() -> ring.in().read(dst.clear())).isInstanceOf(RingCorruptedException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {100 - 1, 0, 100 + FIRST_BYTES + 1, COUNT, Long.MAX_VALUE, Long.MIN_VALUE + 1})
    void shouldRefuseAnImpossibleGrowth(long at) throws RingCorruptedException {
        ring.advance(100);
        ring.control().putRelease(GROWN_AT, at + 1);
        ring.control().putRelease(TAIL, 100 + FIRST_BYTES + 1);
        assertThatThrownBy(() -> ring.in().read(dst)).isInstanceOf(RingCorruptedException.class);
        assertThat(dst.position()).isZero();
    }

    @Test
    void shouldHeedOnlyTheFirstGrowth() throws RingCorruptedException {
        ring.grow();
        ring.control().putRelease(GROWN_AT, 12_345);
        ring.write(CAPACITY);
        assertThat(ring.read(2 * CAPACITY)).isEqualTo(CAPACITY);
    }

    @ParameterizedTest
    @ValueSource(longs = {49, 0, 51 + FIRST_BYTES, COUNT, 49 | CLOSED, COUNT | CLOSED | RESET})
    void shouldRefuseAnImpossibleHead(long head) throws RingCorruptedException {
        ring.advance(50);
        ring.write(FIRST_BYTES); // now the sender knows that 50 bytes were read, and has no credit left
        ring.control().putRelease(HEAD, head);
        ByteBuffer src = Payload.of(0, 10);
        assertThatThrownBy(() -> ring.out().write(src)).isInstanceOf(RingCorruptedException.class)
                .hasMessage("Connection reset: the peer's head=" + (head & COUNT) + " is outside 50 to "
                        + (50 + FIRST_BYTES));
        assertThat(src.position()).isZero();
    }

    @Test
    void shouldCallASenderReadyWhoseHeadIsImpossible() throws RingCorruptedException {
        ring.grow();
        ring.write(CAPACITY);
        assertThat(ring.out().isWritable()).isFalse();
        ring.control().putRelease(HEAD, COUNT);
        assertThat(ring.out().isWritable()).as("the error is to be found").isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 99, 100 + FIRST_BYTES + 1, COUNT})
    void shouldCallAReceiverReadyWhoseTailIsImpossible(long tail) throws RingCorruptedException {
        ring.advance(100);
        assertThat(ring.in().isReadable()).isFalse();
        ring.control().putRelease(TAIL, tail);
        assertThat(ring.in().isReadable()).as("the error is to be found").isTrue();
        assertThat(ring.in().available()).isBetween(0, CAPACITY);
    }

    @Test
    void shouldCountByItselfWhatItHasRead() throws RingCorruptedException {
        ring.advance(100);
        ring.control().putRelease(HEAD, 7); // whoever waits would spin for ever
        assertThat(ring.in().isReadable()).isFalse();
        assertThat(ring.in().available()).isZero();
    }

    @Test
    void shouldCountByItselfWhatItHasSent() throws RingCorruptedException {
        ring.grow();
        ring.write(CAPACITY);
        long head = ring.control().getAcquire(HEAD);
        ring.control().putRelease(TAIL, head); // the same for who waits for credit
        ring.control().putRelease(GROWN_AT, 0);
        assertThat(ring.out().isWritable()).isFalse();
    }

    @Test
    void shouldNotCallAStreamFinishedBeforeItsLastByte() throws RingCorruptedException {
        ring.advance(10);
        ring.control().putRelease(TAIL, 11 | FIN);
        assertThat(ring.in().isFinished()).isFalse();
        ring.control().putRelease(TAIL, 9 | FIN);
        assertThat(ring.in().isFinished()).isFalse();
        ring.control().putRelease(TAIL, 10 | FIN | RESET);
        assertThat(ring.in().isFinished()).isTrue();
        assertThat(ring.in().isReset()).isTrue();
    }

    @Test
    void shouldSurviveAnyWords() {
        SplittableRandom seeds = new SplittableRandom();
        int refused = 0;
        for (int round = 0; round < 4000; round++) {
            long seed = seeds.nextLong();
            try {
                ring.restart(() -> true);
                refused += scramble(new SplittableRandom(seed));
                ring.checkGuards();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
        assertThat(refused).isGreaterThan(1000);
    }

    /** Reads and writes while the peer's words become anything; how often that was refused. */
    private int scramble(SplittableRandom random) {
        int refused = 0;
        for (int step = 0; step < 60; step++) {
            int word = new int[] {TAIL, GROWN_AT, HEAD, -1, -1, -1}[random.nextInt(6)];
            if (word >= 0) {
                ring.control().putRelease(word, anyCount(random, ring.control().getAcquire(word)));
            }
            int length = random.nextInt(CAPACITY + 10);
            try {
                dst.clear().limit(length);
                int done = random.nextBoolean() ? ring.in().read(dst) : ring.out().write(dst);
                assertThat(done).isBetween(0, length).isEqualTo(dst.position());
            } catch (RingCorruptedException e) {
                refused++;
            }
            assertThat(ring.in().available()).isBetween(0, CAPACITY);
            ring.in().hasAmpleCredit(); // only must not throw, as the next
            ring.out().isWritable();
        }
        return refused;
    }

    private static long anyCount(SplittableRandom random, long now) {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextLong();
            case 1 -> random.nextLong(2 * CAPACITY);
            case 2 -> now + random.nextInt(-FIRST_BYTES, FIRST_BYTES);
            default -> now ^ 1L << random.nextInt(64);
        };
    }
}
