/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rules and what is logged, on whole programs with java.net's sockets. */
class RulesIT {
    private static final String PROGRAMS = "io.rsockets4j.agent.programs.";
    private static final String SERVER = PROGRAMS + "EchoServer";
    private static final String CLIENT = PROGRAMS + "EchoClient";

    @Test
    void shouldEndWithOneLineThatSaysWhereTheMistakeIs(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("r"), "connect * 80 deny shm\nconnect * 9-8 deny shm\n");
        ForkedJvm.Result result = ForkedJvm.run(ForkedJvm.agent("rules=" + file), PROGRAMS + "Nothing");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.out()).as("the program did not run").isEmpty();
        assertThat(result.err()).startsWith("rsockets4j: " + file + ":2:11: the range 9-8 is empty").hasLineCount(1);
    }

    @Test
    void shouldConnectByTcpWhereARuleDeniesTheRest() throws Exception {
        try (ForkedJvm server = ForkedJvm.start(ForkedJvm.agent("summary=true"), SERVER, "1")) {
            String rule = "rule=connect 127.0.0.0/8 " + server.line() + " deny shm,rdma;connect * * deny tcp";
            String port = rule.split(" ")[2];
            assertThat(ForkedJvm.run(ForkedJvm.agent(rule), CLIENT, port).out()).isEqualTo("echoed\n");
            assertThat(server.result().counts()).isEqualTo("rsockets4j: connections shm=0 tcp=1\n");
        }
    }

    @Test
    void shouldRefuseAConnectThatTheRuleDoesNotLetFallBack() throws Exception {
        try (ForkedJvm server = ForkedJvm.start(SERVER, "1")) {
            ForkedJvm.Result client = ForkedJvm.run(ForkedJvm.agent("rule=connect * * require shm"), CLIENT,
                    server.line());
            assertThat(client.exit()).isEqualTo(1);
            assertThat(client.err()).contains("java.net.ConnectException: Connection refused: nobody offers shm",
                    "the rule at rsockets4j.rule:1:1 (require shm) does not allow tcp (reason 20 not-offered)");
        }
    }

    @Test
    void shouldCloseTcpThatARuleDeniesToThatClientAndGoOnAccepting() throws Exception {
        try (ForkedJvm server = ForkedJvm.start(
                ForkedJvm.agent("summary=true,rule=accept 127.0.0.1 * deny tcp"), SERVER, "1")) {
            String port = server.line();
            assertThat(ForkedJvm.run(CLIENT, port).exit()).isEqualTo(1);
            assertThat(ForkedJvm.run(ForkedJvm.agent(""), CLIENT, port).out()).isEqualTo("echoed\n");
            assertThat(server.result().counts()).isEqualTo("rsockets4j: connections shm=1 tcp=0\n");
        }
    }

    @Test
    void shouldServePlainTcpWhereARuleLeavesNothingElse() throws Exception {
        try (ForkedJvm server = ForkedJvm.start(ForkedJvm.agent("summary=true,rule=bind * * allow tcp"), SERVER,
                "1")) {
            assertThat(ForkedJvm.run(ForkedJvm.agent(""), CLIENT, server.line()).out()).isEqualTo("echoed\n");
            assertThat(server.result().counts()).isEqualTo("rsockets4j: connections shm=0 tcp=1\n");
        }
    }

    @Test
    void shouldSayInOneLineThatItRunsAndInOneWhyItFallsBack() throws Exception {
        try (ForkedJvm server = ForkedJvm.start(SERVER, "1")) {
            ForkedJvm.Result client = ForkedJvm.run(ForkedJvm.agent("log=info"),
                    ForkedJvm.defaultLogging(), CLIENT, server.line());
            assertThat(client.out()).isEqualTo("echoed\n");
            assertThat(client.err().lines().filter(line -> line.contains("rsockets4j")
                    && !line.contains("io.rsockets4j"))).satisfiesExactly(
                    start -> assertThat(start).startsWith("INFO: rsockets4j ").endsWith(" paths=shm,tcp"),
                    fallback -> assertThat(fallback).startsWith("INFO: rsockets4j: a connect to ")
                            .contains(" goes by tcp: nobody offers shm at that address. Reason 20 not-offered."));
        }
    }
}
