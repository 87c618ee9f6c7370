/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.settings;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/** Whatever follows the agent's jar on a command line: it is settings, or a message that says what is wrong. */
class SettingsFuzzTest {
    @FuzzTest(maxDuration = "1h", maxExecutions = 1_000_000)
    void shouldReadOrRefuse(byte @NotNull [] data) {
        try {
            Properties properties = new Properties();
            properties.putAll(Settings.parseArguments(new String(data, StandardCharsets.UTF_8)));
            Settings settings = Settings.from(properties);
            assertThat(settings.paths()).isNotEmpty().doesNotHaveDuplicates();
            assertThat(settings.handshakeNanos()).isPositive();
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageStartingWith("rsockets4j: ");
        }
    }
}
