/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm.ring;

import static io.rsockets4j.core.shm.ring.SlotDescriptor.FIRST_BYTES;

import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random schedules of writes and reads, of which every byte and every answer is checked. */
class RingScheduleTest {
    private static final int SCHEDULES = 3000;
    private static final int STEPS = 120;

    private final SplittableRandom seeds = new SplittableRandom();

    @ParameterizedTest
    @ValueSource(ints = {2 * FIRST_BYTES, 4 * FIRST_BYTES, 16 * FIRST_BYTES})
    void shouldCarryEveryByteOfEverySchedule(int capacity) {
        RingPair ring = new RingPair(capacity);
        for (int i = 0; i < SCHEDULES; i++) {
            long seed = seeds.nextLong();
            try {
                new Schedule(ring, seed).run();
            } catch (RingCorruptedException | RuntimeException | AssertionError e) {
                throw new AssertionError("new Schedule(new RingPair(" + capacity + "), " + seed + "L).run()", e);
            }
        }
    }

    private static final class Schedule {
        private final RingPair ring;
        private final SplittableRandom random;
        private final int refusals;
        private final int writeBias;
        private int writes;
        private boolean grown;

        Schedule(RingPair ring, long seed) {
            this.ring = ring;
            this.random = new SplittableRandom(seed);
            this.refusals = random.nextInt(4) == 0 ? random.nextInt(20) : 0;
            this.writeBias = 1 + random.nextInt(9);
        }

        void run() throws RingCorruptedException {
            ring.restart(this::commitWhole);
            int warmUp = random.nextInt(2 * FIRST_BYTES);
            ring.advance(warmUp / 2).advance(warmUp - warmUp / 2);
            for (int step = 0; step < STEPS; step++) {
                if (random.nextInt(10) < writeBias) {
                    write(length());
                } else {
                    read(length());
                }
                checkLook();
            }
            ring.read(2 * ring.capacity());
            require(ring.inFlight() == 0, "everything is read in the end");
            require(ring.out().isDrained(), "the sender sees that");
            ring.checkGuards();
        }

        private boolean commitWhole() {
            return writes >= refusals;
        }

        private int length() {
            return switch (random.nextInt(4)) {
                case 0 -> random.nextInt(8);
                case 1 -> random.nextInt(FIRST_BYTES + 2);
                case 2 -> FIRST_BYTES - 2 + random.nextInt(5);
                default -> random.nextInt(ring.capacity() + ring.capacity() / 4);
            };
        }

        private void write(int length) throws RingCorruptedException {
            writes++;
            int before = ring.inFlight();
            boolean writable = ring.out().isWritable();
            int written = ring.write(length);
            grown |= ring.control().getAcquire(SlotDescriptor.GROWN_AT) != 0;
            require(ring.inFlight() <= (grown ? ring.capacity() : FIRST_BYTES), "no more than fits is on its way");
            require(length == 0 || !writable || written > 0, "what is called writable takes something");
            require(writable || before > 0, "an empty ring is writable");
            require(before > 0 || written >= Math.min(length, FIRST_BYTES), "an empty ring takes a page at least");
            if (grown && before == 0 && length <= ring.capacity()) {
                require(written == length, "an empty ring takes whatever it can hold");
            }
        }

        private void read(int length) throws RingCorruptedException {
            boolean wasWritable = ring.out().isWritable();
            int before = ring.inFlight();
            int read = ring.read(length);
            require(read == Math.min(length, before), "all that was sent can be read");
            if (read > 0 && !wasWritable && ring.out().isWritable()) {
                require(ring.in().hasAmpleCredit(), "a reader knows when the writer may go on");
            }
        }

        private void checkLook() {
            require(ring.in().isReadable() == ring.inFlight() > 0, "readable when there is something to read");
            require(ring.in().available() == ring.inFlight(), "available is what is there");
            require(ring.out().isDrained() == (ring.inFlight() == 0), "drained when everything was read");
            require(!ring.in().isFinished(), "not finished");
        }

        private static void require(boolean holds, String what) {
            if (!holds) {
                throw new AssertionError("not true: " + what);
            }
        }
    }
}
