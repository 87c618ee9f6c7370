/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs.compare;

import io.rsockets4j.it.programs.EchoServer;
import io.rsockets4j.it.programs.RmiService;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.rmi.registry.LocateRegistry;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import redis.clients.jedis.Jedis;

/** Clients of servers that are no web servers. */
final class OtherClients {
    private static final int ROWS = 1_000;

    private OtherClients() { }

    /** A request and an answer on a blocking socket. */
    static Client echo(int port) throws IOException {
        Socket socket = new Socket("127.0.0.1", port);
        socket.setTcpNoDelay(true);
        DataInputStream in = new DataInputStream(socket.getInputStream());
        OutputStream out = socket.getOutputStream();
        byte[] request = new byte[EchoServer.REQUEST];
        byte[] answer = new byte[EchoServer.ANSWER];
        return Client.repeating(() -> {
            out.write(request);
            in.readFully(answer);
            return answer;
        });
    }

    /** A call. */
    static Client rmi(int port) throws Exception {
        RmiService server = (RmiService) LocateRegistry.getRegistry("127.0.0.1", port).lookup(RmiService.NAME);
        byte[] request = new byte[EchoServer.REQUEST];
        return Client.repeating(() -> server.digest(request));
    }

    /** A question for one attribute. */
    static Client jmx(int port) throws IOException {
        JMXServiceURL url = new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + port + "/jmxrmi");
        MemoryMXBean memory = ManagementFactory.newPlatformMXBeanProxy(
                JMXConnectorFactory.connect(url).getMBeanServerConnection(),
                ManagementFactory.MEMORY_MXBEAN_NAME, MemoryMXBean.class);
        return Client.repeating(memory::getHeapMemoryUsage);
    }

    /** A get of one small value. */
    static Client redis(int port) {
        Jedis jedis = new Jedis("127.0.0.1", port);
        byte[] key = "key".getBytes(StandardCharsets.US_ASCII);
        jedis.set(key, new byte[EchoServer.REQUEST]);
        return Client.repeating(() -> jedis.get(key));
    }

    /** A row by its primary key, by a prepared statement. */
    static Client jdbc(String url) throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        fill(connection);
        PreparedStatement select = connection.prepareStatement("select line from content where id = ?");
        int[] next = new int[1];
        return Client.repeating(() -> {
            next[0] = (next[0] + 1) % ROWS;
            select.setInt(1, next[0]);
            try (ResultSet result = select.executeQuery()) {
                if (!result.next()) {
                    throw new IllegalStateException("no row " + next[0]);
                }
                return result.getString(1);
            }
        });
    }

    /** Makes the table, unless the client before has. */
    private static void fill(Connection connection) throws SQLException {
        try (ResultSet tables = connection.getMetaData().getTables(null, null, "CONTENT", null)) {
            if (tables.next()) {
                return;
            }
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("create table content(id int primary key, line varchar(200))");
        }
        try (PreparedStatement insert = connection.prepareStatement("insert into content values(?, ?)")) {
            for (int i = 0; i < ROWS; i++) {
                insert.setInt(1, i);
                insert.setString(2, "x".repeat(EchoServer.REQUEST));
                insert.executeUpdate();
            }
        }
    }

    /** A message through the broker and back, by a queue of its own. */
    static Client artemis(int port) throws Exception {
        ClientSession session = ActiveMQClient.createServerLocator("tcp://127.0.0.1:" + port)
                .createSessionFactory()
                .createSession();
        String queue = "queue-" + System.nanoTime();
        session.createQueue(QueueConfiguration.of(queue).setDurable(false));
        ClientProducer producer = session.createProducer(queue);
        ClientConsumer consumer = session.createConsumer(queue);
        session.start();
        byte[] body = new byte[EchoServer.REQUEST];
        return Client.repeating(() -> {
            producer.send(session.createMessage(false).writeBodyBufferBytes(body));
            ClientMessage message = consumer.receive();
            message.acknowledge();
            return message;
        });
    }
}
