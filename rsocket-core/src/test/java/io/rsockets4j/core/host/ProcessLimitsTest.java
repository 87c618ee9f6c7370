/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the kernel writes of limits. */
class ProcessLimitsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "Max locked memory         65536                67108864             bytes | 65536 bytes",
        "Max locked memory         unlimited            unlimited            bytes | unlimited",
        "Max locked memory         18446744073709551615 18446744073709551615 bytes | unlimited",
        "Max open files            1024                 1048576              files | unknown"})
    void shouldFindTheSoftLimit(String line, String limit) {
        String limits = "Limit   Soft Limit   Hard Limit   Units\n" + line + "\n";
        assertThat(ProcessLimits.text(ProcessLimits.soft(limits, ProcessLimits.LOCKED_MEMORY))).isEqualTo(limit);
    }
}
