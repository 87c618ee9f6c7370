/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SpinHistoryTest {
    private static final long FULL = 50_000;
    private static final long LONG = SpinHistory.LONG_NANOS;

    private final FakeLink link = new FakeLink();
    private final AtomicLong clock = new AtomicLong();
    private final AtomicInteger runnable = new AtomicInteger(1);

    /** Spins for so long in real time, while nobody else runs. */
    private static SpinPolicy realTime(long maxNanos, int processors) {
        return new SpinPolicy(maxNanos, processors, 2, System::nanoTime, now -> 1);
    }

    @Test
    void shouldSeeWhatBecomesReadyWhileItSpins() {
        link.readyAfter(OP_WRITE, 100);
        assertThat(new SpinHistory(realTime(1_000_000_000, 2)).spin(link, OP_WRITE, false)).isTrue();
    }

    @Test
    void shouldLeaveTheLookToTheSleepWhereSpinningIsNotAllowed() {
        link.readyAfter(OP_READ, 0);
        assertThat(new SpinHistory(realTime(50_000, 1)).spin(link, OP_READ, false)).isFalse();
        assertThat(link.looks()).isZero();
    }

    @Test
    void shouldEndWithoutSuccessAndLeaveItsPlaceToOthers() {
        SpinPolicy policy = realTime(20_000, 2);
        SpinHistory history = new SpinHistory(policy);
        for (int i = 0; i < 20; i++) {
            link.readyAfter(OP_READ, Long.MAX_VALUE);
            assertThat(history.spin(link, OP_READ, i % 2 == 0)).isFalse();
        }
        assertThat(policy.begin(System.nanoTime())).isTrue();
    }

    @Test
    void shouldYieldAlsoWhereItMayNotSpin() {
        assertThat(new SpinHistory(realTime(0, 1)).yieldTurn(0)).isTrue();
        assertThat(new SpinHistory(realTime(50_000, 2).onAnyCore()).yieldTurn(0)).as("over RDMA").isFalse();
    }

    @Test
    void shouldRestTwiceAsLongEachTimeThatItsYieldsAreInVain() {
        SpinHistory history = history();
        for (int rest : new int[] {1, 3, 7, 15, 31, 63, 127, 255, 255}) {
            assertThat(history.yieldTurn(0)).isTrue();
            assertThat(history.yieldTurn(1)).as("the second of one wait").isTrue();
            for (int i = 0; i < rest; i++) {
                assertThat(history.yieldTurn(0)).as("wait %d of a rest of %d", i, rest).isFalse();
            }
        }
    }

    @Test
    void shouldYieldInEachWaitOnceThatHasPaid() {
        SpinHistory history = history();
        history.yieldTurn(0);
        assertThat(history.yieldTurn(0)).isFalse();
        for (int i = 0; i < 5; i++) {
            assertThat(history.yieldTurn(0)).isTrue();
            history.yieldPaid();
        }
        history.yieldTurn(0);
        assertThat(history.yieldTurn(0)).isFalse();
        assertThat(history.yieldTurn(0)).as("after the shortest rest").isTrue();
    }

    @Test
    void shouldRestLongOnceAYieldHasWaitedForAThreadThatComputes() {
        SpinHistory history = whoseYieldsTake(1_500_000);
        assertThat(history.yieldTurn(0)).isTrue();
        history.yieldPaid();
        for (int i = 0; i < 255; i++) {
            assertThat(history.yieldTurn(0)).as("wait %d", i).isFalse();
        }
        assertThat(history.yieldTurn(0)).isTrue();
    }

    @Test
    void shouldYieldAgainAfterALongYieldWhereManyTakeTheirTurns() {
        SpinHistory history = whoseYieldsTake(1_500_000);
        runnable.set(5);
        for (int i = 0; i < 3; i++) {
            assertThat(history.yieldTurn(0)).isTrue();
            history.yieldPaid();
        }
    }

    @Test
    void shouldNotSpinAfterAPause() {
        SpinHistory history = history();
        assertThat(history.begin()).as("the first").isEqualTo(FULL);
        history.end(true);
        clock.addAndGet(10 * FULL);
        assertThat(history.begin()).as("soon").isEqualTo(FULL);
        history.end(true);
        clock.addAndGet(10 * FULL + 1);
        assertThat(history.begin()).as("after a pause").isZero();
        assertThat(history.begin()).as("after that").isEqualTo(FULL);
    }

    @Test
    void shouldSpinHalfAsLongEachTimeForAPeerWithNothingToSay() {
        SpinHistory history = history();
        assertThat(comeLate(history)).isEqualTo(FULL);
        assertThat(comeLate(history)).isEqualTo(FULL / 2);
        assertThat(comeLate(history)).isEqualTo(FULL / 4);
        for (int i = 0; i < 20; i++) {
            comeLate(history);
        }
        assertThat(comeLate(history)).as("never less").isEqualTo(FULL / 32);
    }

    @Test
    void shouldSpinFullyAgainOnceASpinHasPaid() {
        SpinHistory history = history();
        comeLate(history);
        comeLate(history);
        assertThat(succeed(history)).isEqualTo(FULL / 4);
        assertThat(succeed(history)).isEqualTo(FULL);
    }

    @Test
    void shouldSpinFullyAgainWhereThatWouldHaveSeenIt() {
        SpinHistory history = history();
        comeLate(history);
        comeLate(history);
        assertThat(comeAtOnce(history)).isEqualTo(FULL / 4);
        assertThat(succeed(history)).as("no rest: it was no full spin").isEqualTo(FULL);
    }

    @Test
    void shouldRestTwiceAsLongEachTimeThatAPeerNeedsThisCore() {
        SpinHistory history = history();
        for (int rest : new int[] {1, 3, 7}) {
            assertThat(comeAtOnce(history)).isEqualTo(FULL);
            assertRests(history, rest);
        }
    }

    @Test
    void shouldSpinForLongNowAndThenForAPeerThatNeedsThisCore() {
        SpinHistory history = history();
        int[] rests = {1, 3, 7, 15, 31, 63};
        for (int i = 0; i < 100; i++) {
            // after 4 failures, after 16 more, for it counts itself, after 64 more
            assertThat(comeAtOnce(history)).as("spin %d", i).isEqualTo(i == 4 || i == 20 || i == 84 ? LONG : FULL);
            assertRests(history, rests[Math.min(i, rests.length - 1)]);
        }
    }

    @Test
    void shouldSpinForLongAsSoonAsAtFirstOnceManySpinsHavePaid() {
        SpinHistory history = history();
        failFourTimes(history);
        assertThat(succeed(history)).isEqualTo(LONG);
        for (int i = 0; i < 1024; i++) {
            succeed(history);
        }
        failFourTimes(history);
        assertThat(succeed(history)).isEqualTo(LONG);
    }

    private void failFourTimes(SpinHistory history) {
        for (int rest : new int[] {1, 3, 7, 15}) {
            assertThat(comeAtOnce(history)).isEqualTo(FULL);
            assertRests(history, rest);
        }
    }

    /** Who has paused since the last wait gains nothing beyond the next one. */
    @Test
    void shouldNotSpinForLongAfterAPause() {
        SpinHistory history = history();
        for (int rest : new int[] {1, 3, 7, 15}) {
            comeAtOnce(history);
            assertRests(history, rest);
        }
        clock.addAndGet(FULL);
        assertThat(comeAtOnce(history)).isEqualTo(FULL);
    }

    @Test
    void shouldForgetItsFailuresOnceAFullSpinHasPaid() {
        SpinHistory history = history();
        for (int i = 0; i < 3; i++) {
            for (int rest : new int[] {1, 3, 7}) {
                assertThat(comeAtOnce(history)).isEqualTo(FULL);
                assertRests(history, rest);
            }
            assertThat(succeed(history)).isEqualTo(FULL);
        }
        failFourTimes(history);
        assertThat(succeed(history)).isEqualTo(LONG);
    }

    @Test
    void shouldLearnNothingFromASpinThatThePolicyRefused() {
        SpinHistory history = history();
        runnable.set(5);
        for (int i = 0; i < 100; i++) {
            assertThat(comeAtOnce(history)).isZero();
        }
        runnable.set(4);
        assertThat(succeed(history)).as("no rest").isEqualTo(FULL);
    }

    private void assertRests(SpinHistory history, int waits) {
        for (int i = 0; i < waits; i++) {
            assertThat(comeAtOnce(history)).as("wait %d of a rest of %d", i, waits).isZero();
        }
    }

    private long succeed(SpinHistory history) {
        long budget = history.begin();
        clock.addAndGet(250);
        if (budget > 0) {
            history.mayGoOn(budget);
            history.end(true);
        }
        return budget;
    }

    /** The peer needed this core, as where a sleeper is woken at once. */
    @Test
    void shouldRestAfterWhatCameWhileItYielded() {
        SpinHistory history = history();
        assertThat(spinInVain(history)).isEqualTo(FULL);
        assertThat(history.yieldTurn(0)).isTrue();
        history.yieldPaid();
        assertThat(history.begin()).as("the wait after it").isZero();
    }

    /** Spins in vain if at all, sleeps, and is woken at once. */
    private long comeAtOnce(SpinHistory history) {
        long budget = spinInVain(history);
        clock.addAndGet(1_000);
        history.slept();
        return budget;
    }

    /** Spins in vain if at all, sleeps, and is woken much later. */
    private long comeLate(SpinHistory history) {
        long budget = spinInVain(history);
        clock.addAndGet(FULL);
        history.slept();
        return budget;
    }

    private long spinInVain(SpinHistory history) {
        long budget = history.begin();
        if (budget > 0) {
            clock.addAndGet(Math.min(budget, FULL)); // else what follows would come after a pause
            assertThat(history.mayGoOn(budget)).isEqualTo(budget > FULL);
            history.end(false);
        }
        return budget;
    }

    private SpinHistory whoseYieldsTake(long nanos) {
        return new SpinHistory(new SpinPolicy(FULL, 2, 4, () -> clock.addAndGet(nanos), now -> runnable.get()));
    }

    private SpinHistory history() {
        return new SpinHistory(new SpinPolicy(FULL, 2, 4, clock::get, now -> runnable.get()));
    }
}
