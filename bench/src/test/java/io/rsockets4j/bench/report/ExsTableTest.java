/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.run.Measurement;
import io.rsockets4j.bench.run.RunResult;
import io.rsockets4j.bench.work.Exs;
import io.rsockets4j.bench.work.Job;
import io.rsockets4j.bench.work.PathSetup;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExsTableTest {

    private static final Job FEW = Reports.job("exs:1:2:0", 64 << 10, Api.SELECTOR);
    private static final Job MANY = Reports.job("exs:32:64:1", 64 << 10, Api.SELECTOR);

    @Test
    void shouldHaveALineForEachStreamAndPathInTheOrderOfTheRun() {
        String text = TextTable.render(report(
                measurement(MANY, PathSetup.TCP, 1e9, 400_000),
                measurement(MANY, PathSetup.RDMA, 2e9, 100_000),
                measurement(FEW, PathSetup.TCP, 1e9, 400_000)));

        assertThat(text.lines().toList()).hasSize(7);
        assertThat(text).containsSubsequence("32     64", "1      2");
        assertThat(text.lines())
                .anyMatch(line -> line.matches("32 +64 +64 KiB +1 +tcp +1\\.00 GB/s +400 us/MiB +400 us/MiB"
                        + " +25.0% +40.0"))
                .anyMatch(line -> line.matches("32 +64 +64 KiB +1 +rdma +2\\.00 GB/s +2x +100 us/MiB +4x"
                        + " +100 us/MiB +4x +25.0% +40.0"))
                .anyMatch(line -> line.matches("1 +2 +64 KiB +0 +rdma +failed.*"))
                .noneMatch(line -> line.contains("fallback") || line.startsWith("work"));
    }

    @Test
    void shouldNotBeThereWithoutStreams() {
        assertThat(TextTable.render(report())).doesNotContain("Extended sockets");
    }

    @Test
    void shouldBeInThePageWithItsMethodOnce() throws Exception {
        String page = HtmlPage.render(report(
                measurement(MANY, PathSetup.TCP, 1e9, 400_000), measurement(FEW, PathSetup.TCP, 1e9, 400_000)));

        assertThat(page).contains(ExsTable.TITLE, "\"" + Exs.FAMILY + "\" :").doesNotContain("(exs:");
    }

    private static BenchReport report(Measurement... measurements) {
        return ReportBuilder.build(Map.of(), List.of(PathSetup.TCP, PathSetup.FALLBACK, PathSetup.RDMA), List.of(),
                new RunResult(List.of(measurements), List.of(), "a JVM"));
    }

    private static Measurement measurement(Job job, PathSetup route, double bytes, double cpu) {
        return new Measurement(job, route,
                Map.of(Exs.BYTES, bytes, Exs.SENDER, cpu, Exs.RECEIVER, cpu, Exs.DIRECT, 25.0, Exs.MESSAGES, 40.0));
    }
}
