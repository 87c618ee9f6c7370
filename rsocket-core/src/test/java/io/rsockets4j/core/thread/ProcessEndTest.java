/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.thread;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Processes that end at once. */
class ProcessEndTest {
    private static final int STATUS = 7;

    /** The program. */
    static final class Ending {
        private Ending() { }

        public static void main(String[] args) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("a hook")));
            System.out.println("before");
            ProcessEnd.now(STATUS);
            System.out.println("after");
        }
    }

    @Test
    void shouldEndWithAStatusAndWithoutHooks() throws Exception {
        assertThat(outputOf(List.of())).isEqualTo("before\n");
    }

    @Test
    void shouldDoSoWithNativeAccess() throws Exception {
        assertThat(outputOf(List.of("--enable-native-access=ALL-UNNAMED"))).isEqualTo("before\n");
    }

    private static String outputOf(List<String> options) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Ending.class.getName()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(STATUS);
            return output;
        } finally {
            process.destroyForcibly();
        }
    }
}
