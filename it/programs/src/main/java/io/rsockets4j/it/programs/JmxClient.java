/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.RuntimeMXBean;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Looks into another JVM by JMX, as consoles do. */
final class JmxClient {
    private static final int QUESTIONS = 1_000;

    private JmxClient() { }

    /**
     * Compares what the JVM says of itself with what it was started with.
     *
     * @param args the port where it has its management agent, and the value of its property {@code content}
     */
    public static void main(String[] args) throws IOException {
        JMXServiceURL url = new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + args[0] + "/jmxrmi");
        try (JMXConnector connector = JMXConnectorFactory.connect(url)) {
            MBeanServerConnection server = connector.getMBeanServerConnection();
            RuntimeMXBean runtime = ManagementFactory.getPlatformMXBean(server, RuntimeMXBean.class);
            MemoryMXBean memory = ManagementFactory.getPlatformMXBean(server, MemoryMXBean.class);
            for (int i = 0; i < QUESTIONS; i++) {
                String content = runtime.getSystemProperties().get("content");
                if (!args[1].equals(content) || memory.getHeapMemoryUsage().getUsed() <= 0) {
                    throw new IllegalStateException("the JVM says " + content + ", expected " + args[1]);
                }
            }
        }
    }
}
