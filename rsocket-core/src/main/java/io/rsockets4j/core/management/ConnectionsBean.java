/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.management;

import io.rsockets4j.core.stat.ConnectionSnapshot;
import io.rsockets4j.core.stat.Metric;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The bean: asks for what is known each time. Thread-safe. */
final class ConnectionsBean implements ConnectionsMXBean {
    private final Supplier<? extends Collection<ConnectionSnapshot>> connections;
    private final Supplier<? extends Collection<Metric>> metrics;

    ConnectionsBean(Supplier<? extends Collection<ConnectionSnapshot>> connections,
            Supplier<? extends Collection<Metric>> metrics) {
        this.connections = connections;
        this.metrics = metrics;
    }

    @Override
    public ConnectionData[] getConnections() {
        return connections.get().stream().sorted(Comparator.comparingLong(ConnectionSnapshot::id))
                .map(ConnectionData::new).toArray(ConnectionData[]::new);
    }

    @Override
    public Map<String, Long> getMetrics() {
        return metrics.get().stream().collect(Collectors.toMap(Metric::id, Metric::value));
    }
}
