/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rsockets4j.bench.FakeAgent;
import io.rsockets4j.bench.net.Server;
import io.rsockets4j.bench.work.Job;
import io.rsockets4j.bench.work.PathSetup;
import io.rsockets4j.bench.work.Start;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs of a start, in JVMs of their own, against a server in this one. */
class ProgramsTest {

    private static final Path JAVA = Path.of(System.getProperty("java.home"));

    @TempDir
    private Path directory;

    private Server server;

    @BeforeEach
    void serve() throws IOException {
        Job job = Start.jobs().get(0);
        server = job.work().serve(job);
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    @Test
    void shouldTimeProgramsWithoutAnAgent() throws PeerException {
        Jvms jvms = new Jvms(JAVA, Path.of("none.jar"), false, List.of());

        Map<String, Double> values = new Programs(PathSetup.TCP, jvms).measure(server.port());

        double client = values.get(Start.CLIENT);
        assertThat(values.get(Start.HELLO)).isPositive();
        assertThat(values.get(Start.CONNECT)).isPositive().isLessThan(client);
        assertThat(values.get(Start.EXIT)).isPositive().isLessThan(client);
        assertThat(values.get(Start.CLASSES)).isBetween(400.0, 2_000.0);
        assertThat(values).containsEntry(Start.LINES, 0.0).containsEntry(Start.JAR, 0.0);
    }

    @Test
    void shouldCountWhatAnAgentPrintsAndBrings() throws Exception {
        Path jar = FakeAgent.jar(directory);
        Jvms jvms = new Jvms(JAVA, jar, false, List.of(FakeAgent.claiming("shm=1")));

        Map<String, Double> values = new Programs(PathSetup.SHM, jvms).measure(server.port());

        assertThat(values).containsEntry(Start.LINES, 2.0).containsEntry(Start.JAR, (double) Files.size(jar));
    }

    @Test
    void shouldTellWhyAClientFailed() throws Exception {
        Programs programs = new Programs(PathSetup.TCP, new Jvms(JAVA, Path.of("none.jar"), false, List.of()));
        server.close();

        assertThatExceptionOfType(PeerException.class)
                .isThrownBy(() -> programs.measure(server.port()))
                .withMessageContaining("first client exited with status 1")
                .satisfies(e -> assertThat(e.output()).anyMatch(line -> line.contains("ConnectException")));
    }
}
