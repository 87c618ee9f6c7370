/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm.ring;

import static io.rsockets4j.core.shm.ring.SlotDescriptor.NOBODY;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.READER_ARM;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.READER_CLOSED;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.SERVICE;
import static io.rsockets4j.core.shm.ring.SlotDescriptor.SLEEPER;
import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.bell.Futex;
import io.rsockets4j.core.bell.FutexSwitch;
import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.host.Words;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(40)
class SlotSleeperTest {
    private static final int ROUNDS = 20_000;
    private static final long FOREVER = Long.MAX_VALUE;
    /** A sleep as long as this was not ended by a ring. */
    private static final long TOO_LONG = Futex.LONGEST_NANOS * 9 / 10;

    private final Words control = new Words(ByteBuffer.allocateDirect(SlotDescriptor.RING_CONTROL_BYTES));
    private final SlotSleeper sleeper = new SlotSleeper(control, READER_ARM);
    private Futex futex;

    @BeforeEach
    void load() {
        FutexSwitch.on();
        futex = Futex.get();
    }

    private long arm() {
        return control.getAcquire(READER_ARM);
    }

    /** As ShmLink.ring does in another process. */
    private void peerRings() {
        if (control.getAndSetVolatile(READER_ARM, NOBODY) == SLEEPER) {
            futex.wake(control.addressOfLowBits(READER_ARM));
        }
    }

    private long sleep() {
        long started = System.nanoTime();
        sleeper.sleep(futex, FOREVER);
        return System.nanoTime() - started;
    }

    @Test
    void shouldSayThatItSleepsUntilItLeaves() {
        assertThat(sleeper.enter()).isTrue();
        assertThat(arm()).isEqualTo(SLEEPER);
        sleeper.leave();
        assertThat(arm()).isEqualTo(NOBODY);
    }

    @ParameterizedTest
    @ValueSource(longs = {SERVICE, SLEEPER + 1, SLEEPER + 900, READER_CLOSED, Long.MAX_VALUE})
    void shouldNotEnterWhereSomebodyElseIsToBeRung(long other) {
        control.putRelease(READER_ARM, other);
        assertThat(sleeper.enter()).isFalse();
        sleeper.leave();
        assertThat(arm()).isEqualTo(other);
    }

    @Test
    void shouldLeaveAnArmAloneThatHasBecomeAnothers() {
        sleeper.enter();
        control.putRelease(READER_ARM, SERVICE);
        sleeper.leave();
        assertThat(arm()).isEqualTo(SERVICE);
    }

    @Test
    void shouldRingNobodyWhereNobodySleeps() {
        control.putRelease(READER_ARM, SLEEPER); // another connection's by now
        sleeper.wake();
        assertThat(arm()).isEqualTo(SLEEPER);
    }

    @Test
    void shouldNotSleepWhenAPeerHasRungMeanwhile() {
        sleeper.enter();
        peerRings();
        assertThat(sleep()).isLessThan(TOO_LONG);
    }

    @Test
    void shouldNotSleepWhenRungFromWithinMeanwhile() {
        sleeper.enter();
        sleeper.wake();
        assertThat(sleep()).isLessThan(TOO_LONG);
    }

    @ParameterizedTest
    @ValueSource(longs = {SLEEPER, NOBODY, SERVICE, 77, READER_CLOSED})
    void shouldBeWokenFromWithinWhateverAPeerHasWritten(long written) throws Exception {
        sleeper.enter();
        CompletableFuture<Long> took = new CompletableFuture<>();
        Thread thread = new Thread(() -> took.complete(sleep()), "sleeper");
        thread.setDaemon(true);
        thread.start();
        Eventually.asleepIn(thread, "sleep");
        control.putRelease(READER_ARM, written);
        sleeper.wake();
        assertThat(took.get(15, TimeUnit.SECONDS)).isLessThan(TOO_LONG);
    }

    @Test
    void shouldNotSleepForEverWhereAPeerHasUndoneARing() {
        sleeper.enter();
        sleeper.wake();
        control.putRelease(READER_ARM, SLEEPER);
        assertThat(sleep()).isBetween(Futex.LONGEST_NANOS / 2, 2 * Futex.LONGEST_NANOS);
    }

    @Test
    void shouldSleepNoLongerThanTold() {
        sleeper.enter();
        long started = System.nanoTime();
        sleeper.sleep(futex, 1_000_000);
        assertThat(System.nanoTime() - started).isLessThan(TOO_LONG);
        sleeper.sleep(futex, 0);
        sleeper.sleep(futex, -1);
        sleeper.leave();
        assertThat(arm()).isEqualTo(NOBODY);
    }

    /** Rings come at any instant: before the announcement, between the look and the sleep, and during the sleep. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNeverMissARing(boolean fromWithin) throws Exception {
        AtomicInteger given = new AtomicInteger();
        AtomicInteger taken = new AtomicInteger();
        CompletableFuture<Void> ringer = CompletableFuture.runAsync(() -> {
            for (int round = 1; round <= ROUNDS; round++) {
                pause(round);
                given.setPlain(round);
                VarHandle.fullFence(); // as in ShmLink.send and in RingLink.wake
                if (fromWithin) {
                    sleeper.wake();
                } else if (arm() != NOBODY) {
                    peerRings();
                }
                awaitValue(taken, round);
            }
        });
        int slept = 0;
        for (int round = 1; round <= ROUNDS; round++) {
            while (given.get() < round) {
                assertThat(sleeper.enter()).isTrue();
                pause(round / 3);
                if (given.get() < round) {
                    assertThat(sleep()).as("the sleep of round %d", round).isLessThan(TOO_LONG);
                    slept++;
                }
                sleeper.leave();
            }
            taken.set(round);
        }
        ringer.get(15, TimeUnit.SECONDS);
        assertThat(slept).as("sleeps").isGreaterThan(100);
    }

    private static void pause(int round) {
        for (int i = 0; i < round % 97; i++) {
            Thread.onSpinWait();
        }
    }

    private static void awaitValue(AtomicInteger number, int value) {
        for (int looks = 1; number.get() < value; looks++) {
            if (looks % 1000 == 0) {
                Thread.yield();
            }
        }
    }
}
