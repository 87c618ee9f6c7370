/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.run.Measurement;
import io.rsockets4j.bench.run.RunResult;
import io.rsockets4j.bench.work.Figure;
import io.rsockets4j.bench.work.Job;
import io.rsockets4j.bench.work.PathSetup;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MarkdownTableTest {

    private static final Job SERVICE = Reports.job("service:4:closed", 100);

    @Test
    void shouldWriteALineForEachServiceWithWhatFallsShortInBold() {
        List<String> lines = lines(
                service(PathSetup.TCP, 200_000, 40_000), service(PathSetup.SHM, 100_000, 20_000));

        assertThat(lines).hasSize(3);
        assertThat(lines.get(0)).startsWith("| api, connections, loop | tcp: rate, p99 | shm: rate, p99 | rate |");
        assertThat(lines.get(1)).matches("(\\| --- )+\\|");
        assertThat(lines.get(2))
                .startsWith("| thread, 4, closed | 200 k/s, 40.0 us | 100 k/s, 20.0 us | **0.50x (1.80x)** | 2x |")
                .contains("| 2x (1x) |");
    }

    @Test
    void shouldWriteAColumnForEachApi() {
        List<String> lines = lines(
                roundTrip(Api.NIO, PathSetup.TCP, 40e3), roundTrip(Api.NIO, PathSetup.SHM, 1e3),
                roundTrip(Api.SOCKET, PathSetup.TCP, 40e3), roundTrip(Api.SOCKET, PathSetup.SHM, 20e3));

        assertThat(lines).containsExactly(
                "| by shm | nio | socket |",
                "| --- | --- | --- |",
                "| round trip 64 B | 1.00 us (1.00 us, 1.00 us), 40x (20x)"
                        + " | 20.0 us (20.0 us, 20.0 us), **2x (20x)** |");
    }

    @Test
    void shouldTellWhatFailed() {
        List<String> lines = lines(
                service(PathSetup.TCP, 200_000, 40_000), roundTrip(Api.NIO, PathSetup.TCP, 40e3));

        assertThat(lines)
                .anyMatch(line -> line.startsWith("| thread, 4, closed | 200 k/s, 40.0 us | failed, failed | "))
                .contains("| round trip 64 B | failed |");
    }

    @Test
    void shouldWriteEqualNumbersOfColumnsForAllThatThereIs() {
        String text = MarkdownTable.render(Reports.full());

        for (String table : text.split("(?m)^\\R")) {
            assertThat(table.lines().map(line -> line.split(" \\| ").length).distinct()).hasSize(1);
        }
        assertThat(text).contains("connect, echo, close", "| sends | receives |");
    }

    private static Measurement service(PathSetup route, double rate, double latency) {
        Map<String, Double> values = new HashMap<>();
        for (Figure metric : SERVICE.work().metrics()) {
            values.put(metric.name(), metric.name().endsWith("rate") ? rate : latency);
        }
        return new Measurement(SERVICE, route, values);
    }

    private static Measurement roundTrip(Api api, PathSetup route, double latency) {
        return new Measurement(Reports.job("roundtrip", 64, api), route,
                Map.of("p50", latency, "p99", latency, "p99.9", latency));
    }

    private static List<String> lines(Measurement... measurements) {
        RunResult outcome = new RunResult(List.of(measurements), List.of(), "OpenJDK 64-Bit Server VM 17.0.15");
        return MarkdownTable.render(
                ReportBuilder.build(Map.of(), List.of(PathSetup.TCP, PathSetup.SHM), List.of(), outcome))
                .lines().toList();
    }
}
