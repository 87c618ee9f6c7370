/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SpinHistoryTest {
    private static final long FULL = 50_000;
    private static final int MOMENT = 20; // waits
    private static final int WAITS = 10_000;

    private final FakeLink link = new FakeLink();
    private final AtomicLong clock = new AtomicLong();

    @Test
    void shouldNotSpinForWhatIsReady() {
        SpinPolicy policy = new SpinPolicy(1_000_000_000, 2);
        policy.begin();
        policy.begin(); // nobody else may spin
        link.readyAfter(OP_READ, 0);
        assertThat(new SpinHistory(policy).spin(link, OP_READ, false)).isTrue();
    }

    @Test
    void shouldSeeWhatBecomesReadyWhileItSpins() {
        link.readyAfter(OP_WRITE, 100);
        assertThat(new SpinHistory(new SpinPolicy(1_000_000_000, 2)).spin(link, OP_WRITE, false)).isTrue();
    }

    @Test
    void shouldLookOnceAndGiveUpWhereSpinningIsNotAllowed() {
        link.readyAfter(OP_READ, 1);
        assertThat(new SpinHistory(new SpinPolicy(50_000, 1)).spin(link, OP_READ, false)).isFalse();
        assertThat(link.looks()).isEqualTo(1);
    }

    @Test
    void shouldEndWithoutSuccessAndLeaveItsPlaceToOthers() {
        SpinPolicy policy = new SpinPolicy(20_000, 2);
        policy.begin();
        SpinHistory history = new SpinHistory(policy);
        for (int i = 0; i < 20; i++) {
            link.readyAfter(OP_READ, Long.MAX_VALUE);
            assertThat(history.spin(link, OP_READ, i % 2 == 0)).isFalse();
        }
        assertThat(policy.begin()).isEqualTo(20_000);
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
    void shouldSpinLessForAPeerWithNothingToSay() {
        SpinHistory history = history();
        assertThat(spinInVain(history)).isEqualTo(FULL);
        clock.addAndGet(FULL);
        history.slept();
        assertThat(spinInVain(history)).isEqualTo(FULL / 2);
    }

    @Test
    void shouldHardlySpinForAPeerThatNeedsThisCore() {
        SpinHistory history = history();
        int full = 0;
        int waits = 1000;
        for (int i = 0; i < waits; i++) {
            if (failForWantOfACore(history) >= FULL) {
                full++;
            }
        }
        assertThat(full).isBetween(10, 40);
    }

    @Test
    void shouldGiveUpLongSpinsThatDoNotPayAndTryAgainLater() {
        SpinHistory history = history();
        assertThat(longSpins(history, WAITS, MOMENT)).isEqualTo(SpinHistory.MAX_UNPAID);
        assertThat(longSpins(history, WAITS, MOMENT)).isZero();
        clock.addAndGet(SpinHistory.RETRY_NANOS);
        assertThat(longSpins(history, WAITS, MOMENT)).isEqualTo(SpinHistory.RETRIES);
    }

    @Test
    void shouldSpinForLongAgainAndAgainWhereItPays() {
        SpinHistory history = history();
        longSpins(history, WAITS, MOMENT);
        clock.addAndGet(SpinHistory.RETRY_NANOS);
        assertThat(longSpins(history, WAITS, SpinHistory.PAID_SPINS + SpinHistory.MAX_UNPAID))
                .isGreaterThan(2 * SpinHistory.MAX_UNPAID);
    }

    /** How many of so many waits spin for long, when so many spins succeed after each long one. */
    private int longSpins(SpinHistory history, int waits, int successes) {
        int longSpins = 0;
        for (int i = 0; i < waits; i++) {
            if (failForWantOfACore(history) == SpinHistory.LONG_NANOS) {
                longSpins++;
                for (int j = 0; j < successes; j++) {
                    succeed(history);
                }
            }
        }
        return longSpins;
    }

    private void succeed(SpinHistory history) {
        long budget = history.begin();
        clock.addAndGet(250);
        if (budget > 0) {
            history.mayGoOn(budget);
            history.end(true);
        } else {
            history.slept();
        }
    }

    /** Spins in vain if at all, sleeps, and is woken at once. */
    private long failForWantOfACore(SpinHistory history) {
        long budget = spinInVain(history);
        clock.addAndGet(1_000);
        history.slept();
        return budget;
    }

    private long spinInVain(SpinHistory history) {
        long budget = history.begin();
        if (budget > 0) {
            clock.addAndGet(budget);
            history.mayGoOn(budget);
            history.end(false);
        }
        return budget;
    }

    private SpinHistory history() {
        SpinHistory history = new SpinHistory(new SpinPolicy(FULL, 2, clock::get));
        clock.addAndGet(1_000_000_000); // a process that has just begun has no experience with crowds either
        return history;
    }
}
