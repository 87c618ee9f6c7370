/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostCoresTest {
    @ParameterizedTest
    @CsvSource({"0, 1", "0-1, 2", "'0-3,8', 5", "'0,2,4-7', 6", "'1,3-3', 2", "'0-1,16-127', 114"})
    void shouldCountListsOfTheKernel(String list, int count) {
        assertThat(HostCores.parse(list)).isEqualTo(count);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0-", "-", "a-b", "0-99999999999"})
    void shouldFailOnOtherTexts(String list) {
        assertThatThrownBy(() -> HostCores.parse(list)).isInstanceOf(NumberFormatException.class);
    }

    @Test
    void shouldKnowAtLeastTheCoresOfThisProcess() {
        assertThat(HostCores.count()).isGreaterThanOrEqualTo(Runtime.getRuntime().availableProcessors());
    }
}
