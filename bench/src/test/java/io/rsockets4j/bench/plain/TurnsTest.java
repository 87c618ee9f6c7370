/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.plain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class TurnsTest {
    private static final double[] THEIRS = {10, 20, 100};
    private static final double[] OURS = {11, 24, 105};

    @Test
    void shouldTakeTheMedianOfEachKind() {
        Turns turns = new Turns(THEIRS, OURS);

        assertThat(turns.theirMedian()).isEqualTo(20);
        assertThat(turns.ourMedian()).isEqualTo(24);
    }

    @Test
    void shouldTakeTheMiddleOfAnEvenNumberOfTurns() {
        assertThat(new Turns(new double[] {4, 1}, new double[] {1, 1}).theirMedian()).isEqualTo(2.5);
    }

    @Test
    void shouldCompareAllTurnsTogether() {
        assertThat(new Turns(THEIRS, OURS).meanRatio()).isCloseTo(140 / 130.0, within(1e-9));
    }

    @Test
    void shouldCompareEachTurnWithTheOneBesideIt() {
        assertThat(new Turns(THEIRS, OURS).medianRatio()).isCloseTo(1.1, within(1e-9));
    }
}
