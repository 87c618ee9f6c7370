/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.VirtualMachine;
import io.rsockets4j.spi.suite.kit.Threads;
import java.util.Arrays;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a management tool sees that attaches to a program with the agent, as jconsole does. */
@Timeout(60)
class ManagementIT {
    private static final String PROGRAM = "io.rsockets4j.agent.programs.HeldConnection";

    @Test
    void shouldShowConnectionsAndMetrics() throws Exception {
        try (ForkedJvm program = ForkedJvm.start(ForkedJvm.agent(""), PROGRAM)) {
            assertThat(program.line()).isEqualTo("ready");
            try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(startManagement(program)))) {
                MBeanServerConnection server = connector.getMBeanServerConnection();
                ObjectName name = new ObjectName("io.rsockets4j:type=Connections");
                Threads.await("the bean", () -> server.isRegistered(name));
                CompositeData[] connections = (CompositeData[]) server.getAttribute(name, "Connections");
                assertThat(Arrays.stream(connections).filter(connection -> connection.get("path").equals("shm")))
                        .extracting(connection -> connection.get("bytesSent")).contains(5L, 3L);
                assertThat(server.getMBeanInfo(name).getAttributes()).allSatisfy(attribute ->
                        assertThat(attribute.getDescription()).endsWith(". Made when it is read."));
                TabularData metrics = (TabularData) server.getAttribute(name, "Metrics");
                CompositeData sent = metrics.get(new Object[] {"rsockets4j.bytes.sent{path=shm}"});
                assertThat((Long) sent.get("value")).isGreaterThanOrEqualTo(8);
            }
        }
    }

    private static String startManagement(ForkedJvm program) throws Exception {
        VirtualMachine machine = VirtualMachine.attach(String.valueOf(program.pid()));
        try {
            return machine.startLocalManagementAgent();
        } finally {
            machine.detach();
        }
    }
}
