/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.work.Figure;
import io.rsockets4j.bench.work.Job;
import io.rsockets4j.bench.work.PathSetup;
import io.rsockets4j.bench.work.Work;
import io.rsockets4j.bench.work.Works;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TargetsTest {
    private static final String SPINLESS = "-Drsockets4j.spin.micros=0";

    @ParameterizedTest
    @CsvSource({
        "connect, connections, -Xmx1g, 1.5",
        "connects, connections, -Xmx1g, 1.5",
        "oversubscribed, round trips, -Xmx1g, 1.5",
        "parked, p50, -Xmx1g, 1.6666666666666667",
        "roundtrip, p50, -Xmx1g, 20",
        "connect, connections, -Drsockets4j.spin.micros=0, 1",
        "connects, connections, -Drsockets4j.spin.micros=0, 1",
        "oversubscribed, round trips, -Drsockets4j.spin.micros=0, 1",
        "parked, p50, -Drsockets4j.spin.micros=0, 1",
        "roundtrip, p50, -Drsockets4j.spin.micros=0, 20",
        "service:4:closed, rate, -Xmx1g, 1.8",
    })
    void shouldAskOfSharedMemory(String work, String metric, String argument, double ratio) {
        assertThat(asked(work, metric, PathSetup.SHM, argument)).contains(Target.ratio(ratio));
    }

    @ParameterizedTest
    @CsvSource({"parked, p99", "oversubscribed, p50", "service:5:closed, rate"})
    void shouldNotAsk(String work, String metric) {
        assertThat(asked(work, metric, PathSetup.SHM, SPINLESS)).isEmpty();
        assertThat(asked(work, metric, PathSetup.SHM, "-Xmx1g")).isEmpty();
    }

    @Test
    void shouldAskOfARouteThatEndsInTcpThatTheAgentCostsNextToNothing() {
        assertThat(asked("connect", "connections", PathSetup.FALLBACK, "-Xmx1g")).contains(Target.ratio(0.97));
        assertThat(asked("parked", "p99", PathSetup.FALLBACK, "-Xmx1g")).isEmpty();
        assertThat(asked("connect", "connections", PathSetup.TCP, "-Xmx1g")).isEmpty();
    }

    private static Optional<Target> asked(String name, String metric, PathSetup route, String argument) {
        Work work = Works.of(name);
        Figure figure = work.metrics().stream()
                .filter(each -> each.name().equals(metric))
                .findFirst()
                .orElseThrow();
        return Targets.of(
                new Job(work, Api.NIO, 64, Duration.ZERO, Duration.ZERO), figure, route, 17, List.of(argument));
    }
}
