/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Processes that may have 64 descriptors. By TCP a connection takes one of them, and a session with a peer process
 * takes three: a server serves all whom it would serve by TCP, also one whose own files leave it few.
 */
class FewDescriptorsIT {
    private static final String PROGRAMS = "io.rsockets4j.agent.programs.";
    private static final List<String> FEW = List.of("sh", "-c", "ulimit -n 64 && exec \"$@\"", "sh");
    private static final int CLIENTS = 6;
    private static final String LIMIT_MILLIS = "5000"; // in which TCP serves all

    @TempDir
    private Path memory;

    /** Of those that the server has left once it listens, TCP takes twelve, and the JVM some for itself. */
    @ParameterizedTest
    @CsvSource({"tcp, 20", "shm+tcp, 20", "shm+tcp, 40"})
    void shouldServeEachConnection(String paths, String left) throws Exception {
        String agent = ForkedJvm.agent("paths=" + paths.replace('+', ',') + ",shm.dir=" + memory);
        List<ForkedJvm> clients = new ArrayList<>();
        try (ForkedJvm server = ForkedJvm.startBy(FEW, agent, PROGRAMS + "ByteServer", left)) {
            String port = server.line();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(ForkedJvm.startBy(FEW, agent, PROGRAMS + "TwoConnections", port, LIMIT_MILLIS));
            }
            assertThat(lines(clients)).containsOnly("ready");
            for (ForkedJvm client : clients) {
                client.order();
            }
            assertThat(lines(clients)).as("connections served of each client").containsOnly("2");
            server.goOn();
            assertThat(server.result().err()).isEmpty();
        } finally {
            clients.forEach(ForkedJvm::close);
        }
    }

    private static List<String> lines(List<ForkedJvm> jvms) throws IOException {
        List<String> lines = new ArrayList<>();
        for (ForkedJvm jvm : jvms) {
            lines.add(jvm.line());
        }
        return lines;
    }
}
