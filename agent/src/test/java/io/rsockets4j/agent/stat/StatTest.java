/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.stat;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalTime;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatTest {
    @ParameterizedTest
    @CsvSource({"12:30, 12:30:00", "12:30:07.123, 12:30:07", "00:00, 00:00:00"})
    void shouldShowSecondsAlsoWhereThereAreNone(String now, String heading) {
        assertThat(Stat.heading(LocalTime.parse(now))).isEqualTo(heading);
    }
}
