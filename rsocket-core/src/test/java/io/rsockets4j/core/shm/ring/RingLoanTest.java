/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm.ring;

import static io.rsockets4j.core.shm.ring.SlotDescriptor.FIRST_BYTES;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.LENT;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.LOANS;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.MAX_LOANS;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.RECLAIMED;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.TAKES_LOANS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parts of a stream that are lent instead of copied into the ring. */
@Timeout(60)
class RingLoanTest {
    private static final int CAPACITY = 2 * FIRST_BYTES;
    private static final int MEMORY = 7;
    private static final int MEMORY_BYTES = 16 * CAPACITY;
    private static final int SCHEDULES = 2000;
    private static final int STEPS = 80;

    /** One that is as long as the memory, as far as anybody asks. */
    private static final File FILE = new File("memory") {
        @Override
        public long length() {
            return MEMORY_BYTES;
        }
    };

    private final ByteBuffer memory = ByteBuffer.allocateDirect(MEMORY_BYTES);
    private final ByteBuffer dst = ByteBuffer.allocate(MEMORY_BYTES);
    private final RingPair ring = new RingPair(CAPACITY);

    {
        begin(ring, memory);
    }

    private static void begin(RingPair ring, ByteBuffer memory) {
        ring.restart(() -> true).in().takeLoans(number -> number == MEMORY ? new Borrowed(memory, FILE) : null);
    }

    @AfterEach
    void nothingIsStoredOutside() {
        ring.checkGuards();
    }

    /** Lends a part of the memory that holds the bytes of the stream from a position on. */
    private ByteBuffer lend(int offset, int length, long position) throws RingCorruptedException {
        ByteBuffer part = Payload.fill(memory.slice(offset, length), position).flip();
        assertThat(ring.out().lend(part, MEMORY, offset)).isTrue();
        return part;
    }

    private void read(int wanted, int expected, long position) throws RingCorruptedException {
        assertThat(ring.in().read(dst.clear().limit(wanted))).isEqualTo(expected);
        Payload.check(dst.flip(), position);
    }

    @Test
    void shouldTakeALoanInItsPlace() throws RingCorruptedException {
        assertThat(ring.write(100)).isEqualTo(100);
        ByteBuffer part = lend(50, 3 * CAPACITY, 100);
        assertThat(ring.out().isWritable()).as("nothing is sent before the loan is taken").isFalse();
        assertThat(ring.in().isReadable()).isTrue();
        read(10 * CAPACITY, 100 + 3 * CAPACITY, 0);
        assertThat(ring.out().isWritable()).isTrue();
        assertThat(ring.in().hasAmpleCredit()).as("who waits is woken").isTrue();
        assertThat(ring.out().write(part)).isEqualTo(3 * CAPACITY);
        assertThat(part.hasRemaining()).isFalse();
        assertThat(ring.out().sent()).isEqualTo(ring.in().received()).isEqualTo(100 + 3 * CAPACITY);
        assertThat(ring.out().lent()).isEqualTo(ring.in().borrowed()).isEqualTo(3 * CAPACITY);
        assertThat(ring.in().isReadable()).isFalse();
        assertThat(ring.out().isDrained()).isTrue();
    }

    @Test
    void shouldEndALoanOnlyOnceAllOfItIsTaken() throws RingCorruptedException {
        ByteBuffer part = lend(0, 1000, 0);
        read(999, 999, 0);
        assertThat(ring.out().isWritable()).isFalse();
        assertThat(ring.out().write(part)).isZero();
        assertThat(part.remaining()).isEqualTo(1000);
        read(10, 1, 999);
        assertThat(ring.out().write(part)).isEqualTo(1000);
    }

    @Test
    void shouldLendOnlySoMuchAtATime() throws RingCorruptedException {
        ByteBuffer[] parts = new ByteBuffer[MAX_LOANS];
        for (int i = 0; i < MAX_LOANS; i++) {
            parts[i] = lend(i * 1000, 1000, i * 1000);
        }
        assertThat(ring.out().lend(memory.slice(0, 9), MEMORY, 0)).isFalse();
        assertThat(ring.out().lend(parts[2], MEMORY, 2000)).as("it is lent already").isTrue();
        read(5000, 4000, 0);
        assertThat(ring.out().write(parts[1])).as("not the oldest").isZero();
        for (ByteBuffer part : parts) {
            assertThat(ring.out().write(part)).isEqualTo(1000);
        }
        assertThat(ring.write(10)).isEqualTo(10);
    }

    @Test
    void shouldLendNothingToWhoTakesNoLoans() throws RingCorruptedException {
        ring.restart(() -> true);
        assertThat(ring.out().lend(memory.slice(0, 9), MEMORY, 0)).isFalse();
        assertThat(ring.in().isReadable()).isFalse();
    }

    // ---- what the sender takes back

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 999, 1000, 1500})
    void shouldCountWhatWasTakenBeforeItIsTakenBack(int taken) throws RingCorruptedException {
        ByteBuffer first = lend(0, 1000, 0);
        ByteBuffer second = lend(1000, 1000, 1000);
        read(taken, taken, 0);
        ring.out().reclaim();
        ring.out().reclaim();
        assertThat(first.position()).isEqualTo(Math.min(taken, 1000));
        assertThat(second.position()).isEqualTo(Math.max(0, taken - 1000));
        assertThat(ring.out().sent()).as("what the peer has, and the bytes that stand for loans").isEqualTo(taken);
        assertThat(ring.out().lent()).isEqualTo(taken);
        Payload.fill(memory.clear(), 12_345);
        assertThat(ring.in().read(dst.clear())).as("the rest").isZero();
        assertThat(ring.in().isReadable()).isFalse();
        assertThat(ring.in().received()).isEqualTo(taken);
        assertThat(ring.out().lend(memory.slice(0, 9), MEMORY, 0)).as("lends no more").isFalse();
    }

    @Test
    void shouldEndTheStreamBehindWhatWasTakenBack() throws RingCorruptedException {
        lend(0, 1000, 0);
        read(400, 400, 0);
        ring.out().reclaim();
        ring.out().finish(false);
        assertThat(ring.in().isFinished()).isFalse();
        assertThat(ring.in().read(dst.clear())).isZero();
        assertThat(ring.in().isFinished()).isTrue();
    }

    /** Its process ends, or has ended before this side has mapped the memory: nothing can come behind that. */
    @Test
    void shouldEndTheStreamBeforeMemoryThatIsGone() throws RingCorruptedException {
        ring.write(10);
        lend(0, 1000, 10);
        ring.control().putRelease(SlotDescriptor.loanPlace(0), 8L << 32 | 10);
        ring.out().finish(false);
        read(2000, 10, 0);
        assertThat(ring.in().read(dst.clear())).isZero();
        assertThat(ring.in().isFinished()).isTrue();
    }

    /** Nothing is lost where this process has no descriptor left. */
    @Test
    void shouldWaitForMemoryThatCannotBeMappedNow() throws RingCorruptedException {
        boolean[] lacks = {true};
        ring.restart(() -> true).in().takeLoans(number -> lacks[0] ? Borrowed.LATER : new Borrowed(memory, FILE));
        ring.write(10);
        lend(0, 1000, 10);
        read(2000, 10, 0);
        read(2000, 0, 10);
        assertThat(ring.in().isReadable()).isTrue();
        lacks[0] = false;
        read(2000, 1000, 10);
    }

    // ---- a peer that is broken or hostile

    @ParameterizedTest
    @CsvSource({"7, 0, 0", "7, -1, 1", "7, 0, -1", "7, 131072, 1", "7, 131071, 2", "7, 1, 131072",
        "7, 2147483647, 2147483647"})
    void shouldRefuseALoanThatIsNotInMemory(int number, int offset, int length) throws RingCorruptedException {
        assertThat(MEMORY_BYTES).isEqualTo(131_072);
        lend(0, 1000, 0);
        ring.control().putRelease(SlotDescriptor.loanPlace(0), (long) number << 32);
        ring.control().putRelease(SlotDescriptor.loanRange(0), (long) offset << 32 | length & 0xffffffffL);
        assertThatThrownBy(() -> ring.in().read(dst)).isInstanceOf(RingCorruptedException.class)
                .hasMessageStartingWith("Connection reset: the peer's loan of ");
        assertThat(dst.position()).isZero();
    }

    @Test
    void shouldRefuseWhatIsNoMemory() throws RingCorruptedException {
        ring.restart(() -> true).in().takeLoans(number -> Borrowed.NONE);
        lend(0, 1, 0);
        assertThatThrownBy(() -> ring.in().read(dst)).isInstanceOf(RingCorruptedException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 0, 6, Long.MAX_VALUE})
    void shouldRefuseAnImpossibleCountOfLoans(long loans) throws RingCorruptedException {
        lend(0, 1000, 0);
        read(1000, 1000, 0);
        ring.control().putRelease(LOANS, loans);
        assertThatThrownBy(() -> ring.in().read(dst.clear())).isInstanceOf(RingCorruptedException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, TAKES_LOANS | 9, RECLAIMED, RECLAIMED | TAKES_LOANS | 11, -1})
    void shouldRefuseASenderThatCountsForTheReceiver(long lent) throws RingCorruptedException {
        lend(0, 1000, 0);
        read(10, 10, 0);
        ring.control().putRelease(LENT, lent);
        assertThatThrownBy(() -> ring.in().read(dst.clear())).isInstanceOf(RingCorruptedException.class);
        assertThat(ring.in().received()).isEqualTo(10);
    }

    @ParameterizedTest
    @ValueSource(longs = {1001, Long.MAX_VALUE, 9})
    void shouldRefuseAReceiverThatClaimsToHaveWhatWasNotLent(long lent) throws RingCorruptedException {
        ByteBuffer part = lend(0, 1000, 0);
        read(10, 10, 0);
        assertThat(ring.out().write(part)).isZero();
        ring.control().putRelease(LENT, lent);
        assertThat(ring.out().isWritable() || lent < 1000).as("the error is to be found").isTrue();
        assertThatThrownBy(() -> ring.out().write(part)).isInstanceOf(RingCorruptedException.class);
        ring.out().reclaim();
        assertThat(part.position()).isBetween(0, 1000);
    }

    @Test
    void shouldSurviveAnyWords() {
        SplittableRandom seeds = new SplittableRandom();
        int refused = 0;
        for (int round = 0; round < SCHEDULES; round++) {
            long seed = seeds.nextLong();
            try {
                begin(ring, memory);
                refused += scramble(new SplittableRandom(seed));
                ring.checkGuards();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
        assertThat(refused).isGreaterThan(SCHEDULES / 4);
    }

    private int scramble(SplittableRandom random) {
        int refused = 0;
        int[] words = {SlotDescriptor.TAIL, SlotDescriptor.HEAD, LOANS, LENT, SlotDescriptor.loanPlace(0),
            SlotDescriptor.loanRange(0), SlotDescriptor.loanPlace(3), SlotDescriptor.loanRange(3)};
        for (int step = 0; step < STEPS; step++) {
            if (random.nextInt(3) == 0) {
                int word = words[random.nextInt(words.length)];
                long now = ring.control().getAcquire(word);
                ring.control().putRelease(word, random.nextBoolean() ? now + random.nextInt(-2, 3)
                        : now ^ 1L << random.nextInt(64));
            }
            int length = 1 + random.nextInt(CAPACITY);
            try {
                switch (random.nextInt(4)) {
                    case 0 -> ring.out().lend(memory.slice(0, length), MEMORY, 0);
                    case 1 -> ring.out().write(memory.slice(0, length));
                    default -> assertThat(ring.in().read(dst.clear().limit(length))).isBetween(0, length);
                }
            } catch (RingCorruptedException e) {
                refused++;
            }
            ring.out().isWritable(); // only must not throw
        }
        return refused;
    }

    // ---- any order of all of them

    @Test
    void shouldCarryEveryByteOfEverySchedule() {
        SplittableRandom seeds = new SplittableRandom();
        for (int i = 0; i < SCHEDULES; i++) {
            long seed = seeds.nextLong();
            begin(ring, memory);
            try {
                new Schedule(seed).run();
            } catch (RingCorruptedException | RuntimeException | AssertionError e) {
                throw new AssertionError("new Schedule(" + seed + "L).run()", e);
            }
        }
    }

    /** Bytes by the ring and by loans, as one stream; at last it is drained, or taken back. */
    private final class Schedule {
        private final SplittableRandom random;
        private final ByteBuffer[] lent = new ByteBuffer[MAX_LOANS];
        private int oldest;
        private int next;
        private long sent; // with all that is lent
        private long received;

        Schedule(long seed) {
            random = new SplittableRandom(seed);
        }

        void run() throws RingCorruptedException {
            for (int step = 0; step < STEPS; step++) {
                switch (random.nextInt(3)) {
                    case 0 -> lendNext();
                    case 1 -> write();
                    default -> readSome(1 + random.nextInt(random.nextBoolean() ? 100 : 3 * CAPACITY));
                }
            }
            long before = received;
            if (random.nextBoolean()) {
                ring.out().reclaim();
                long left = 0;
                for (int i = oldest; i < next; i++) {
                    left += lent[i % MAX_LOANS].remaining();
                }
                assertThat(sent - left).as("what is not with the program again").isGreaterThanOrEqualTo(received);
                Payload.fill(memory.clear(), 99); // what is copied now would be wrong
                readSome(MEMORY_BYTES);
                assertThat(ring.in().isReadable()).isFalse();
                return;
            }
            readSome(MEMORY_BYTES);
            assertThat(received).isEqualTo(sent).isGreaterThanOrEqualTo(before);
            endLoans();
            assertThat(oldest).isEqualTo(next);
            assertThat(ring.out().isWritable()).isTrue();
        }

        private void lendNext() throws RingCorruptedException {
            endLoans();
            int offset = next % MAX_LOANS * (MEMORY_BYTES / MAX_LOANS);
            if (next - oldest == MAX_LOANS) {
                assertThat(ring.out().lend(memory.slice(offset, 1), MEMORY, offset)).isFalse();
                return;
            }
            int length = 1 + random.nextInt(MEMORY_BYTES / MAX_LOANS / 2);
            ByteBuffer part = Payload.fill(memory.slice(offset, length), sent).flip();
            if (ring.out().lend(part, MEMORY, offset)) {
                lent[next++ % MAX_LOANS] = part;
                sent += length;
            }
        }

        /** Ends loans that are taken, as a program's next sends do. */
        private void endLoans() throws RingCorruptedException {
            while (oldest < next) {
                ByteBuffer part = lent[oldest % MAX_LOANS];
                int length = part.remaining();
                boolean ready = ring.out().isWritable();
                int done = ring.out().write(part);
                assertThat(done).isEqualTo(ready ? length : 0);
                if (!ready) {
                    return;
                }
                oldest++;
            }
        }

        private void write() throws RingCorruptedException {
            endLoans();
            ByteBuffer src = Payload.of(sent, random.nextInt(CAPACITY));
            int done = ring.out().write(src);
            assertThat(done == 0 || oldest == next).as("nothing goes by the ring behind a loan").isTrue();
            sent += done;
        }

        private void readSome(int length) throws RingCorruptedException {
            int done = ring.in().read(dst.clear().limit(length));
            Payload.check(dst.flip(), received);
            received += done;
            assertThat(ring.in().received()).isEqualTo(received);
        }
    }
}
