/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Who waits for a server that starts: the first connection that comes about goes by shared memory, as all later ones.
 */
class WaitingClientIT {
    private static final String SERVER = "io.rsockets4j.agent.programs.StartedServer";
    private static final String CLIENT = SERVER + "$Client";
    private static final int STARTS = 3;

    @TempDir
    private Path memory;

    @ParameterizedTest
    @CsvSource({"socket, socket", "channel, socket", "adaptor, channel", "asynchronous, channel"})
    void shouldMeetAStartingServerBySharedMemory(String kind, String clientKind) throws Exception {
        String agent = ForkedJvm.agent("summary=true,shm.dir=" + memory);
        for (int start = 0; start < STARTS; start++) {
            String port = ForkedJvm.freePort();
            try (ForkedJvm client = ForkedJvm.start(agent, CLIENT, port, clientKind)) {
                assertThat(client.line()).isEqualTo("waiting");
                try (ForkedJvm server = ForkedJvm.start(agent, SERVER, kind, port)) {
                    ForkedJvm.Result result = client.result();
                    assertThat(result.out()).isEqualTo("read " + (kind.equals("asynchronous") ? 0 : 1) + "\n");
                    assertThat(result.counts()).as("start " + start).isEqualTo("rsockets4j: connections shm=1 tcp=0\n");
                    assertThat(server.result().counts()).isEqualTo("rsockets4j: connections shm=1 tcp=0\n");
                }
            }
        }
    }
}
