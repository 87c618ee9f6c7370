/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When threads let others have the core: by a clock of the test's. */
class YieldPolicyTest {
    private static final long SLOT = YieldPolicy.SLOT_NANOS;
    private static final long OUTSIDE = SLOT / 2; // of a trial, in any slot
    private static final long START = 1000 * YieldPolicy.MOST_SKIPPED * SLOT;

    private final AtomicInteger runnable = new AtomicInteger(6);
    private final YieldPolicy policy = new YieldPolicy(now -> runnable.get());

    /** Goes through windows, in each of which of some yields some are long; ends outside of a trial. */
    private static void windows(YieldPolicy policy, int first, int count, int yields, int longOnes) {
        for (int i = first; i < first + count; i++) {
            policy.yielded(yields, longOnes, START + i * YieldPolicy.WINDOW_NANOS);
        }
    }

    private YieldPolicy resting() {
        YieldPolicy resting = new YieldPolicy(now -> 6);
        windows(resting, 0, YieldPolicy.BAD_WINDOWS, 100, 40);
        assertThat(resting.allows(START + OUTSIDE)).isFalse();
        return resting;
    }

    @Test
    void shouldYieldAsLongAsTurnsAreShort() {
        windows(policy, 0, 100, 1000, 1000 / YieldPolicy.SOME);
        assertThat(policy.allows(START + OUTSIDE)).isTrue();
    }

    @Test
    void shouldRestOnceManyWindowsWereBad() {
        int many = YieldPolicy.BAD_WINDOWS - 1;
        windows(policy, 0, many, 100, 40);
        assertThat(policy.allows(START + OUTSIDE)).as("a JVM that starts").isTrue();
        windows(policy, many, 2, 100, 1);
        windows(policy, many + 2, 1, 100, 40);
        assertThat(policy.allows(START + OUTSIDE)).as("two good ones in between").isTrue();
        windows(policy, many + 3, 1, 100, 40);
        assertThat(policy.allows(START + OUTSIDE)).isFalse();
    }

    /** Beside threads that compute on all cores nearly every yield takes a slice. */
    @ParameterizedTest
    @CsvSource({"40, 8", "60, 6", "90, 4"})
    void shouldRestTheSoonerTheMoreAreLong(int longOnes, int windows) {
        windows(policy, 0, windows - 1, 100, longOnes);
        assertThat(policy.allows(START + OUTSIDE)).isTrue();
        windows(policy, windows - 1, 1, 100, longOnes);
        assertThat(policy.allows(START + OUTSIDE)).isFalse();
    }

    /** One long wait in a hundred is the 99th percentile. */
    @Test
    void shouldRestOnceFewLongOnesGoOn() {
        int many = 2 * YieldPolicy.BAD_WINDOWS - 1;
        windows(policy, 0, many, 1000, 50);
        assertThat(policy.allows(START + OUTSIDE)).isTrue();
        windows(policy, many, 1, 1000, 50);
        assertThat(policy.allows(START + OUTSIDE)).isFalse();
    }

    @Test
    void shouldNotTakeTheTurnsOfManyForOneLongOne() {
        assertThat(policy.isLong(YieldPolicy.LONG_NANOS, START)).isTrue();
        assertThat(policy.isLong(YieldPolicy.LONG_NANOS - 1, START)).isFalse();
        runnable.set(400);
        assertThat(policy.isLong(3 * YieldPolicy.LONG_NANOS, START)).isFalse();
        assertThat(policy.isLong(8 * YieldPolicy.LONG_NANOS, START)).isTrue();
    }

    @Test
    void shouldGoOnAfterATrialWhoseSecondHalfWasGood() {
        YieldPolicy resting = resting();
        resting.yielded(16, 16, START); // threads that slept until now join
        resting.yielded(16, 0, START + YieldPolicy.TRIAL_NANOS / 2);
        assertThat(resting.allows(START + OUTSIDE)).as("too few to tell").isFalse();
        resting.yielded(48, 1, START + YieldPolicy.TRIAL_NANOS - 1);
        assertThat(resting.allows(START + OUTSIDE)).isTrue();
    }

    @Test
    void shouldRestOnAfterATrialWhoseSecondHalfWasBad() {
        YieldPolicy resting = resting();
        resting.yielded(16, 0, START);
        resting.yielded(64, 2, START + YieldPolicy.TRIAL_NANOS / 2);
        assertThat(resting.allows(START + OUTSIDE)).isFalse();
        assertThat(resting.allows(START + YieldPolicy.TRIAL_NANOS - 1)).as("until the trial's end").isTrue();
    }

    /** Who has failed often meets who begins to fail at every one of its own trials. */
    @Test
    void shouldTryEverMoreSeldomAndAtTimesThatAllShare() {
        YieldPolicy old = resting();
        int tries = 0;
        for (long slot = 1; slot <= 64; slot++) {
            long now = START + slot * SLOT;
            if (old.allows(now)) {
                tries++;
                old.yielded(16, 16, now);
                assertThat(old.allows(now)).as("the trial that it is in").isTrue();
                assertThat(resting().allows(now)).as("a young one at slot %d", slot).isTrue();
            }
        }
        assertThat(tries).isBetween(64 / YieldPolicy.MOST_SKIPPED, 64 / YieldPolicy.MOST_SKIPPED + 4);
    }
}
