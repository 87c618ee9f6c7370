/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.VirtualMachine;
import io.rsockets4j.agent.programs.OtherAgent;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent in a JVM that runs already. */
class AttachIT {
    private static final String PROGRAM = "io.rsockets4j.agent.programs.LateAgent";
    private static final String EARLY = "io.rsockets4j.agent.programs.EarlyChannels";

    @TempDir
    private Path directory;

    @Test
    void shouldServeChannelsWhereNoneWereUsedBefore() throws Exception {
        try (ForkedJvm jvm = ForkedJvm.start("-XX:+EnableDynamicAgentLoading",
                "io.rsockets4j.agent.programs.LateChannels")) {
            assertThat(jvm.line()).isEqualTo("ready");
            load(jvm, "summary=true");
            jvm.goOn();
            ForkedJvm.Result result = jvm.result();
            assertThat(result.exit()).as(result.err()).isZero();
            assertThat(result.counts()).isEqualTo("rsockets4j: connections shm=4 tcp=0\n");
        }
    }

    @Test
    void shouldServeSocketsMadeFromThenOnAndLeaveEarlierOnesAlone() throws Exception {
        try (ForkedJvm jvm = ForkedJvm.start("-XX:+EnableDynamicAgentLoading", PROGRAM)) {
            assertThat(jvm.line()).isEqualTo("ready");
            load(jvm, "summary=true");
            jvm.goOn();
            ForkedJvm.Result result = jvm.result();
            assertThat(result.exit()).as(result.err()).isZero();
            assertThat(result.counts()).isEqualTo("rsockets4j: connections shm=2 tcp=0\n");
        }
    }

    @Test
    void shouldServeChannelsAlsoWhereTheProgramHasOpenedSomeBefore() throws Exception {
        try (ForkedJvm jvm = ForkedJvm.start("-XX:+EnableDynamicAgentLoading", EARLY)) {
            assertThat(jvm.line()).isEqualTo("ready");
            load(jvm, "summary=true");
            jvm.goOn();
            ForkedJvm.Result result = jvm.result();
            assertThat(result.exit()).as(result.err()).isZero();
            // Asynchronous channels need no selector. The old one could not watch a link, nor one that a listener took.
            assertThat(result.counts()).isEqualTo("rsockets4j: connections shm=2 tcp=4\n");
        }
    }

    @Test
    void shouldServeChannelsAfterAnotherAgentHasOpenedSome() throws Exception {
        Path other = AgentJar.make(directory, OtherAgent.class);
        try (ForkedJvm jvm = ForkedJvm.start("-javaagent:" + other, ForkedJvm.agent("summary=true"),
                "io.rsockets4j.agent.programs.LateChannels")) {
            assertThat(jvm.line()).isEqualTo("other agent");
            assertThat(jvm.line()).isEqualTo("ready");
            jvm.goOn();
            ForkedJvm.Result result = jvm.result();
            assertThat(result.exit()).as(result.err()).isZero();
            assertThat(result.counts()).isEqualTo("rsockets4j: connections shm=4 tcp=0\n");
        }
    }

    @Test
    void shouldSayWhatTheCommandReaches() throws Exception {
        try (ForkedJvm jvm = ForkedJvm.start("-XX:+EnableDynamicAgentLoading", PROGRAM)) {
            assertThat(jvm.line()).isEqualTo("ready");
            ForkedJvm.Result attach = attach(jvm, "summary=true");
            assertThat(attach.exit()).as(attach.err()).isZero();
            assertThat(attach.out()).startsWith("rsockets4j is in process " + jvm.pid() + ".\nIt serves ")
                    .contains("\nOpen listeners, ");
            assertThat(attach.err()).isEmpty();
            jvm.goOn();
            assertThat(jvm.result().counts()).isEqualTo("rsockets4j: connections shm=2 tcp=0\n");
        }
    }

    @Test
    void shouldSayInALineWhyTheCommandFails() throws Exception {
        try (ForkedJvm jvm = ForkedJvm.start("-XX:+EnableDynamicAgentLoading", PROGRAM)) {
            assertThat(jvm.line()).isEqualTo("ready");
            ForkedJvm.Result attach = attach(jvm, "path=shm");
            assertThat(attach.exit()).isEqualTo(1);
            assertThat(attach.out()).isEmpty();
            assertThat(attach.err()).startsWith("rsockets4j: not attached to " + jvm.pid()
                    + ": unknown setting 'path'; did you mean 'paths'?").hasLineCount(1);
            jvm.goOn();
            assertThat(jvm.result().exit()).isZero();
        }
    }

    @Test
    void shouldAttachAfterAMistake() throws Exception {
        try (ForkedJvm jvm = ForkedJvm.start("-XX:+EnableDynamicAgentLoading", PROGRAM)) {
            assertThat(jvm.line()).isEqualTo("ready");
            assertThat(attach(jvm, "paths=pigeon").exit()).isEqualTo(1);
            ForkedJvm.Result again = attach(jvm, "summary=true");
            assertThat(again.exit()).as(again.err()).isZero();
            jvm.goOn();
            assertThat(jvm.result().counts()).endsWith("rsockets4j: connections shm=2 tcp=0\n");
        }
    }

    @Test
    void shouldSayThatASecondLoadChangesNothing() throws Exception {
        try (ForkedJvm jvm = ForkedJvm.start("-XX:+EnableDynamicAgentLoading", PROGRAM)) {
            assertThat(jvm.line()).isEqualTo("ready");
            assertThat(attach(jvm, "summary=true").exit()).isZero();
            ForkedJvm.Result again = attach(jvm, "paths=tcp");
            assertThat(again.exit()).isEqualTo(1);
            assertThat(again.err()).isEqualTo("rsockets4j: not attached to " + jvm.pid()
                    + ": the agent was loaded before; the arguments 'paths=tcp' change nothing\n");
            jvm.goOn();
            assertThat(jvm.result().counts()).endsWith("rsockets4j: connections shm=2 tcp=0\n");
        }
    }

    @Test
    void shouldSayWhatItLeavesToAnotherProvider() throws Exception {
        String other = "sun.nio.ch.EPollSelectorProvider";
        try (ForkedJvm jvm = ForkedJvm.start("-XX:+EnableDynamicAgentLoading",
                "-Djava.nio.channels.spi.SelectorProvider=" + other, PROGRAM)) {
            assertThat(jvm.line()).isEqualTo("ready");
            ForkedJvm.Result attach = attach(jvm, "");
            assertThat(attach.exit()).as(attach.err()).isZero();
            assertThat(attach.out()).endsWith("\nBut channels are left to " + other
                    + ", which -Djava.nio.channels.spi.SelectorProvider names.\n");
            jvm.goOn();
            assertThat(jvm.result().exit()).isZero();
        }
    }

    @Test
    void shouldLeaveTheProgramAloneWhenAnArgumentIsWrong() throws Exception {
        try (ForkedJvm jvm = ForkedJvm.start("-XX:+EnableDynamicAgentLoading", PROGRAM)) {
            assertThat(jvm.line()).isEqualTo("ready");
            load(jvm, "paths=pigeon");
            jvm.goOn();
            ForkedJvm.Result result = jvm.result();
            assertThat(result.exit()).isZero();
            assertThat(result.err()).contains("there is no path 'pigeon'").hasLineCount(1);
        }
    }

    private static ForkedJvm.Result attach(ForkedJvm jvm, String settings) throws Exception {
        return ForkedJvm.run("-jar", System.getProperty("jar.under.test"), "attach", String.valueOf(jvm.pid()),
                settings);
    }

    private static void load(ForkedJvm jvm, String arguments) throws Exception {
        VirtualMachine machine = VirtualMachine.attach(String.valueOf(jvm.pid()));
        try {
            machine.loadAgent(System.getProperty("jar.under.test"), arguments);
        } finally {
            machine.detach();
        }
    }
}
