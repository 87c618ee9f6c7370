/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.management;

import io.rsockets4j.core.stat.ConnectionSnapshot;
import io.rsockets4j.core.stat.Metric;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.StandardMBean;

/** The bean: asks for what is known each time. Thread-safe. */
final class ConnectionsBean extends StandardMBean implements ConnectionsMXBean {
    private final Supplier<? extends Collection<ConnectionSnapshot>> connections;
    private final Supplier<? extends Collection<Metric>> metrics;

    ConnectionsBean(Supplier<? extends Collection<ConnectionSnapshot>> connections,
            Supplier<? extends Collection<Metric>> metrics) {
        super(ConnectionsMXBean.class, true);
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

    @Override
    protected String getDescription(MBeanInfo info) {
        return "The connections of this process that rsockets4j carries or watches.";
    }

    @Override
    protected String getDescription(MBeanAttributeInfo info) {
        return switch (info.getName()) {
            case "Connections" -> "A row for each open end of a connection: addresses, path and the reason for it,"
                    + " bytes, of those direct ones, credit in bytes, stalls. Made when it is read.";
            case "Metrics" -> "Sums since the process began, by name and tags: open and opened ends, bytes sent and"
                    + " received, of those direct ones, stalls, fallbacks. Made when it is read.";
            default -> super.getDescription(info);
        };
    }
}
