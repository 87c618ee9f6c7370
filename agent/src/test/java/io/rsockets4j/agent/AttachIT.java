/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.VirtualMachine;
import org.junit.jupiter.api.Test;

/** The agent in a JVM that runs already. */
class AttachIT {
    private static final String PROGRAM = "io.rsockets4j.agent.programs.LateAgent";

    @Test
    void shouldServeChannelsWhereNoneWereUsedBefore() throws Exception {
        try (ForkedJvm jvm = ForkedJvm.start("-XX:+EnableDynamicAgentLoading",
                "io.rsockets4j.agent.programs.LateChannels")) {
            assertThat(jvm.line()).isEqualTo("ready");
            load(jvm, "summary=true");
            jvm.goOn();
            ForkedJvm.Result result = jvm.result();
            assertThat(result.exit()).as(result.err()).isZero();
            assertThat(result.err()).isEqualTo("rsockets4j: connections shm=4 tcp=0\n");
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
            assertThat(result.err()).isEqualTo("rsockets4j: connections shm=2 tcp=0\n");
        }
    }

    @Test
    void shouldLeaveTheProgramAloneWhenAnArgumentIsWrong() throws Exception {
        try (ForkedJvm jvm = ForkedJvm.start("-XX:+EnableDynamicAgentLoading", PROGRAM)) {
            assertThat(jvm.line()).isEqualTo("ready");
            assertThatThrownBy(() -> load(jvm, "paths=pigeon")).isInstanceOf(AgentInitializationException.class);
            jvm.goOn();
            ForkedJvm.Result result = jvm.result();
            assertThat(result.exit()).isZero();
            assertThat(result.err()).contains("there is no path 'pigeon'");
        }
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
