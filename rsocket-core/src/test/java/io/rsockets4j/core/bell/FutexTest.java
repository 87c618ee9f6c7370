/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.bell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.host.Words;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class FutexTest {
    private static final long HOUR = TimeUnit.HOURS.toNanos(1);
    private static final long JOIN_MILLIS = 15_000;

    private final Words word = new Words(ByteBuffer.allocateDirect(Long.BYTES));
    private final long address = word.address();
    private Futex futex;

    @BeforeEach
    void load() {
        FutexSwitch.on();
        futex = Futex.get();
    }

    @Test
    void shouldBeThereOnceLoaded() {
        assertThat(Futex.load()).isNull();
        assertThat(futex).isNotNull().isSameAs(Futex.get());
    }

    @Test
    void shouldNotSleepWhereTheWordHasAnotherValue() {
        long started = System.nanoTime();
        futex.sleep(address, 1, HOUR);
        futex.sleep(address, 1, Long.MAX_VALUE);
        assertThat(System.nanoTime() - started).isLessThan(HOUR);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 999_999, 1_000_000, 20_000_000, 1_030_000_000})
    void shouldSleepUntilTheTimeIsOver(long nanos) {
        long took;
        int sleeps = 0;
        do { // one of them may return for no reason
            long started = System.nanoTime();
            futex.sleep(address, 0, nanos);
            took = System.nanoTime() - started;
            sleeps++;
        } while (took < nanos && sleeps < 3);
        assertThat(took).isBetween(nanos, nanos + TimeUnit.SECONDS.toNanos(10));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void shouldNotSleepWhereTheTimeIsOver(long nanos) {
        long started = System.nanoTime();
        futex.sleep(address, 0, nanos);
        assertThat(System.nanoTime() - started).isLessThan(TimeUnit.SECONDS.toNanos(10));
    }

    @ParameterizedTest
    @ValueSource(longs = {3_600_000_000_000L, Long.MAX_VALUE})
    void shouldEndALongSleepByAWakeFromAnotherThread(long nanos) throws Exception {
        Thread sleeper = startSleeper(address, nanos);
        word.putIntVolatile(0, 1);
        futex.wake(address);
        sleeper.join(JOIN_MILLIS);
        assertThat(sleeper.isAlive()).isFalse();
    }

    @Test
    void shouldWakeAllWhoSleep() throws Exception {
        List<Thread> sleepers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            sleepers.add(startSleeper(address, HOUR));
        }
        word.putIntVolatile(0, 1);
        futex.wake(address);
        for (Thread sleeper : sleepers) {
            sleeper.join(JOIN_MILLIS);
            assertThat(sleeper.isAlive()).isFalse();
        }
    }

    @Test
    void shouldSleepOnTheLowBitsOfALongWord() throws Exception {
        long lowBits = word.addressOfLowBits(0);
        word.putRelease(0, 1L << 32);
        Thread sleeper = startSleeper(lowBits, HOUR);
        word.putRelease(0, 1L << 32 | 1);
        futex.wake(lowBits);
        sleeper.join(JOIN_MILLIS);
        assertThat(sleeper.isAlive()).isFalse();
    }

    /** The value that it expects is 0: see that the high bits do not count. */
    private Thread startSleeper(long where, long nanos) throws Exception {
        Thread sleeper = new Thread(() -> {
            while (word.getIntVolatile(0) == 0 || word.getAcquire(0) == 1L << 32) {
                futex.sleep(where, 0, nanos);
            }
        }, "sleeper");
        sleeper.setDaemon(true);
        sleeper.start();
        Eventually.asleepIn(sleeper, "sleep");
        return sleeper;
    }

    @Test
    void shouldNotMindAnInterrupt() {
        long nanos = TimeUnit.MILLISECONDS.toNanos(30);
        Thread.currentThread().interrupt();
        long started = System.nanoTime();
        futex.sleep(address, 0, nanos);
        long took = System.nanoTime() - started;
        assertThat(Thread.interrupted()).isTrue();
        assertThat(took).isGreaterThanOrEqualTo(nanos);
    }

    @ParameterizedTest
    @CsvSource({"amd64, 202", "x86_64, 202", "aarch64, 98", "riscv64, 98"})
    void shouldKnowTheNumberOfTheCall(String machine, long number) {
        assertThat(FutexCall.number(machine)).isEqualTo(number);
    }

    @Test
    void shouldNotGuessTheNumberOfTheCall() {
        assertThatThrownBy(() -> FutexCall.number("s390x"))
                .isInstanceOf(UnsupportedOperationException.class).hasMessageContaining("s390x");
    }

    @Test
    void shouldNotUseACallThatTheHostForbids() {
        Futex forbidden = new Futex((where, operation, value, timeLimit) -> -1); // as syscall(2) says of any error
        assertThatThrownBy(forbidden::tryOut)
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("the host forbids");
        assertThat(forbidden.wake(address)).as("a word was there").isFalse();
    }

    @Test
    void shouldTellWhyThereIsNone() {
        FutexSwitch.off();
        Futex.failure = null;
        try {
            assertThat(Futex.load("s390x")).isEqualTo("threads sleep without a futex on s390x");
            assertThat(Futex.load()).as("not tried again").contains("s390x");
        } finally {
            FutexSwitch.on();
        }
    }
}
