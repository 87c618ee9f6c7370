/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A send queue that stalls and a completion thread that is about to wait: one of them sees the other. */
@Timeout(60)
class StallsTest {
    private static final int ROUNDS = 100_000;

    private final AtomicInteger wakeUps = new AtomicInteger();
    private final Stalls stalls = new Stalls(wakeUps::incrementAndGet);

    @Test
    void shouldBeAttendedWhereLooksAreOften() {
        stalls.begin();
        assertThat(stalls.areUnattended()).as("before the first look").isFalse();
        assertThat(stalls.mayPollSeldom()).isFalse();
        assertThat(stalls.areUnattended()).isFalse();
    }

    @Test
    void shouldWakeOnceWhereLooksAreSeldom() {
        assertThat(stalls.mayPollSeldom()).isTrue();
        assertThat(stalls.areUnattended()).as("nobody stalls").isFalse();
        stalls.begin();
        stalls.begin();
        assertThat(stalls.areUnattended()).isTrue();
        assertThat(wakeUps).hasValue(1);
        stalls.attended();
        assertThat(stalls.areUnattended()).isFalse();
    }

    @Test
    void shouldNotWakeWhereTheNextCompletionIsAnnounced() {
        assertThat(stalls.mayPollSeldom()).isTrue();
        stalls.attended();
        stalls.begin();
        assertThat(stalls.areUnattended()).isFalse();
        assertThat(wakeUps).hasValue(0);
    }

    @Test
    void shouldLookOftenUntilALookFoundNoneAndNoneBeganSinceTheOneBefore() {
        stalls.begin();
        assertThat(stalls.mayPollSeldom()).as("just begun").isFalse();
        assertThat(stalls.mayPollSeldom()).as("stalls still").isFalse();
        stalls.end();
        assertThat(stalls.mayPollSeldom()).as("ended, before this look").isTrue();
        stalls.begin();
        stalls.end();
        assertThat(stalls.mayPollSeldom()).as("begun and ended since").isFalse();
        assertThat(stalls.mayPollSeldom()).isTrue();
    }

    /** What each of the two stores before it loads, again and again at the same time. */
    @Test
    void shouldNeverBeMissedByBoth() throws Exception {
        AtomicInteger arrivals = new AtomicInteger();
        boolean[] seldom = new boolean[1];
        CompletableFuture<Void> completionThread = CompletableFuture.runAsync(() -> {
            for (int i = 0; i < ROUNDS; i++) {
                meet(arrivals, 3 * i + 1);
                seldom[0] = stalls.mayPollSeldom();
                meet(arrivals, 3 * i + 2);
                meet(arrivals, 3 * i + 3);
            }
        });
        int missed = 0;
        for (int i = 0; i < ROUNDS; i++) {
            meet(arrivals, 3 * i + 1);
            stalls.begin();
            meet(arrivals, 3 * i + 2);
            missed += seldom[0] && !stalls.areUnattended() ? 1 : 0;
            stalls.end();
            stalls.mayPollSeldom(); // forgets that one began
            stalls.attended();
            meet(arrivals, 3 * i + 3);
        }
        completionThread.get();
        assertThat(missed).isZero();
    }

    /** Returns when both have arrived so often, as near to each other as can be. */
    private static void meet(AtomicInteger arrivals, int times) {
        arrivals.incrementAndGet();
        while (arrivals.get() < 2 * times) {
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("the other one has not come");
            }
            Thread.onSpinWait();
        }
    }
}
