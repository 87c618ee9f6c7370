/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a program's log and standard error have of us: nothing, unless something is wrong or was asked for. */
class LoggingIT {
    private static final String SERVER = "io.rsockets4j.agent.programs.EchoServer";
    private static final String CLIENT = "io.rsockets4j.agent.programs.EchoClient";
    private static final String ECHO = "io.rsockets4j.agent.programs.SocketEcho";
    private static final String BYTE_SERVER = "io.rsockets4j.agent.programs.ByteServer";
    private static final String BYTE_CLIENT = "io.rsockets4j.agent.programs.ByteClient";
    private static final int MAX_CLASSES = 1_320;
    private static final int MAX_CLASSES_SINCE_25 = 1_520;
    private static final String SERVED = " serves this program's sockets: paths=shm,tcp";

    @Test
    void shouldSayNothingAndStartNoLoggingOverSharedMemory() throws Exception {
        shouldBeSilent(ForkedJvm.runWithLogging(ForkedJvm.agent(""), "-Xlog:class+load", ECHO));
    }

    @Test
    void shouldSayNothingAndStartNoLoggingOnTheWayToAPlainServer() throws Exception {
        try (ForkedJvm server = ForkedJvm.start(SERVER, "1")) {
            shouldBeSilent(ForkedJvm.runWithLogging(ForkedJvm.agent(""), "-Xlog:class+load", CLIENT, server.line()));
        }
    }

    /** What takes long to start is not needed for a first byte: each class costs up to a third of a millisecond. */
    @Test
    void shouldStartNothingLargeOnTheWayToTheFirstByte() throws Exception {
        try (ForkedJvm server = ForkedJvm.start(ForkedJvm.agent(""), BYTE_SERVER)) {
            String port = server.line();
            List<String> plain = classes(port);
            List<String> added = new ArrayList<>(classes(port, ForkedJvm.library("paths=shm")));
            added.removeAll(Set.copyOf(plain));
            assertThat(added).contains("io.rsockets4j.core.engine.Engine", "java.util.concurrent.ConcurrentLinkedQueue")
                    .noneMatch(LoggingIT::isLarge);
            assertThat(classes(port, ForkedJvm.agent("paths=shm"))).hasSizeLessThan(
                    Runtime.version().feature() < 25 ? MAX_CLASSES : MAX_CLASSES_SINCE_25);
        }
    }

    private static boolean isLarge(String name) {
        return name.startsWith("java.util.regex.") || name.startsWith("java.util.stream.")
                || name.startsWith("java.util.Formatter") || name.startsWith("java.util.concurrent.CompletableFuture")
                || name.startsWith("io.rsockets4j.") && name.contains("$$Lambda");
    }

    /** The classes that a client loads until its end. */
    private static List<String> classes(String port, String... options) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(options));
        arguments.addAll(List.of("-Xlog:class+load:stdout:none", BYTE_CLIENT, port));
        ForkedJvm.Result result = ForkedJvm.runWithLogging(arguments.toArray(String[]::new));
        assertThat(result.err()).isEmpty();
        return result.out().lines().filter(line -> line.contains(" source: "))
                .map(line -> line.substring(0, line.indexOf(' '))).toList();
    }

    private static void shouldBeSilent(ForkedJvm.Result result) {
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).contains("echoed\n", " java.net.Socket ")
                .doesNotContain(" java.util.logging.", " sun.util.logging.", " jdk.internal.logger.");
    }

    @Test
    void shouldSayThatItServesAndWhatGoesByTcpWhereInfoIsAskedFor() throws Exception {
        try (ForkedJvm server = ForkedJvm.start(SERVER, "1")) {
            String err = ForkedJvm.runWithLogging(ForkedJvm.agent("log=info"), CLIENT, server.line()).err();
            assertThat(err).contains("INFO: rsockets4j", SERVED, "INFO: rsockets4j: a connect to ",
                    " goes by tcp: nobody offers shm at that address. Reason 20 not-offered.");
        }
    }

    @Test
    void shouldSayNothingOfAConnectThatTcpRefusesToo() throws Exception {
        String err = ForkedJvm.runWithLogging(ForkedJvm.agent("log=info"), CLIENT, ForkedJvm.freePort()).err();
        assertThat(err).contains(SERVED, "java.net.ConnectException: Connection refused")
                .doesNotContain(" goes by tcp");
    }

    @Test
    void shouldWarnOfWhatIsWrong() throws Exception {
        String err = ForkedJvm.runWithLogging(ForkedJvm.agent("shm.dir=/nowhere"), ECHO).err();
        assertThat(err).contains("WARNING: rsockets4j: path shm is not available: ").doesNotContain("INFO");
        assertThat(err.lines().findFirst().orElseThrow()).as("date, time and who speaks")
                .endsWith(" io.rsockets4j.core.engine.Engine");
    }

    @Test
    void shouldTellALoggingSystemThatWantsToKnow(@TempDir Path directory) throws Exception {
        Path configuration = directory.resolve("log.properties");
        Files.writeString(configuration, "handlers=java.util.logging.ConsoleHandler\nio.rsockets4j.level=FINE\n"
                + "java.util.logging.ConsoleHandler.level=FINE\n");
        String err = ForkedJvm.runWithLogging(ForkedJvm.agent(""),
                "-Djava.util.logging.config.file=" + configuration, ECHO).err();
        assertThat(err).contains("FINE: rsockets4j", SERVED);
    }

    @Test
    void shouldTellNothingToALoggingSystemThatIsConfiguredAsUsual() throws Exception {
        assertThat(ForkedJvm.runWithLogging(ForkedJvm.agent(""), ForkedJvm.defaultLogging(), ECHO).err()).isEmpty();
    }
}
