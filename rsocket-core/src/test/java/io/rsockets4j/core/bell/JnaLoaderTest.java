/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.bell;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Native;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A program's own JNA and ours, in a virtual machine of their own. */
class JnaLoaderTest {
    @TempDir
    private Path temporary;

    @ParameterizedTest
    @ValueSource(strings = {"before", "after"})
    void shouldLeaveAProgramsOwnJnaUndisturbed(String when) throws Exception {
        assertThat(run("-Xlog:disable", when, Futex.class, BesideAnotherJna.class, Native.class))
                .isEqualTo("undisturbed\n");
    }

    @Test
    void shouldDoWithoutAProgramsJna() throws Exception {
        assertThat(run("-Xlog:disable", "never", Futex.class, BesideAnotherJna.class)).isEqualTo("undisturbed\n");
    }

    @Test
    void shouldLeaveTheLoggingOfTheJdkForTheProgramToConfigure() throws Exception {
        assertThat(run("-Xlog:class+load", "never", Futex.class, BesideAnotherJna.class))
                .contains(" com.sun.jna.Native ", "undisturbed\n").doesNotContain("java.util.logging");
    }

    private String run(String option, String when, Class<?>... classPath) throws IOException, InterruptedException {
        StringBuilder places = new StringBuilder();
        for (Class<?> type : classPath) {
            places.append(place(type)).append(File.pathSeparator);
        }
        Process process = new ProcessBuilder(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                option, "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED", "-Djava.io.tmpdir=" + temporary,
                "-cp", places.toString(),
                BesideAnotherJna.class.getName(), when)).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(temporary.toFile().list()).as("files of ours")
                    .noneMatch(name -> name.startsWith("rsockets4j"));
            return output;
        } finally {
            process.destroyForcibly();
        }
    }

    private static String place(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
