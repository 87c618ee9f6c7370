/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SpinPolicyTest {
    private static final int CORES = 4;

    private final AtomicInteger runnable = new AtomicInteger(1);
    private final AtomicLong asked = new AtomicLong();

    private SpinPolicy policy(long maxNanos, int processors) {
        return new SpinPolicy(maxNanos, processors, CORES, System::nanoTime, now -> {
            asked.set(now);
            return runnable.get();
        });
    }

    @Test
    void shouldAllowASpinOnSeveralCores() {
        SpinPolicy policy = policy(50_000, 2);
        assertThat(policy.begin(17)).isTrue();
        assertThat(policy.maxNanos()).isEqualTo(50_000);
        assertThat(asked).as("how many threads run at that time").hasValue(17);
    }

    @Test
    void shouldNotSpinOnOneCore() {
        SpinPolicy policy = policy(50_000, 1);
        assertThat(policy.begin(0)).isFalse();
        assertThat(policy.maxNanos()).isZero();
    }

    @Test
    void shouldNotSpinWithoutABudget() {
        assertThat(policy(0, 8).begin(0)).isFalse();
    }

    @Test
    void shouldLetOneThreadSpinOnTwoCores() {
        SpinPolicy policy = policy(1000, 2);
        assertThat(policy.begin(0)).isTrue();
        assertThat(policy.begin(0)).isFalse();
        assertThat(policy.begin(0)).as("a refused spin takes no place").isFalse();
        policy.end();
        assertThat(policy.begin(0)).isTrue();
        assertThat(policy.begin(0)).isFalse();
    }

    @Test
    void shouldLetNoMoreThreadsSpinThanHalfOfTheCoresItMayUse() {
        SpinPolicy policy = policy(1000, 7);
        assertThat(policy.begin(0)).isTrue();
        assertThat(policy.begin(0)).isTrue();
        assertThat(policy.begin(0)).isTrue();
        assertThat(policy.begin(0)).isFalse();
    }

    @Test
    void shouldNotSpinWhereMoreThreadsRunThanTheMachineHasCores() {
        SpinPolicy policy = policy(1000, 2);
        runnable.set(CORES + 1);
        assertThat(policy.begin(0)).isFalse();
        runnable.set(CORES);
        assertThat(policy.begin(0)).as("a spin that was refused takes no place").isTrue();
    }

    @Test
    void shouldNotSpinOnVirtualThreads() throws Exception {
        assumeTrue(Runtime.version().feature() >= 21, "virtual threads");
        SpinPolicy policy = policy(1000, 2);
        AtomicBoolean allowed = new AtomicBoolean(true);
        Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        ((Thread) start.invoke(null, (Runnable) () -> allowed.set(policy.begin(0)))).join();
        assertThat(allowed).isFalse();
    }

    @Test
    void shouldSpinOnAnyCoreWhereSleepIsDear() {
        SpinPolicy crowded = new SpinPolicy(1000, 2, 2, System::nanoTime, now -> 100);
        assertThat(crowded.begin(0)).isFalse();
        SpinPolicy anyCore = crowded.onAnyCore();
        assertThat(anyCore.begin(0)).isTrue();
        assertThat(anyCore.begin(0)).isTrue();
        assertThat(anyCore.begin(0)).as("more than there are cores").isFalse();
    }
}
