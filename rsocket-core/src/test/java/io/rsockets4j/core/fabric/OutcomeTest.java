/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OutcomeTest {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Outcome<String> outcome = new Outcome<>();

    @AfterEach
    void forgetInterrupt() {
        Thread.interrupted();
    }

    private static long soon() {
        return System.nanoTime() + PATIENCE_NANOS;
    }

    @Test
    void shouldGiveTheFirstEndOnly() throws IOException {
        assertThat(outcome.valueNow()).isNull();
        assertThat(outcome.complete("first")).isTrue();
        assertThat(outcome.complete("second")).isFalse();
        assertThat(outcome.fail(new IOException("third"))).isFalse();
        assertThat(outcome.await(soon())).isEqualTo("first");
        assertThat(outcome.valueNow()).isEqualTo("first");
    }

    @Test
    void shouldGiveTheCauseOfAFailure() {
        ConnectException cause = new ConnectException("nobody");
        assertThat(outcome.fail(cause)).isTrue();
        assertThat(outcome.isDone()).isTrue();
        assertThat(outcome.valueNow()).isNull();
        assertThatThrownBy(() -> outcome.await(soon())).isInstanceOf(IOException.class).hasMessage("nobody")
                .hasCause(cause);
    }

    @Test
    void shouldNotWaitLongerThanTheDeadline() {
        assertThatThrownBy(() -> outcome.await(System.nanoTime() + 1000)).isInstanceOfSatisfying(PathException.class,
                e -> assertThat(e.reason()).isEqualTo(Reason.TIMEOUT));
    }

    @Test
    void shouldWakeWhoWaitsElsewhereOnce() {
        List<Object> woken = new ArrayList<>();
        outcome.wakes(source -> {
            assertThat(outcome.isDone()).as("before it wakes").isTrue();
            woken.add(source);
        });
        outcome.complete("first");
        outcome.complete("second");
        assertThat(woken).containsExactly(outcome);
    }

    @Test
    void shouldWakeNobodyWhoWaitsNoMore() {
        List<Object> woken = new ArrayList<>();
        outcome.wakes(woken::add);
        outcome.wakes(null);
        outcome.complete("late");
        assertThat(woken).isEmpty();
    }

    @Test
    void shouldWaitForAnotherThreadAndKeepAnInterrupt() throws IOException {
        Thread waiter = Thread.currentThread();
        waiter.interrupt();
        CompletableFuture.runAsync(() -> {
            while (waiter.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            outcome.complete("late");
        });
        assertThat(outcome.await(soon())).isEqualTo("late");
        assertThat(Thread.interrupted()).isTrue();
    }
}
