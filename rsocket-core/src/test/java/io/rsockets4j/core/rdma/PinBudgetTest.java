/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static io.rsockets4j.core.rdma.PinBudget.Use.CONNECTIONS;
import static io.rsockets4j.core.rdma.PinBudget.Use.GROWTH;
import static io.rsockets4j.core.rdma.PinBudget.Use.KEPT;
import static io.rsockets4j.core.rdma.PinBudget.Use.LENT;
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
        assertThat(budget.take(51, GROWTH)).isFalse();
        assertThat(budget.take(50, GROWTH)).isTrue();
        assertThat(budget.take(1, GROWTH)).isFalse();
        assertThat(budget.take(51, CONNECTIONS)).isFalse();
        assertThat(budget.take(50, CONNECTIONS)).isTrue();
        budget.giveBack(51);
        assertThat(budget.take(1, GROWTH)).isTrue();
    }

    @Test
    void shouldKeepAQuarterForRingsAndAnEighthForOperations() {
        PinBudget budget = new PinBudget(100, Long.MAX_VALUE);
        assertThat(budget.take(13, KEPT)).isFalse();
        assertThat(budget.take(12, KEPT)).isTrue();
        budget.giveBack(12);
        assertThat(budget.take(26, LENT)).isFalse();
        assertThat(budget.take(25, LENT)).isTrue();
        assertThat(budget.take(1, LENT)).isFalse();
        assertThat(budget.take(25, GROWTH)).isTrue();
    }

    /** What connections need the kernel itself counts against its limit. */
    @Test
    void shouldBoundGrowthAloneWhereOnlyTheSystemHasALimit() {
        PinBudget budget = new PinBudget(0, 100);
        assertThat(budget.take(1000, CONNECTIONS)).isTrue();
        assertThat(budget.take(1, GROWTH)).isFalse();
    }

    @Test
    void shouldBoundNothingWithoutALimit() {
        PinBudget budget = new PinBudget(0, Long.MAX_VALUE);
        assertThat(budget.take(1L << 60, GROWTH)).isTrue();
        assertThat(budget.take(1L << 60, LENT)).isTrue();
        assertThat(budget.take(1L << 60, KEPT)).isTrue();
        assertThat(budget.take(1L << 60, CONNECTIONS)).isTrue();
    }

    @Test
    void shouldSayWhatIsUsedUp() {
        PinBudget budget = new PinBudget(100, Long.MAX_VALUE);
        assertThat(budget.usedUp(CONNECTIONS)).hasMessageContaining("rsockets4j.rdma.max.bytes=100");
        assertThat(budget.usedUp(CONNECTIONS).reason()).isEqualTo(Reason.NO_MEMORY);
        assertThat(budget.usedUp(GROWTH)).hasMessageStartingWith("half of what may be pinned (RLIMIT_MEMLOCK,");
        assertThat(budget.usedUp(LENT)).hasMessageStartingWith("a quarter of what may be pinned (RLIMIT_MEMLOCK,");
    }
}
