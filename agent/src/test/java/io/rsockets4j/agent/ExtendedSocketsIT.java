/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that uses extended sockets, by the one jar. */
class ExtendedSocketsIT {
    private static final String PROGRAM = "io.rsockets4j.agent.programs.ExtendedSockets";

    @TempDir
    private Path directory;

    @Test
    void shouldRunWithTheJarOnTheClassPathAlone() throws Exception {
        ForkedJvm.Result result = ForkedJvm.run("-cp",
                ForkedJvm.programs() + File.pathSeparator + System.getProperty("jar.under.test"),
                "-Drsockets4j.paths=shm", "-Drsockets4j.shm.dir=" + directory, PROGRAM);
        assertThat(result.out()).isEqualTo("99999 bytes\n");
    }

    @Test
    void shouldRunWithTheAgent() throws Exception {
        String agent = ForkedJvm.agent("paths=shm,summary=true,shm.dir=" + directory);
        ForkedJvm.Result result = ForkedJvm.run(agent, PROGRAM);
        assertThat(result.out()).isEqualTo("99999 bytes\n");
        assertThat(result.counts()).isEqualTo("rsockets4j: connections shm=2\n");
    }
}
