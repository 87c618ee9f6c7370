/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static io.rsockets4j.core.shm.ring.SlotDescriptor.NOBODY;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.READER_ARM;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.READER_CLOSED;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.SERVICE;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.SLEEPER;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.WRITER_ARM;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.bell.FutexSwitch;
import io.rsockets4j.core.fabric.Waiter;
import io.rsockets4j.core.host.Words;
import io.rsockets4j.core.shm.ring.SlotDescriptor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whom the arm words of a slot name. */
class ShmWaitersTest {
    private final Words in = words();
    private final Words out = words();
    private final ShmWaiters waiters = new ShmWaiters(in, out);
    private final List<Integer> rung = new ArrayList<>();

    private static Words words() {
        return new Words(ByteBuffer.allocateDirect(SlotDescriptor.RING_CONTROL_BYTES));
    }

    @BeforeEach
    void load() {
        FutexSwitch.on();
    }

    private long readerArm() {
        return in.getAcquire(READER_ARM);
    }

    private long writerArm() {
        return out.getAcquire(WRITER_ARM);
    }

    /** Waits with a bell, or with the number 0 where only its own process wakes it. */
    private final class Numbered implements Waiter {
        private final int number;

        Numbered(int number) {
            this.number = number;
        }

        @Override
        public void wake(Object source) {
            rung.add(number);
        }

        @Override
        public int bell() {
            return number;
        }
    }

    @Test
    void shouldNameTheBellOfAWaiterInEachDirectionApart() {
        waiters.arm(OP_READ, new Numbered(3));
        assertThat(readerArm()).isEqualTo(SLEEPER + 3);
        assertThat(writerArm()).isEqualTo(NOBODY);
        waiters.arm(OP_WRITE, new Numbered(4));
        assertThat(writerArm()).isEqualTo(SLEEPER + 4);
        assertThat(in.getAcquire(WRITER_ARM) | out.getAcquire(READER_ARM)).as("the peer's").isZero();
    }

    @Test
    void shouldNameTheServiceThreadForAWaiterWithoutABell() {
        waiters.arm(OP_READ | OP_WRITE, new Numbered(0));
        assertThat(readerArm()).isEqualTo(SERVICE);
        assertThat(writerArm()).isEqualTo(SERVICE);
    }

    @Test
    void shouldNameTheServiceThreadForTwoWaiters() {
        waiters.arm(OP_READ, new Numbered(3));
        waiters.arm(OP_READ, new Numbered(4));
        assertThat(readerArm()).isEqualTo(SERVICE);
        waiters.wake(this);
        assertThat(rung).containsExactlyInAnyOrder(3, 4);
    }

    @Test
    void shouldNameTheServiceThreadForTwoWaitersOfWhichOneWasRungBefore() {
        waiters.arm(OP_READ, new Numbered(3));
        in.putRelease(READER_ARM, NOBODY); // the peer has rung, and the first has not looked yet
        waiters.arm(OP_READ, new Numbered(4));
        assertThat(readerArm()).isEqualTo(SERVICE);
    }

    @Test
    void shouldNameTheOneThatIsLeft() {
        Numbered first = new Numbered(3);
        Numbered second = new Numbered(4);
        waiters.arm(OP_READ, first);
        waiters.arm(OP_READ, second);
        waiters.remove(first);
        waiters.remove(second);
        in.putRelease(READER_ARM, NOBODY); // rung
        waiters.arm(OP_READ, second);
        assertThat(readerArm()).isEqualTo(SLEEPER + 4);
    }

    @Test
    void shouldArmOneWaiterAgainAndAgain() {
        Numbered waiter = new Numbered(3);
        waiters.arm(OP_READ, waiter);
        waiters.arm(OP_READ, waiter);
        assertThat(readerArm()).isEqualTo(SLEEPER + 3);
    }

    @Test
    void shouldNameTheServiceThreadForASelectorThatComesToASleepingThread() {
        assertThat(waiters.sleeper(OP_READ).enter()).isTrue();
        waiters.arm(OP_READ, new Numbered(3));
        assertThat(readerArm()).isEqualTo(SERVICE);
        waiters.sleeper(OP_READ).leave();
        assertThat(readerArm()).as("the selector waits on").isEqualTo(SERVICE);
    }

    @Test
    void shouldNotLetAThreadSleepOnTheWordOfASelector() {
        waiters.arm(OP_WRITE, new Numbered(3));
        assertThat(waiters.sleeper(OP_WRITE).enter()).isFalse();
        waiters.sleeper(OP_WRITE).leave();
        assertThat(writerArm()).isEqualTo(SLEEPER + 3);
    }

    @ParameterizedTest
    @ValueSource(longs = {READER_CLOSED, Long.MIN_VALUE, SERVICE})
    void shouldLeaveTheseWordsAlone(long word) {
        in.putRelease(READER_ARM, word);
        waiters.arm(OP_READ, new Numbered(3));
        assertThat(readerArm()).isEqualTo(word);
    }

    @ParameterizedTest
    @ValueSource(longs = {SLEEPER + 99, 1L << 40, Long.MAX_VALUE})
    void shouldNameTheServiceThreadWhereAPeerHasNamedAnybody(long word) {
        in.putRelease(READER_ARM, word);
        waiters.arm(OP_READ, new Numbered(3));
        assertThat(readerArm()).isEqualTo(SERVICE);
    }

    @Test
    void shouldLeaveAllWordsAloneOnceClosed() {
        waiters.close();
        waiters.arm(OP_READ | OP_WRITE, new Numbered(3));
        assertThat(readerArm()).isEqualTo(NOBODY);
        assertThat(writerArm()).isEqualTo(NOBODY);
    }

    @Test
    void shouldRingThreadsThatSleepInEitherDirection() {
        waiters.sleeper(OP_READ).enter();
        waiters.sleeper(OP_WRITE).enter();
        assertThat(readerArm()).isEqualTo(SLEEPER);
        assertThat(writerArm()).isEqualTo(SLEEPER);
        waiters.wake(this);
        assertThat(readerArm()).isEqualTo(NOBODY);
        assertThat(writerArm()).isEqualTo(NOBODY);
    }
}
