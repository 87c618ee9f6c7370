/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/** Whatever a file of rules holds: it is rules, or a mistake that is told with its place. */
class RulesFuzzTest {
    private static final Set<String> PATHS = Set.of("shm", "rdma", "tcp");

    private final HostNames names = new HostNames(name -> {
        throw new UnknownHostException(name); // no look-up leaves this process
    });

    @FuzzTest(maxDuration = "1h", maxExecutions = 1_000_000)
    void shouldReadOrRefuse(byte @NotNull [] data) {
        String text = new String(data, StandardCharsets.UTF_8);
        try {
            List<Rule> rules = RuleParser.parseFile("file", text, PATHS, names);
            for (Rule rule : rules) {
                assertThat(rule.position().toString()).startsWith("file:");
                assertThat(rule.paths()).isSubsetOf(PATHS);
            }
        } catch (RuleMistakeException e) {
            assertThat(e).hasMessageContaining("file:");
        }
        try {
            RuleParser.parseProperty("property", text, PATHS, names).forEach(rule ->
                    assertThat(rule.paths()).isSubsetOf(PATHS));
        } catch (RuleMistakeException e) {
            assertThat(e).hasMessageContaining("property:");
        }
    }
}
