/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How a JVM with the agent starts: its arguments, and what it prints. */
class AgentStartIT {
    private static final String NOTHING = "io.rsockets4j.agent.programs.Nothing";
    private static final String ECHO = "io.rsockets4j.agent.programs.SocketEcho";

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "summery=true | unknown setting 'summery'; did you mean 'summary'?",
        "ring.bytes=1000 | cannot use rsockets4j.ring.bytes=1000",
        "paths=shm,udp | there is no path 'udp'",
        "true | 'true' is not of the form key=value"})
    void shouldEndWithOneLineWhenAnArgumentIsWrong(String arguments, String message) throws Exception {
        ForkedJvm.Result result = ForkedJvm.run(ForkedJvm.agent(arguments), NOTHING);
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.out()).as("the program did not run").isEmpty();
        assertThat(result.err()).startsWith("rsockets4j: ").contains(message).hasLineCount(1);
    }

    @Test
    void shouldCheckSystemPropertiesToo() throws Exception {
        ForkedJvm.Result result = ForkedJvm.run(ForkedJvm.agent(""), "-Drsockets4j.spin.micros=lots", NOTHING);
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("rsockets4j.spin.micros=lots").hasLineCount(1);
    }

    @Test
    void shouldTakeSettingsFromSystemProperties() throws Exception {
        ForkedJvm.Result result = ForkedJvm.run(ForkedJvm.agent(""), "-Drsockets4j.summary=true",
                "-Drsockets4j.paths=shm", ECHO);
        assertThat(result.err()).isEqualTo("rsockets4j: connections shm=2\n");
    }

    @Test
    void shouldPreferArgumentsToSystemProperties() throws Exception {
        ForkedJvm.Result result = ForkedJvm.run(ForkedJvm.agent("paths=tcp,shm,summary=true"),
                "-Drsockets4j.paths=shm", NOTHING);
        assertThat(result.err()).isEqualTo("rsockets4j: connections tcp=0 shm=0\n");
    }

    @Test
    void shouldPrintTheSummaryWithoutAnySocket() throws Exception {
        ForkedJvm.Result result = ForkedJvm.run(ForkedJvm.agent("summary=true"), NOTHING);
        assertThat(result.exit()).isZero();
        assertThat(result.out()).isEqualTo("ran\n");
        assertThat(result.err()).isEqualTo("rsockets4j: connections shm=0 tcp=0\n");
    }

    @Test
    void shouldPrintNothingOfItsOwn() throws Exception {
        ForkedJvm.Result result = ForkedJvm.run(ForkedJvm.agent(""), ECHO);
        assertThat(result.exit()).isZero();
        assertThat(result.err()).isEmpty();
    }

    @Test
    void shouldLeaveTheChoiceOfALogManagerToTheProgram() throws Exception {
        ForkedJvm.Result result = ForkedJvm.run(ForkedJvm.agent("summary=true"),
                "io.rsockets4j.agent.programs.OwnLogManager");
        assertThat(result.out()).isEqualTo("io.rsockets4j.agent.programs.OwnLogManager$Manager\n");
    }

    @Test
    void shouldBeLoadedOnceWhenNamedTwice() throws Exception {
        ForkedJvm.Result result = ForkedJvm.run(ForkedJvm.agent("summary=true"), ForkedJvm.agent(""), ECHO);
        assertThat(result.exit()).isZero();
        assertThat(result.err()).isEqualTo("rsockets4j: connections shm=2 tcp=0\n");
    }

    @Test
    void shouldSayThatALaterLoadChangesNothing() throws Exception {
        ForkedJvm.Result result = ForkedJvm.run(ForkedJvm.agent(""), ForkedJvm.agent("summary=true"), NOTHING);
        assertThat(result.exit()).isZero();
        assertThat(result.err()).contains("loaded before").contains("summary=true").hasLineCount(1);
    }

    @Test
    void shouldLeaveChannelsToAProviderThatWasNamed() throws Exception {
        ForkedJvm.Result result = ForkedJvm.run(ForkedJvm.agent(""),
                "-Djava.nio.channels.spi.SelectorProvider=sun.nio.ch.EPollSelectorProvider", NOTHING);
        assertThat(result.exit()).isZero();
        assertThat(result.err()).contains("channels are left to sun.nio.ch.EPollSelectorProvider").hasLineCount(1);
    }

    @Test
    void shouldLeaveAsynchronousChannelsToAProviderOfTheProgram(@TempDir Path directory) throws Exception {
        String provider = "io.rsockets4j.agent.programs.OwnAsynchronousProvider";
        Path services = Files.createDirectories(directory.resolve("META-INF/services"));
        Files.writeString(services.resolve("java.nio.channels.spi.AsynchronousChannelProvider"), provider);
        ForkedJvm.Result result = ForkedJvm.run(ForkedJvm.agent(""), "-cp",
                directory + ":" + ForkedJvm.programs(), provider);
        assertThat(result.out()).isEqualTo(provider + "\n");
        assertThat(result.err()).contains("asynchronous channels are left to the provider").hasLineCount(1);
    }

    @Test
    void shouldServeSocketsWithTcpAlone() throws Exception {
        ForkedJvm.Result result = ForkedJvm.run(ForkedJvm.agent("paths=tcp,summary=true"), ECHO);
        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(result.out()).isEqualTo("echoed\n");
    }
}
