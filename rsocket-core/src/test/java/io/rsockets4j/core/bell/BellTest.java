/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.bell;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.host.Words;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class BellTest {
    private static final int ROUNDS = 20_000;
    private static final long FOREVER = Long.MAX_VALUE;
    /** A sleep as long as this was not rung. */
    private static final long TOO_LONG = Futex.LONGEST_NANOS * 9 / 10;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(BellPage.BYTES).order(ByteOrder.nativeOrder());
    private final Bell bell = Bell.take(new BellPage(memory));
    private final PeerBells peer = new PeerBells(memory.duplicate()); // as if it were another process
    private Futex futex;

    @BeforeEach
    void load() {
        FutexSwitch.on();
        futex = Futex.get();
    }

    private void hostilePeerWrites(int value) {
        memory.putInt(bell.number() * BellPage.BELL_BYTES, value);
    }

    private long sleep() {
        long started = System.nanoTime();
        bell.sleep(futex, FOREVER);
        long took = System.nanoTime() - started;
        bell.awake();
        return took;
    }

    private CompletableFuture<Long> startSleeper() throws Exception {
        CompletableFuture<Long> took = new CompletableFuture<>();
        bell.prepare(false);
        Thread sleeper = new Thread(() -> took.complete(sleep()), "sleeper");
        sleeper.setDaemon(true);
        sleeper.start();
        Eventually.asleepIn(sleeper, "sleep");
        return took;
    }

    @Test
    void shouldNotSleepWhenThisProcessRangAfterPrepare() {
        bell.prepare(false);
        assertThat(bell.ring()).isEqualTo(Bell.ASLEEP);
        assertThat(sleep()).isLessThan(TOO_LONG);
    }

    @Test
    void shouldNotSleepWhenAPeerRangAfterPrepare() {
        bell.prepare(false);
        assertThat(peer.ring(bell.number())).isEqualTo(Bell.ASLEEP);
        assertThat(sleep()).isLessThan(TOO_LONG);
    }

    @Test
    void shouldBeWokenByThisProcess() throws Exception {
        CompletableFuture<Long> took = startSleeper();
        assertThat(bell.ring()).isEqualTo(Bell.ASLEEP);
        assertThat(took.get(15, TimeUnit.SECONDS)).isLessThan(TOO_LONG);
        assertThat(bell.ring()).as("awake").isEqualTo(Bell.AWAKE);
    }

    @Test
    void shouldBeWokenByAPeer() throws Exception {
        CompletableFuture<Long> took = startSleeper();
        assertThat(peer.ring(bell.number())).isEqualTo(Bell.ASLEEP);
        assertThat(took.get(15, TimeUnit.SECONDS)).isLessThan(TOO_LONG);
    }

    @ParameterizedTest
    @ValueSource(ints = {Bell.AWAKE, Bell.ELSEWHERE, 77, -1})
    void shouldBeWokenByThisProcessWhateverAPeerHasWritten(int value) throws Exception {
        CompletableFuture<Long> took = startSleeper();
        hostilePeerWrites(value);
        assertThat(bell.ring()).isEqualTo(Bell.ASLEEP);
        assertThat(took.get(15, TimeUnit.SECONDS)).isLessThan(TOO_LONG);
    }

    @Test
    void shouldBeWokenByThisProcessWhileAPeerChangesTheWord() throws Exception {
        Thread hostile = new Thread(() -> {
            for (int i = 0; !Thread.currentThread().isInterrupted(); i++) {
                hostilePeerWrites(i % 4);
                if (i % 100 == 0) {
                    futex.wake(new Words(memory).address() + (long) bell.number() * BellPage.BELL_BYTES);
                }
            }
        });
        hostile.setDaemon(true);
        hostile.start();
        AtomicInteger rung = new AtomicInteger();
        CompletableFuture<Void> sleeper = CompletableFuture.runAsync(() -> {
            for (int seen = 0; seen < 1000;) {
                bell.prepare(false);
                if (rung.get() == seen) {
                    bell.sleep(futex, FOREVER);
                }
                bell.awake();
                seen = rung.get();
            }
        });
        while (!sleeper.isDone()) {
            rung.incrementAndGet();
            bell.ring();
        }
        sleeper.get(15, TimeUnit.SECONDS);
        hostile.interrupt();
        hostile.join();
        assertThat(rung.get()).isGreaterThanOrEqualTo(1000);
    }

    @Test
    void shouldNotSleepForEverWhereAPeerHasUndoneARing() {
        bell.prepare(false);
        bell.ring();
        hostilePeerWrites(Bell.ASLEEP);
        assertThat(sleep()).isBetween(Futex.LONGEST_NANOS / 2, 2 * Futex.LONGEST_NANOS);
    }

    @Test
    void shouldTellTheFirstRingerThatItsOwnerSleepsElsewhere() {
        bell.prepare(true);
        assertThat(peer.ring(bell.number())).isEqualTo(Bell.ELSEWHERE);
        assertThat(bell.ring()).isEqualTo(Bell.ELSEWHERE);
        assertThat(bell.ring()).as("somebody else wakes it").isEqualTo(Bell.AWAKE);
        assertThat(peer.ring(bell.number())).isEqualTo(Bell.AWAKE);
        bell.prepare(true);
        assertThat(bell.ring()).as("the next time").isEqualTo(Bell.ELSEWHERE);
    }

    @Test
    void shouldTellElsewhereWhateverAPeerHasWritten() {
        bell.prepare(true);
        hostilePeerWrites(Bell.ASLEEP);
        assertThat(bell.ring()).isEqualTo(Bell.ELSEWHERE);
    }

    @Test
    void shouldEndAPrepareWithoutASleep() {
        bell.prepare(false);
        bell.awake();
        assertThat(bell.ring()).isEqualTo(Bell.AWAKE);
        assertThat(peer.ring(bell.number())).isEqualTo(Bell.AWAKE);
    }

    @Test
    void shouldServeOneProcessWithoutAPage() {
        Bell unshared = Bell.unshared();
        assertThat(unshared.number()).isZero();
        unshared.prepare(false);
        assertThat(unshared.ring()).isEqualTo(Bell.ASLEEP);
        unshared.sleep(futex, FOREVER);
        unshared.awake();
        unshared.release();
        assertThat(unshared.ring()).isEqualTo(Bell.AWAKE);
    }

    /** A thread sleeps for each number, which two threads give in turn, one of them as a peer. */
    @Test
    void shouldNeverMissARing() throws Exception {
        AtomicInteger given = new AtomicInteger();
        AtomicInteger taken = new AtomicInteger();
        CompletableFuture<Void> ringer = CompletableFuture.runAsync(() -> {
            for (int round = 1; round <= ROUNDS; round++) {
                given.set(round);
                if (round % 2 == 0) {
                    bell.ring();
                } else {
                    peer.ring(bell.number());
                }
                awaitValue(taken, round);
            }
        });
        for (int round = 1; round <= ROUNDS; round++) {
            while (given.get() < round) {
                bell.prepare(false);
                if (given.get() < round) {
                    assertThat(sleep()).as("the sleep of round %d", round).isLessThan(TOO_LONG);
                } else {
                    bell.awake();
                }
            }
            taken.set(round);
        }
        ringer.get(15, TimeUnit.SECONDS);
    }

    private static void awaitValue(AtomicInteger number, int value) {
        for (int looks = 1; number.get() < value; looks++) {
            if (looks % 1000 == 0) {
                Thread.yield();
            }
        }
    }
}
