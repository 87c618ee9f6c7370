/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rsockets4j.Rsockets;
import io.rsockets4j.core.stat.Metric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** What docs/monitoring.md shows for Micrometer: the same lines, in a program without the agent. */
class MicrometerTest {
    private final Map<String, Long> values = new ConcurrentHashMap<>();

    @Test
    void shouldTellNothingWhereTheAgentIsAbsent() {
        MeterRegistry registry = new SimpleMeterRegistry();
        refresh(registry);
        assertThat(Rsockets.isUsed()).isFalse();
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void shouldBeWhatTheDocumentsShow() throws IOException {
        Path self = Path.of("src/test/java", MicrometerTest.class.getName().replace('.', '/') + ".java");
        String method = "    void refresh(MeterRegistry";
        List<String> source = Files.readAllLines(self).stream().dropWhile(line -> !line.startsWith(method)).toList();
        List<String> shown = Files.readAllLines(Path.of("../docs/monitoring.md")).stream()
                .dropWhile(line -> !line.startsWith(method)).takeWhile(line -> line.startsWith("    ")).toList();
        assertThat(shown).hasSizeGreaterThan(10).isEqualTo(source.subList(0, shown.size()));
    }

    void refresh(MeterRegistry registry) {
        for (Metric metric : Rsockets.metrics()) {
            if (values.put(metric.id(), metric.value()) == null) {
                List<Tag> tags = metric.tags().entrySet().stream().map(t -> Tag.of(t.getKey(), t.getValue())).toList();
                if (metric.kind() == Metric.Kind.COUNTER) {
                    FunctionCounter.builder(metric.name(), values, v -> v.get(metric.id()))
                            .baseUnit(metric.unit()).tags(tags).register(registry);
                } else {
                    Gauge.builder(metric.name(), values, v -> v.get(metric.id()))
                            .baseUnit(metric.unit()).tags(tags).register(registry);
                }
            }
        }
    }
}
