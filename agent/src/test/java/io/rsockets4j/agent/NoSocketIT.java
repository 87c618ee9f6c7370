/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM that never uses a socket has of us what waits for one, and no more. */
class NoSocketIT {
    private static final String OURS = "io.rsockets4j.";

    /** The agent, what reads its arguments, what changes the JDK's classes, and what these ask for the first socket. */
    private static final Pattern HOOKS = Pattern.compile(
            "io\\.rsockets4j\\.(agent\\..*|shaded\\.bytebuddy\\.jar\\.asm\\..*"
            + "|core\\.settings\\..*|core\\.engine\\.Engine|core\\.log\\.Log"
            + "|spi\\.net\\.SocketDoor(\\$.*)?|spi\\.channel\\.ChannelDoor(\\$.*)?)");

    @TempDir
    private Path directory;

    @Test
    void shouldHaveNoThreadAndNoFileAndNoClassBeyondTheHooks() throws Exception {
        Path memory = Files.createDirectory(directory.resolve("memory"));
        Path log = directory.resolve("classes.log");
        ForkedJvm.Result result = ForkedJvm.run("-Xlog:class+load:file=" + log + ":none",
                ForkedJvm.agent("shm.dir=" + memory), OURS + "agent.programs.NoSocket");
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).contains("thread main").doesNotContain("rsockets4j-");
        try (Stream<Path> files = Files.list(memory)) {
            assertThat(files).isEmpty();
        }
        try (Stream<String> lines = Files.lines(log)) {
            List<String> classes = lines.map(line -> line.substring(0, line.indexOf(' ')))
                    .filter(name -> name.startsWith(OURS)).toList();
            assertThat(classes).contains(OURS + "agent.SocketHook").allMatch(name -> HOOKS.matcher(name).matches());
        }
    }
}
