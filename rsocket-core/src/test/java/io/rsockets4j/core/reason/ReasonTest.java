/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.reason;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReasonTest {
    @Test
    void shouldGiveEachReasonANumberOfItsOwn() {
        assertThat(Reason.values()).extracting(Reason::number).doesNotHaveDuplicates().isSorted();
    }

    @ParameterizedTest
    @EnumSource
    void shouldSayWhatItMeansAndWhatToDoInSentences(Reason reason) {
        assertThat(reason.sentence()).matches("[A-Z].*\\.").doesNotContain("|");
        assertThat(reason.advice()).matches("[A-Z`].*\\.").doesNotContain("|");
    }

    /** Logs and scripts have them: a number keeps its meaning for good. */
    @Test
    void shouldKeepNumbersAndNames() {
        assertThat(Reason.PREFERRED).hasToString("0 preferred");
        assertThat(Reason.NOT_OFFERED).hasToString("20 not-offered");
        assertThat(Reason.VERSION).hasToString("24 version");
        assertThat(Reason.MEMLOCK).hasToString("44 memlock");
        assertThat(Reason.FAILED).hasToString("49 failed");
    }
}
