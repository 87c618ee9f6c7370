/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs.compare;

import java.net.http.HttpClient.Version;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import javax.net.SocketFactory;
import javax.net.ssl.SSLSocketFactory;

/** The programs, each as a server and clients. A constant's name is the program's, in small letters. */
enum Program {
    THREADS("a thread per connection, of our own", 4, OtherClients::echo, ours("EchoServer")),
    THREADS_32("the same, 32 connections", 32, OtherClients::echo, ours("EchoServer")),
    VIRTUAL("the same with virtual threads on both sides; Java 21", 32, OtherClients::echo,
            ours("EchoServer"), "virtual"),
    JETTY("Jetty, clients on plain sockets", 4, Program::web, ours("JettyServer")),
    UNDERTOW("Undertow, clients on plain sockets", 4, Program::web, ours("UndertowServer")),
    TOMCAT("Tomcat on NIO, clients on plain sockets", 4, Program::web, ours("TomcatServer"), ".", "nio"),
    TOMCAT_NIO2("Tomcat on asynchronous channels, clients on plain sockets", 4, Program::web,
            ours("TomcatServer"), ".", "nio2"),
    TOMCAT_TLS("Tomcat on NIO, clients on SSLSocket", 4,
            port -> WebClients.socket(SSLSocketFactory.getDefault(), port), ours("TomcatServer"), ".", "nio", "tls"),
    TOMCAT_H2("Tomcat on NIO, HttpClient by HTTP/2", 4,
            port -> WebClients.httpClient(Version.HTTP_2, "http://127.0.0.1:" + port),
            ours("TomcatServer"), ".", "nio"),
    NETTY("Netty on both sides, 32 connections", 1, port -> new NettyLoad("nio", port), ours("NettyServer"), "nio"),
    NETTY_NATIVE("the same; TCP by Netty's own epoll", 1, port -> new NettyLoad("native", port),
            ours("NettyServer"), "native"),
    HTTPCLIENT("the JDK's HttpServer and HttpClient", 4,
            port -> WebClients.httpClient(Version.HTTP_1_1, "http://127.0.0.1:" + port), ours("JdkHttpServer")),
    URLCONNECTION("the JDK's HttpServer and HttpURLConnection", 4,
            port -> WebClients.urlConnection("http://127.0.0.1:" + port), ours("JdkHttpServer")),
    HTTPS("the JDK's HttpsServer and HttpsURLConnection", 4,
            port -> WebClients.urlConnection("https://127.0.0.1:" + port), ours("JdkHttpServer"), "tls"),
    RMI("calls by RMI", 4, OtherClients::rmi, ours("RmiServer"), Program.PORT),
    JMX("questions by JMX", 1, OtherClients::jmx,
            "-Dcom.sun.management.jmxremote.port=" + Program.PORT,
            "-Dcom.sun.management.jmxremote.rmi.port=" + Program.PORT,
            "-Dcom.sun.management.jmxremote.authenticate=false",
            "-Dcom.sun.management.jmxremote.ssl=false", ours("JdkHttpServer")),
    REDIS("Jedis, and a small server of Redis' protocol", 4, OtherClients::redis, ours("RedisMock")),
    H2("JDBC to H2 in memory", 4, port -> OtherClients.jdbc("jdbc:h2:tcp://127.0.0.1:" + port + "/mem:content"),
            "org.h2.tools.Server", "-tcp", "-ifNotExists", "-tcpPort", Program.PORT),
    DERBY("JDBC to Derby in memory", 4,
            port -> OtherClients.jdbc("jdbc:derby://127.0.0.1:" + port + "/memory:content;create=true"),
            "org.apache.derby.drda.NetworkServerControl", "start", "-noSecurityManager", "-p", Program.PORT),
    HSQLDB("JDBC to HSQLDB in memory", 4,
            port -> OtherClients.jdbc("jdbc:hsqldb:hsql://127.0.0.1:" + port + "/content"),
            "org.hsqldb.server.Server", "--address", "127.0.0.1", "--database.0", "mem:content",
            "--dbname.0", "content", "--port", Program.PORT),
    KAFKA_SEND("Kafka: one record and its acknowledgement", 4, KafkaClients::send,
            ours("KafkaServer"), Program.PORT, Program.OTHER_PORT),
    KAFKA_BATCH("Kafka: 500 records and their acknowledgements", 1, KafkaClients::batch,
            ours("KafkaServer"), Program.PORT, Program.OTHER_PORT),
    KAFKA_FETCH("Kafka: a fetch of 100 kB", 1, KafkaClients::fetch,
            ours("KafkaServer"), Program.PORT, Program.OTHER_PORT),
    ARTEMIS("Artemis: a message to the broker and back", 4, OtherClients::artemis,
            ours("ArtemisServer"), Program.PORT);

    /** Stands in a command for the port that clients connect to. */
    static final String PORT = "{port}";
    /** Stands in a command for another free port. */
    static final String OTHER_PORT = "{other}";

    private static final int JAVA_OF_VIRTUAL_THREADS = 21;

    private final String text;
    private final int clients;
    private final Opener opener;
    private final List<String> command;

    Program(String text, int clients, Opener opener, String... command) {
        this.text = text;
        this.clients = clients;
        this.opener = opener;
        this.command = List.of(command);
    }

    private interface Opener {
        Client open(int port) throws Exception;
    }

    private static String ours(String server) {
        return "io.rsockets4j.it.programs." + server;
    }

    private static Client web(int port) throws Exception {
        return WebClients.socket(SocketFactory.getDefault(), port);
    }

    static Program named(String name) {
        return Arrays.stream(values())
                .filter(program -> program.toString().equals(name))
                .findAny()
                .orElseThrow(() -> new IllegalArgumentException("no program \"" + name + "\"; there are " + names()));
    }

    private static String names() {
        return Arrays.stream(values()).map(Program::toString).collect(Collectors.joining(", "));
    }

    String text() {
        return text;
    }

    /** How many threads have a client each. */
    int clients() {
        return clients;
    }

    /** What follows the java command and its class path for the server, with {@link #PORT} where a port goes. */
    List<String> command() {
        return command;
    }

    /** Whether the clients' threads are virtual. */
    boolean isVirtual() {
        return this == VIRTUAL;
    }

    boolean runsOn(int javaVersion) {
        return !isVirtual() || javaVersion >= JAVA_OF_VIRTUAL_THREADS;
    }

    /** Opens a client of the server that listens on a port of this host. */
    Client open(int port) throws Exception {
        return opener.open(port);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
