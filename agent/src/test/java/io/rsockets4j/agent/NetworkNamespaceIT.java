/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two network namespaces of one host and one user that share the directory of shared memory, as containers may: equal
 * addresses in them are different places. Skipped where this user may not make namespaces.
 */
class NetworkNamespaceIT {
    private static final List<String> AS_ROOT = List.of("unshare", "--net");
    private static final List<String> AS_USER =
            List.of("unshare", "--map-current-user", "--keep-caps", "--net");
    private static final List<String> WITH_LOOPBACK = List.of("sh", "-c", "ip link set lo up && exec \"$@\"", "sh");
    private static final String SERVER = "io.rsockets4j.agent.programs.EchoServer";
    private static final String CLIENT = "io.rsockets4j.agent.programs.EchoClient";
    private static List<String> inNewNamespace;

    @TempDir
    private Path memory;

    @BeforeAll
    static void findOutHow() throws Exception {
        for (List<String> unshare : List.of(AS_ROOT, AS_USER)) {
            List<String> prefix = new ArrayList<>(unshare);
            prefix.addAll(WITH_LOOPBACK);
            if (inNewNamespace == null && works(prefix)) {
                inNewNamespace = prefix;
            }
        }
        assumeTrue(inNewNamespace != null, "this user may not make network namespaces, or a command is missing");
    }

    @Test
    void shouldMeetInOneNamespaceAndNotInTwo() throws Exception {
        String agent = ForkedJvm.agent("paths=shm,summary=true,shm.dir=" + memory);
        try (ForkedJvm server = ForkedJvm.startBy(inNewNamespace, agent, SERVER, "1")) {
            String port = server.line();

            ForkedJvm.Result outside = ForkedJvm.run(agent, CLIENT, port);
            assertThat(outside.exit()).isEqualTo(1);
            assertThat(outside.err()).contains("ConnectException: Connection refused: nobody offers shm");

            try (ForkedJvm client = ForkedJvm.startBy(inNamespaceOf(server), agent, CLIENT, port)) {
                assertThat(client.result().out()).isEqualTo("echoed\n");
            }
            assertThat(server.result().counts()).isEqualTo("rsockets4j: connections shm=1\n");
        }
    }

    @Test
    void shouldReachThePlainServerAtTheSameAddress() throws Exception {
        String agent = ForkedJvm.agent("summary=true,shm.dir=" + memory);
        try (ForkedJvm plain = ForkedJvm.start(SERVER, "1")) {
            String port = plain.line();
            try (ForkedJvm other = ForkedJvm.startBy(inNewNamespace, agent, SERVER, "1", port)) {
                assertThat(other.line()).as("the same port is free in the other namespace").isEqualTo(port);
                ForkedJvm.Result client = ForkedJvm.run(agent, CLIENT, port);
                assertThat(client.out()).isEqualTo("echoed\n");
                assertThat(client.counts()).isEqualTo("rsockets4j: connections shm=0 tcp=1\n");
                assertThat(plain.result().exit()).as("it has served its one client").isZero();
            }
        }
    }

    private static List<String> inNamespaceOf(ForkedJvm jvm) {
        String namespaces = "/proc/" + jvm.pid() + "/ns/";
        List<String> command = new ArrayList<>(List.of("nsenter", "--net=" + namespaces + "net"));
        if (inNewNamespace.containsAll(AS_USER)) {
            command.addAll(List.of("--user=" + namespaces + "user", "--preserve-credentials"));
        }
        return command;
    }

    private static boolean works(List<String> prefix) throws InterruptedException {
        List<String> command = new ArrayList<>(prefix);
        command.add("true");
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start().waitFor() == 0;
        } catch (IOException e) {
            return false; // there is no such command
        }
    }
}
