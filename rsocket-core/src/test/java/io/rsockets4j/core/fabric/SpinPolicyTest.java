/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SpinPolicyTest {
    @Test
    void shouldAllowTheWholeBudgetOnSeveralCores() {
        assertThat(new SpinPolicy(50_000, 2).begin()).isEqualTo(50_000);
    }

    @Test
    void shouldNotSpinOnOneCore() {
        assertThat(new SpinPolicy(50_000, 1).begin()).isZero();
    }

    @Test
    void shouldNotSpinWithoutABudget() {
        assertThat(new SpinPolicy(0, 8).begin()).isZero();
    }

    @Test
    void shouldLetNoMoreThreadsSpinThanThereAreCores() {
        SpinPolicy policy = new SpinPolicy(1000, 2);
        assertThat(policy.begin()).isEqualTo(1000);
        assertThat(policy.begin()).isEqualTo(1000);
        assertThat(policy.begin()).isZero();
        assertThat(policy.begin()).as("a refused spin takes no place").isZero();
        policy.end();
        assertThat(policy.begin()).isEqualTo(1000);
        assertThat(policy.begin()).isZero();
    }

    @Test
    void shouldNotSpinOnVirtualThreads() throws Exception {
        assumeTrue(Runtime.version().feature() >= 21, "virtual threads");
        SpinPolicy policy = new SpinPolicy(1000, 2);
        AtomicLong budget = new AtomicLong(-1);
        Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        ((Thread) start.invoke(null, (Runnable) () -> budget.set(policy.begin()))).join();
        assertThat(budget).hasValue(0);
    }
}
