/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LoopTest {

    @ParameterizedTest
    @CsvSource({"closed, 0", "open1, 1", "open30, 30", "open100, 100"})
    void shouldReadAndWriteLoops(String text, int percent) {
        assertThat(Loop.parse(text)).isEqualTo(new Loop(percent)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "open", "open0", "open101", "open030", "30", "shut"})
    void shouldRefuseOtherLoops(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Loop.parse(text))
                .withMessageContaining("open30");
    }
}
