/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.verbs.VerbsException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class SlicedWaitTest {
    private final List<Integer> slices = new ArrayList<>();
    private int eventAt = Integer.MAX_VALUE; // which poll finds one
    private Runnable during = () -> { };
    private final SlicedWait wait = new SlicedWait("verb", this::poll);

    private boolean poll(int millis) {
        slices.add(millis);
        during.run();
        boolean event = slices.size() >= eventAt;
        long deadline = System.nanoTime() + millis * 1_000_000L;
        while (!event && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(deadline - System.nanoTime());
        }
        return event;
    }

    @Test
    void shouldWaitInSlicesUntilAnEvent() throws IOException {
        eventAt = 3;
        assertThat(wait.await(-1)).isTrue();
        assertThat(slices).containsExactly(50, 50, 50);
    }

    @Test
    void shouldWaitNoLongerThanAsked() throws IOException {
        long start = System.nanoTime();
        assertThat(wait.await(70)).isFalse();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(70_000_000L);
        assertThat(slices.get(0)).isEqualTo(50);
        assertThat(slices.get(1)).isBetween(1, 21);
    }

    @Test
    void shouldLookOnceWithoutWaiting() throws IOException {
        assertThat(wait.await(0)).isFalse();
        assertThat(slices).containsExactly(0);
    }

    @Test
    void shouldKeepAWakeUpForTheNextWait() throws IOException {
        wait.wakeup();
        assertThat(wait.await(-1)).isFalse();
        assertThat(slices).containsExactly(0);
        assertThat(wait.await(1)).as("once only").isFalse();
        assertThat(slices.get(1)).isPositive();
    }

    @Test
    void shouldEndWithTheSliceInWhichItIsWoken() throws IOException {
        during = wait::wakeup;
        assertThat(wait.await(-1)).isFalse();
        assertThat(slices).containsExactly(50);
    }

    @Test
    void shouldNotLoseAWakeUpToAnEvent() throws IOException {
        eventAt = 1;
        wait.wakeup();
        assertThat(wait.await(-1)).isTrue();
        eventAt = Integer.MAX_VALUE;
        assertThat(wait.await(-1)).isFalse();
    }

    @Test
    void shouldFailWhenTheSourceNeitherWaitsNorFindsAnything() {
        SlicedWait broken = new SlicedWait("verb", millis -> false);
        assertThatThrownBy(() -> broken.await(-1)).isInstanceOf(VerbsException.class).hasMessageContaining("verb: ");
    }
}
