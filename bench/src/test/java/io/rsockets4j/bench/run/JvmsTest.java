/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.bench.program.PrintLine;
import io.rsockets4j.bench.work.PathSetup;
import io.rsockets4j.bench.work.Side;
import io.rsockets4j.bench.work.Works;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JvmsTest {

    private final Jvms jvms = new Jvms(Path.of("/jdk"), Path.of("a.jar"), false, List.of("-Xmx1g"));

    @Test
    void shouldStartPlainJvmsForTcp() {
        assertThat(jvms.command(PathSetup.TCP, Side.CLIENT))
                .startsWith("/jdk/bin/java", "-Xmx1g", "-cp")
                .noneMatch(argument -> argument.contains("javaagent"));
    }

    @Test
    void shouldAllowSharedMemoryOnly() {
        String agent = "-javaagent:a.jar=paths=shm,summary=true";

        assertThat(jvms.command(PathSetup.SHM, Side.CLIENT)).contains(agent);
        assertThat(jvms.command(PathSetup.SHM, Side.SERVER)).contains(agent);
    }

    @Test
    void shouldLoadTheAgentByAgentlibWhereThatIsAskedFor() {
        Jvms quicker = new Jvms(Path.of("/jdk"), Path.of("a.jar"), true, List.of());

        assertThat(quicker.command(PathSetup.SHM, Side.CLIENT))
                .contains("-agentlib:instrument=a.jar=paths=shm,summary=true")
                .noneMatch(argument -> argument.contains("javaagent"));
        assertThat(quicker.with(Works.of("exs:1:2:0")).command(PathSetup.TCP, Side.SERVER))
                .contains("-agentlib:instrument=a.jar=paths=tcp,summary=true");
    }

    @Test
    void shouldFallBackFromAClientWithTheAgentToAServerWithout() {
        assertThat(jvms.command(PathSetup.FALLBACK, Side.CLIENT))
                .contains("-javaagent:a.jar=paths=shm,tcp,summary=true");
        assertThat(jvms.command(PathSetup.FALLBACK, Side.SERVER)).noneMatch(argument -> argument.contains("javaagent"));
    }

    @Test
    void shouldDifferInTheAgentOnly() {
        List<String> withAgent = new ArrayList<>(jvms.command(PathSetup.SHM, Side.SERVER));
        withAgent.removeIf(argument -> argument.startsWith("-javaagent"));

        assertThat(withAgent).isEqualTo(jvms.command(PathSetup.TCP, Side.SERVER));
    }

    @Test
    void shouldBringTheAgentToTcpForAWorkThatNeedsTheJar() {
        Jvms all = jvms.with(Works.of("exs:1:2:0"));

        assertThat(all.command(PathSetup.TCP, Side.SERVER)).contains("-javaagent:a.jar=paths=tcp,summary=true");
        assertThat(all.command(PathSetup.RDMA, Side.CLIENT)).contains("-javaagent:a.jar=paths=rdma,summary=true");
        assertThat(jvms.with(Works.of("plain")).command(PathSetup.TCP, Side.SERVER))
                .contains("--add-opens=java.base/java.net=ALL-UNNAMED")
                .noneMatch(argument -> argument.contains("javaagent"));
    }

    @Test
    void shouldStartProgramsAsUsersDo() {
        List<String> plain = jvms.program(PathSetup.TCP, PrintLine.class, "1");

        assertThat(plain).startsWith("/jdk/bin/java", "-Xmx1g", "-cp").endsWith(PrintLine.class.getName(), "1");
        assertThat(jvms.program(PathSetup.SHM, PrintLine.class, "1"))
                .contains("-javaagent:a.jar=paths=shm")
                .containsAll(plain);
    }

    @Test
    void shouldNotBringOurOwnClasses() {
        assertThat(String.join(" ", jvms.command(PathSetup.SHM, Side.CLIENT)))
                .doesNotContain("rsocket-core", "rsocket-spi", "rsockets4j-core", "rsockets4j-spi");
    }
}
