/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.lang.management.ManagementFactory;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;

/** Asks the JVM's own beans over JMX remote. */
public final class JmxClient {
    private JmxClient() { }

    public static void main(String[] args) throws Exception {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        JMXConnectorServer server = JMXConnectorServerFactory.newJMXConnectorServer(
                new JMXServiceURL("service:jmx:rmi://localhost"), null, beans);
        server.start();
        try (JMXConnector client = JMXConnectorFactory.connect(server.getAddress())) {
            Object name = client.getMBeanServerConnection()
                    .getAttribute(new ObjectName(ManagementFactory.RUNTIME_MXBEAN_NAME), "Name");
            if (!ManagementFactory.getRuntimeMXBean().getName().equals(name)) {
                throw new AssertionError("another JVM has answered: " + name);
            }
        }
        server.stop();
        System.exit(0);
    }
}
