/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.agent.programs.FailingProperties;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the agent meets before the program's main method, the JVM does not abort. */
class PremainIT {
    private static final String NOTHING = "io.rsockets4j.agent.programs.Nothing";
    private static final int VERSION_AT = 6;
    private static final short LATER_THAN_ANY_JAVA = 999;

    @TempDir
    private static Path directory;

    private static Path tooNew;

    /** To this Java it is what the jar is to one before 17. */
    @BeforeAll
    static void makeAJarForALaterJava() throws IOException {
        tooNew = Files.copy(Path.of(System.getProperty("jar.under.test")), directory.resolve("new.jar"));
        try (FileSystem files = FileSystems.newFileSystem(tooNew)) {
            Path agent = files.getPath("/io/rsockets4j/agent/Agent.class");
            byte[] bytes = Files.readAllBytes(agent);
            ByteBuffer.wrap(bytes).putShort(VERSION_AT, LATER_THAN_ANY_JAVA);
            Files.write(agent, bytes);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "=paths=shm,tcp", "=summary=true,paths=auto"})
    void shouldRunOnTcpAfterOneLineWhereJavaIsTooOld(String arguments) throws Exception {
        ForkedJvm.Result result = ForkedJvm.run("-javaagent:" + tooNew + arguments, NOTHING);
        assertThat(result.err()).isEqualTo("rsockets4j: needs Java 17 or newer, and this is Java "
                + System.getProperty("java.version") + ". This program's sockets are plain TCP.\n");
        assertThat(result.out()).isEqualTo("ran\n");
        assertThat(result.exit()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"paths=shm", "summary=true,paths=shm,rdma", "rule=connect * 22 deny *", "rules=/any/file"})
    void shouldEndWhereJavaIsTooOldAndTcpIsNotWhatWasAskedFor(String arguments) throws Exception {
        ForkedJvm.Result result = ForkedJvm.run("-javaagent:" + tooNew + "=" + arguments, NOTHING);
        shouldHaveEnded(result);
        String[] setting = arguments.split("=", 2);
        if (!arguments.contains(",")) {
            shouldHaveEnded(ForkedJvm.run("-javaagent:" + tooNew, "-Drsockets4j." + setting[0] + "=" + setting[1],
                    NOTHING));
        }
    }

    private static void shouldHaveEnded(ForkedJvm.Result result) {
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.out()).as("the program did not run").isEmpty();
        assertThat(result.err()).startsWith("rsockets4j: needs Java 17 or newer").hasLineCount(1);
    }

    @Test
    void shouldTellWhoAttachesThatJavaIsTooOld() throws Exception {
        try (ForkedJvm jvm = ForkedJvm.start("-XX:+EnableDynamicAgentLoading",
                "io.rsockets4j.agent.programs.LateAgent")) {
            assertThat(jvm.line()).isEqualTo("ready");
            ForkedJvm.Result attach = ForkedJvm.run("-jar", tooNew.toString(), "attach", String.valueOf(jvm.pid()));
            assertThat(attach.exit()).isEqualTo(1);
            assertThat(attach.err()).contains("not attached to " + jvm.pid() + ": needs Java 17 or newer");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"stack", "memory"})
    void shouldRunOnTcpAfterAnyError(String error) throws Exception {
        Path other = AgentJar.make(directory, FailingProperties.class);
        ForkedJvm.Result result = ForkedJvm.run("-javaagent:" + other + "=" + error, ForkedJvm.agent(""), NOTHING);
        assertThat(result.err()).startsWith("rsockets4j: cannot serve this JVM: java.lang.").contains("a test's")
                .endsWith(" Until that is mended, this program's sockets are plain TCP.\n").hasLineCount(1);
        assertThat(result.out()).isEqualTo("ran\n");
        assertThat(result.exit()).isZero();
    }
}
