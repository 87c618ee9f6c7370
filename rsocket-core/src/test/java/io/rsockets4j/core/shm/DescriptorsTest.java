/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a process does that has hardly any descriptors left. */
class DescriptorsTest {
    @TempDir
    private Path directory;

    /** Runs a program that may have 256 descriptors; the lines that it prints. */
    static List<String> runWithFew(Class<?> program, Path directory) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder("sh", "-c", "ulimit -n 256 && exec \"$@\"", "sh", java,
                "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
                "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"),
                program.getName(), directory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try {
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } finally {
            process.destroyForcibly();
        }
    }

    /** By TCP a connection takes one descriptor, and a session takes three. */
    @Test
    void shouldLeaveTheLastDescriptorsToTheProgram() throws IOException {
        List<String> lines = runWithFew(SessionWithFewDescriptors.class, directory);
        assertThat(lines).hasSize(2).first().isEqualTo("no-descriptors");
        assertThat(Integer.parseInt(lines.get(1))).isGreaterThanOrEqualTo(SessionWithFewDescriptors.SPARE);
    }
}
