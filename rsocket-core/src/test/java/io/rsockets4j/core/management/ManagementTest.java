/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.stat.ConnectionSnapshot;
import io.rsockets4j.core.stat.Metric;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a management tool reads. */
@Timeout(30)
class ManagementTest {
    private static final ConnectionSnapshot FIRST = new ConnectionSnapshot(1, "connect", "/127.0.0.1:5",
            "host/127.0.0.1:6", "shm", "0 preferred", 10, 20, 4096, 3, 1_700_000_000_000L, 9, 19);
    private static final ConnectionSnapshot SECOND = new ConnectionSnapshot(2, "accept", "/127.0.0.1:6",
            "/127.0.0.1:7", "tcp", "20 not-offered", 0, 0, 0, 0, 1_700_000_000_001L, 0, 0);
    private static final Metric SENT = new Metric("rsockets4j.bytes.sent", Metric.Kind.COUNTER, "bytes",
            new TreeMap<>(Map.of("path", "shm")), 10);

    private static MBeanServer server;
    private static ObjectName name;

    @BeforeAll
    static void register() throws Exception {
        name = new ObjectName(ConnectionsMXBean.NAME);
        Management.start(() -> List.of(SECOND, FIRST), () -> List.of(SENT));
        Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("rsockets4j-management")).forEach(Thread::interrupt);
        server = ManagementFactory.getPlatformMBeanServer();
        Eventually.until("the bean is there", () -> server.isRegistered(name));
    }

    @AfterAll
    static void unregister() throws Exception {
        server.unregisterMBean(name);
    }

    @Test
    void shouldShowEachComponentOfEachConnection() throws Exception {
        CompositeData[] connections = (CompositeData[]) server.getAttribute(name, "Connections");
        assertThat(connections).extracting(connection -> connection.get("id")).containsExactly(1L, 2L);
        assertThat(connections[0].getAll(new String[] {"direction", "local", "remote", "path", "reason", "bytesSent",
            "bytesReceived", "directBytesSent", "directBytesReceived", "creditBytes", "stalls",
            "openedAtMillis"})).containsExactly("connect", "/127.0.0.1:5",
                    "host/127.0.0.1:6", "shm", "0 preferred", 10L, 20L, 9L, 19L, 4096L, 3L, 1_700_000_000_000L);
    }

    @Test
    void shouldShowMetricsByNameAndTags() throws Exception {
        TabularData metrics = (TabularData) server.getAttribute(name, "Metrics");
        CompositeData row = metrics.get(new Object[] {"rsockets4j.bytes.sent{path=shm}"});
        assertThat(row.get("value")).isEqualTo(10L);
        assertThat(metrics.values()).hasSize(1);
    }

    @Test
    void shouldNotBeChanged() throws Exception {
        assertThat(server.getMBeanInfo(name).getOperations()).isEmpty();
        assertThat(server.getMBeanInfo(name).getAttributes()).noneMatch(attribute -> attribute.isWritable());
    }
}
