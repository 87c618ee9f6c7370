/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static io.rsockets4j.core.rdma.PinBudget.Use.CONNECTIONS;
import static io.rsockets4j.core.rdma.PinBudget.Use.SPEED;
import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.reason.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PinBudgetTest {
    @ParameterizedTest
    @CsvSource({"100, 9223372036854775807", "100, 200", "100, 100"})
    void shouldKeepAHalfForConnections(long max, long systemMax) {
        PinBudget budget = new PinBudget(max, systemMax);
        assertThat(budget.take(51, SPEED)).isFalse();
        assertThat(budget.take(50, SPEED)).isTrue();
        assertThat(budget.take(1, SPEED)).isFalse();
        assertThat(budget.take(51, CONNECTIONS)).isFalse();
        assertThat(budget.take(50, CONNECTIONS)).isTrue();
        budget.giveBack(51);
        assertThat(budget.take(1, SPEED)).isTrue();
    }

    /** What connections need the kernel itself counts against its limit. */
    @Test
    void shouldBoundSpeedAloneWhereOnlyTheSystemHasALimit() {
        PinBudget budget = new PinBudget(0, 100);
        assertThat(budget.take(1000, CONNECTIONS)).isTrue();
        assertThat(budget.take(1, SPEED)).isFalse();
    }

    @Test
    void shouldBoundNothingWithoutALimit() {
        PinBudget budget = new PinBudget(0, Long.MAX_VALUE);
        assertThat(budget.take(1L << 60, SPEED)).isTrue();
        assertThat(budget.take(1L << 60, CONNECTIONS)).isTrue();
    }

    @Test
    void shouldSayWhatIsUsedUp() {
        PinBudget budget = new PinBudget(100, Long.MAX_VALUE);
        assertThat(budget.usedUp(CONNECTIONS)).hasMessageContaining("rsockets4j.rdma.max.bytes=100");
        assertThat(budget.usedUp(CONNECTIONS).reason()).isEqualTo(Reason.NO_MEMORY);
        assertThat(budget.usedUp(SPEED)).hasMessageContaining("RLIMIT_MEMLOCK");
    }
}
