/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rsockets4j.core.reason.Reason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a program's log says of a server on this host that shared memory does not reach, and when it reaches it. */
class FallbackReasonsIT {
    private static final String SERVER = "io.rsockets4j.agent.programs.EchoServer";
    private static final String CLIENT = "io.rsockets4j.agent.programs.KeptClient";
    private static final String STRANGER = "64123"; // a user number that nobody has

    @TempDir
    private Path memory;

    @TempDir
    private Path elsewhere;

    @Test
    void shouldNameTheDirectoryOfAServerThatHasAnother() throws Exception {
        try (ForkedJvm server = ForkedJvm.start(ForkedJvm.agent("shm.dir=" + elsewhere), SERVER, "1")) {
            shouldWarn(server.line(), Reason.OTHER_DIRECTORY, "process " + server.pid() + " listens there and has"
                    + " rsockets4j, but its directory is " + elsewhere + "/rsockets4j-");
        }
    }

    @Test
    void shouldNameTheUserOfAServerThatHasAnother() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root can start a server as another user");
        String port = ForkedJvm.freePort();
        ProcessBuilder builder = new ProcessBuilder("setpriv", "--reuid=" + STRANGER, "--clear-groups",
                Path.of(System.getProperty("java.home"), "bin", "rmiregistry").toString(), port);
        Files.createDirectory(memory.resolve("rsockets4j-" + STRANGER)); // where that user has had rsockets4j
        Process server = builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        try {
            shouldWarn(port, Reason.OTHER_USER, "user number " + STRANGER + " listens there, and this process runs as");
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    private void shouldWarn(String port, Reason reason, String what) throws Exception {
        try (ForkedJvm client = ForkedJvm.start(ForkedJvm.agent("shm.dir=" + memory), ForkedJvm.defaultLogging(),
                CLIENT, port, "1")) {
            assertThat(client.line()).isEqualTo("connected");
            client.awaitError("Reason " + reason);
            client.goOn();
            assertThat(client.result().err()).containsOnlyOnce("WARNING: rsockets4j: connects to ")
                    .contains(" do not go by shm: " + what, "Reason " + reason + ". " + reason.advice());
        }
    }

    /** What a killed server leaves behind stands in nobody's way, and the next one is found as the first one was. */
    @Test
    void shouldMeetEachServerOfAPortAgainBySharedMemory() throws Exception {
        String agent = ForkedJvm.agent("summary=true,shm.dir=" + memory);
        String port = ForkedJvm.freePort();
        try (ForkedJvm client = ForkedJvm.start(agent, CLIENT, port, "3", "echo")) {
            for (boolean last : List.of(false, false, true)) {
                try (ForkedJvm server = ForkedJvm.start(agent, SERVER, "1", port)) {
                    assertThat(server.line()).isEqualTo(port);
                    assertThat(client.line()).isEqualTo("connected");
                    if (last) {
                        client.goOn();
                        assertThat(client.result().counts()).isEqualTo("rsockets4j: connections shm=3 tcp=0\n");
                    }
                    server.kill();
                    if (!last) {
                        assertThat(client.line()).isEqualTo("ended");
                    }
                }
            }
        }
    }
}
