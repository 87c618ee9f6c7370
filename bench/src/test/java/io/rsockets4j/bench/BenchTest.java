/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.bench.report.BenchReport;
import io.rsockets4j.bench.report.JsonFile;
import io.rsockets4j.bench.run.Failure;
import io.rsockets4j.bench.work.Figure;
import io.rsockets4j.bench.work.PathSetup;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole benchmark, made small, with real JVMs. */
class BenchTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @TempDir
    private Path directory;

    @AfterEach
    void shouldLeaveNoProcessBehind() {
        CompletableFuture<?>[] ends = ProcessHandle.current().children().map(ProcessHandle::onExit)
                .toArray(CompletableFuture[]::new);
        assertThat(CompletableFuture.allOf(ends)).succeedsWithin(PATIENCE);
        assertThat(ProcessHandle.current().children()).isEmpty();
    }

    @Test
    void shouldMeasureTcp() throws IOException {
        int status = run("--paths=tcp", "--works=roundtrip,stream", "--apis=nio,socket", "--sizes=64");

        assertThat(status).isZero();
        assertThat(report().failures()).isEmpty();
        assertThat(report().rows()).hasSize(12).allSatisfy(row -> assertThat(
                        row.cells().get(PathSetup.TCP).median())
                .isPositive());
        assertThat(directory.resolve("report.html")).content().contains("\"work\" : \"roundtrip\"");
    }

    @Test
    void shouldMeasureAServiceAtAShareOfItsRateOverTcp() throws IOException {
        int status = run("--paths=tcp", "--works=service", "--apis=thread", "--connections=2", "--loop=open50",
                "--duration=0.5");

        assertThat(status).isZero();
        double closed = rate("service:2:closed");
        assertThat(closed).isPositive();
        assertThat(rate("service:2:open50")).isBetween(0.0, closed * 0.6);
    }

    @Test
    void shouldSkipAnOpenLoopWithoutARateToGoBy() throws IOException {
        int status = run("--paths=tcp", "--works=service", "--apis=thread", "--connections=2", "--loop=open50",
                "--java=" + directory);

        assertThat(status).isEqualTo(1);
        assertThat(report().failures()).extracting(Failure::reason).contains("TCP yielded no rate to go by");
    }

    @Test
    void shouldReportJvmsThatDoNotStart() throws IOException {
        int status = run("--paths=tcp,shm", "--works=roundtrip", "--apis=nio", "--sizes=64", "--agent=none.jar");

        assertThat(status).isEqualTo(1);
        assertThat(report().rows()).allSatisfy(row -> assertThat(row.cells()).containsOnlyKeys(PathSetup.TCP));
        assertThat(report().failures()).isNotEmpty().allSatisfy(failure -> {
            assertThat(failure.reason()).contains("exited with status");
            assertThat(String.join("\n", failure.output())).contains("none.jar");
        });
    }

    @Test
    void shouldReportAJavaThatIsNotThere() throws IOException {
        int status = run("--paths=tcp", "--works=roundtrip", "--apis=nio", "--java=" + directory);

        assertThat(status).isEqualTo(1);
        assertThat(report().rows()).isEmpty();
        assertThat(report().failures().get(0).reason()).startsWith("cannot start the tcp server");
    }

    @Test
    void shouldBelieveAnAgentThatConfirmsThePath() throws IOException {
        int status = run(claim("shm=4"));

        assertThat(status).isZero();
        assertThat(report().rows().get(0).cells().get(PathSetup.SHM).ratio()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp=4", "shm=3 tcp=1", "shm=0"})
    void shouldThrowAwayFiguresOfAnotherPath(String counts) throws IOException {
        int status = run(claim(counts));

        assertThat(status).isEqualTo(1);
        assertThat(report().rows()).isNotEmpty().allSatisfy(row -> assertThat(row.cells())
                .containsOnlyKeys(PathSetup.TCP));
        assertThat(report().failures()).singleElement().satisfies(failure -> assertThat(failure.reason())
                .endsWith("should all be shm but were " + counts));
    }

    /** With an agent that leaves sockets alone, all are the JDK's. */
    @Test
    void shouldTakeTurnsWithTheJdksOwnSockets() throws IOException {
        int status = run("--works=plain", "--apis=nio,socket", "--agent=" + FakeAgent.jar(directory),
                "--jvm-arg=" + FakeAgent.claiming("tcp=4"));

        assertThat(status).isZero();
        assertThat(report().rows())
                .filteredOn(row -> row.metric().rank() == Figure.Rank.HEADLINE)
                .extracting(row -> row.cells().get(PathSetup.FALLBACK).median())
                .hasSize(2)
                .allSatisfy(ratio -> assertThat(ratio).as("a ratio of two times").isPositive().isFinite());
    }

    private double rate(String work) throws IOException {
        return report().rows().stream()
                .filter(row -> row.work().equals(work) && row.metric().name().equals("rate"))
                .mapToDouble(row -> row.cells().get(PathSetup.TCP).median())
                .sum();
    }

    private String[] claim(String counts) throws IOException {
        return new String[] {
            "--paths=tcp,shm",
            "--works=roundtrip",
            "--apis=nio",
            "--sizes=64",
            "--agent=" + FakeAgent.jar(directory),
            "--jvm-arg=" + FakeAgent.claiming(counts)
        };
    }

    private int run(String... options) {
        List<String> arguments = new ArrayList<>(List.of(options));
        arguments.addAll(List.of("--quick", "--warm-up=0.02"));
        if (arguments.stream().noneMatch(argument -> argument.startsWith("--duration"))) {
            arguments.add("--duration=0.02");
        }
        arguments.addAll(List.of("--json=" + directory.resolve("results.json")));
        arguments.addAll(List.of("--html=" + directory.resolve("report.html")));
        return Bench.commandLine().execute(arguments.toArray(String[]::new));
    }

    private BenchReport report() throws IOException {
        return JsonFile.read(directory.resolve("results.json"));
    }
}
