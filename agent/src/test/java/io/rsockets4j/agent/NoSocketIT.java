/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM that never uses a socket has of us what waits for one, and no more. */
class NoSocketIT {
    private static final String OURS = "io.rsockets4j.";

    private static final String ASM = "shaded.bytebuddy.jar.asm.";

    /** The agent, what reads its arguments, what changes the JDK's classes, and what these ask for the first socket. */
    private static final Set<String> HOOKS = Set.of(
            "agent.Premain", "agent.Agent", "agent.JdkModule", "agent.NettyHook",
            "agent.ProviderHook", "agent.ProviderHook$HookedClass",
            "agent.SocketHook", "agent.SocketHook$HookedClass", "agent.SocketHook$UnwrapArgument",
            "agent.SocketHook$WrapResult",
            "core.engine.Engine", "core.engine.FirstClasses", "core.engine.FirstClasses$Definer",
            "core.log.ClassPath", "core.log.Log",
            "core.settings.RdmaPorts", "core.settings.Setting", "core.settings.Setting$Kind", "core.settings.Settings",
            "spi.channel.ChannelDoor", "spi.channel.ChannelDoor$Input", "spi.channel.ChannelDoor$Output",
            "spi.channel.ChannelDoor$TransferFrom", "spi.channel.ChannelDoor$TransferTo",
            "spi.net.SocketDoor", "spi.net.SocketDoor$Unwrapper", "spi.net.SocketDoor$Wrapper");
    /** A class that javac 17 makes beside an enum's, and javac 25 does not. */
    private static final String OF_COMPILER = "core.settings.Setting$1";
    private static final int MAX_OF_ASM = 30;

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
                    .filter(name -> name.startsWith(OURS) && !name.startsWith(OURS + "agent.programs."))
                    .map(name -> name.substring(OURS.length())).distinct().toList();
            assertThat(classes).filteredOn(name -> !name.startsWith(ASM) && !name.equals(OF_COMPILER))
                    .containsExactlyInAnyOrderElementsOf(HOOKS);
            assertThat(classes).filteredOn(name -> name.startsWith(ASM)).hasSizeBetween(1, MAX_OF_ASM);
        }
    }
}
