/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.atIndex;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.run.Measurement;
import io.rsockets4j.bench.run.RunResult;
import io.rsockets4j.bench.work.Figure;
import io.rsockets4j.bench.work.Job;
import io.rsockets4j.bench.work.PathSetup;
import io.rsockets4j.bench.work.Work;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServiceTableTest {

    private static final Job CLOSED = Reports.job("service:4:closed", 100);
    private static final Job OPEN = Reports.job("service:4:open30", 100, Api.SELECTOR);

    @Test
    void shouldShowWhereOursIsSlower() {
        String text = TextTable.render(report(
                new Measurement(CLOSED, PathSetup.TCP, values(CLOSED.work(), 200_000, 40_000)),
                new Measurement(CLOSED, PathSetup.SHM, values(CLOSED.work(), 100_000, 20_000))));

        assertThat(text.lines().toList())
                .satisfies(
                        line -> assertThat(line).startsWith("Service"), atIndex(0))
                .anyMatch(line -> line.matches("thread +4 +closed +tcp +200 k/s +40\\.0 us.*"))
                .anyMatch(line -> line.matches(" +shm +100 k/s +20\\.0 us.*"))
                .anyMatch(line -> line.matches(" +ratio +0\\.50x +2x +2x .*"))
                .anyMatch(line -> line.matches(" +asked +1\\.80x short +1x ok"))
                .noneMatch(line -> line.startsWith("work"));
    }

    @Test
    void shouldPutServicesFirstAndInOrder() {
        String text = TextTable.render(report(
                new Measurement(
                        Reports.job("roundtrip", 64), PathSetup.TCP, Map.of("p50", 1e3, "p99", 1e3, "p99.9", 1e3)),
                new Measurement(OPEN, PathSetup.TCP, values(OPEN.work(), 60_000, 40_000)),
                new Measurement(CLOSED, PathSetup.TCP, values(CLOSED.work(), 200_000, 40_000))));

        assertThat(text).containsSubsequence("thread", "closed", "selector", "open30", "round trip");
        assertThat(text.lines().filter(line -> line.contains(" shm "))).isNotEmpty().allMatch(line -> line.contains(
                "failed") || line.startsWith("work"));
    }

    @Test
    void shouldReadTheVersionOfJavaOffTheNameOfTheJvm() {
        List<Measurement> measurements = List.of(
                new Measurement(CLOSED, PathSetup.TCP, values(CLOSED.work(), 200_000, 40_000)),
                new Measurement(CLOSED, PathSetup.SHM, values(CLOSED.work(), 380_000, 40_000)));

        RunResult outcome = new RunResult(measurements, List.of(), "OpenJDK 64-Bit Server VM 25.0.1+8-LTS");
        BenchReport report = ReportBuilder.build(Map.of(), List.of(PathSetup.TCP, PathSetup.SHM), List.of(), outcome);

        assertThat(report.rows().get(0).cells().get(PathSetup.SHM).asked()).isEqualTo(new Cell.Asked("2x", false, 2.0));
    }

    private static BenchReport report(Measurement... measurements) {
        RunResult outcome =
                new RunResult(List.of(measurements), List.of(), "OpenJDK 64-Bit Server VM 17.0.15+6-Debian");
        return ReportBuilder.build(Map.of(), List.of(PathSetup.TCP, PathSetup.SHM), List.of(), outcome);
    }

    private static Map<String, Double> values(Work work, double rate, double latency) {
        Map<String, Double> values = new HashMap<>();
        for (Figure metric : work.metrics()) {
            values.put(metric.name(), metric.name().endsWith("rate") ? rate : latency);
        }
        return values;
    }
}
