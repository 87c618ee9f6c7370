/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that know nothing of us, client and server in one JVM, prove by the summary which path they took. */
class ProgramsIT {
    private static final String PROGRAMS = "io.rsockets4j.agent.programs.";

    @ParameterizedTest
    @ValueSource(strings = {"SocketEcho", "ObjectStreams", "HttpPrograms", "RemoteMethod", "SocksClient",
        "AcceptSubclass", "ForgottenSocket", "JmxClient"})
    void shouldRunOverSharedMemoryAlone(String program) throws Exception {
        assertThat(run(PROGRAMS + program)).matches("rsockets4j: connections shm=[1-9]\\d* tcp=0\\R");
    }

    @Test
    void shouldAcceptIntoWhatTheJdkAcceptsInto() throws Exception {
        assertThat(run("--add-opens", "java.base/java.net=ALL-UNNAMED", PROGRAMS + "AcceptCombinations"))
                .isEqualTo("rsockets4j: connections shm=6 tcp=0\n");
    }

    @Test
    void shouldRunOnIpv4Alone() throws Exception {
        assertThat(run("-Djava.net.preferIPv4Stack=true", PROGRAMS + "SocketEcho"))
                .isEqualTo("rsockets4j: connections shm=2 tcp=0\n");
    }

    @Test
    void shouldRunWithNoMoreModulesThanItNeeds() throws Exception {
        assertThat(run("--limit-modules", "java.base,java.instrument", PROGRAMS + "SocketEcho"))
                .isEqualTo("rsockets4j: connections shm=2 tcp=0\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Encrypted", "EncryptedHttp", "EncryptedRemoteMethod"})
    void shouldEncrypt(String program, @TempDir Path directory) throws Exception {
        String store = directory.resolve("keys.p12").toString();
        Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair", "-alias", "test", "-keyalg", "EC", "-dname", "CN=localhost", "-storetype", "PKCS12",
                "-keystore", store, "-storepass", "password", "-ext",
                "SAN=dns:localhost,ip:127.0.0.1").inheritIO().start();
        assertThat(keytool.waitFor()).isZero();
        assertThat(run("-Djavax.net.ssl.keyStore=" + store, "-Djavax.net.ssl.keyStorePassword=password",
                "-Djavax.net.ssl.trustStore=" + store, "-Djavax.net.ssl.trustStorePassword=password",
                PROGRAMS + program)).matches("rsockets4j: connections shm=[1-9]\\d* tcp=0\\R");
    }

    @Test
    void shouldLeaveAFactoryOfTheProgramAlone() throws Exception {
        assertThat(run(PROGRAMS + "OwnFactory")).isEqualTo("rsockets4j: connections shm=0 tcp=0\n");
    }

    @Test
    void shouldSwitchOffTheNativeTransportsOfACopyOfNetty() throws Exception {
        String copy = PROGRAMS + "netty.channel.epoll.Epoll";
        assertThat(ForkedJvm.run(ForkedJvm.agent(""), copy).out()).isEqualTo("noNative=true\n");
        assertThat(ForkedJvm.run(ForkedJvm.agent(""), "-D" + PROGRAMS + "netty.transport.noNative=false", copy).out())
                .isEqualTo("noNative=false\n");
    }

    @Test
    void shouldRunBesideJmxRemote() throws Exception {
        assertThat(run("-Dcom.sun.management.jmxremote.port=0", "-Dcom.sun.management.jmxremote.ssl=false",
                "-Dcom.sun.management.jmxremote.authenticate=false", "-Dcom.sun.management.jmxremote.host=127.0.0.1",
                PROGRAMS + "SocketEcho")).matches("rsockets4j: connections shm=[1-9]\\d* tcp=0\\R");
    }

    /** A debugger's own sockets are Java's, those of the program that it debugs are native ones. */
    @Test
    void shouldRunBesideADebugger() throws Exception {
        String patient = "handshake.millis=20000,summary=true"; // a debugged JVM may be slow
        try (ForkedJvm server = ForkedJvm.start("-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,"
                + "address=127.0.0.1:0", ForkedJvm.agent(patient), PROGRAMS + "EchoServer", "1")) {
            String listening = server.line();
            String port = server.line();
            String debugPort = listening.substring(listening.lastIndexOf(':') + 1).strip();
            ForkedJvm.Result debugger = ForkedJvm.run(ForkedJvm.agent("summary=true"), PROGRAMS + "Debugger",
                    debugPort);
            assertThat(debugger.out()).isEqualTo("main\n");
            assertThat(debugger.counts()).isEqualTo("rsockets4j: connections shm=0 tcp=1\n");
            assertThat(ForkedJvm.run(ForkedJvm.agent(patient), PROGRAMS + "EchoClient", port).out())
                    .isEqualTo("echoed\n");
            assertThat(server.result().counts()).isEqualTo("rsockets4j: connections shm=1 tcp=0\n");
        }
    }

    /** The JDK takes standard output and error from such a program. */
    @Test
    void shouldLeaveAnInheritedConnectionToTheJdk() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ForkedJvm program = ForkedJvm.startBy(List.of("bash", "-c",
                        "exec \"$@\" 0<>/dev/tcp/127.0.0.1/" + listener.getLocalPort(), "bash"),
                        ForkedJvm.agent(""), PROGRAMS + "Inherited");
                Socket peer = listener.accept()) {
            byte[] sent = new byte[5000];
            Arrays.fill(sent, (byte) 3);
            peer.getOutputStream().write(sent);
            peer.shutdownOutput();
            assertThat(peer.getInputStream().readAllBytes()).isEqualTo(sent);
            assertThat(program.result().exit()).isZero();
        }
    }

    @Test
    void shouldEndAConnectByClose() throws Exception {
        String patient = "paths=shm,handshake.millis=20000";
        try (ForkedJvm server = ForkedJvm.start(ForkedJvm.agent(patient), PROGRAMS + "EchoServer", "1")) {
            ForkedJvm.Result client = ForkedJvm.run(ForkedJvm.agent(patient), PROGRAMS + "ClosedWhileConnecting",
                    server.line(), Long.toString(server.pid()));
            assertThat(client.out()).isEqualTo("java.net.SocketException: Socket closed\nechoed\n");
        }
    }

    @Test
    void shouldServePlainClientsToo() throws Exception {
        try (ForkedJvm server = ForkedJvm.start(ForkedJvm.agent("summary=true"), PROGRAMS + "EchoServer", "2")) {
            String port = server.line();
            assertThat(ForkedJvm.run(PROGRAMS + "EchoClient", port).out()).isEqualTo("echoed\n");
            assertThat(ForkedJvm.run(ForkedJvm.agent(""), PROGRAMS + "EchoClient", port).out()).isEqualTo("echoed\n");
            assertThat(server.result().counts()).isEqualTo("rsockets4j: connections shm=1 tcp=1\n");
        }
    }

    @Test
    void shouldReachPlainServers() throws Exception {
        try (ForkedJvm server = ForkedJvm.start(PROGRAMS + "EchoServer", "1")) {
            String port = server.line();
            ForkedJvm.Result client = ForkedJvm.run(ForkedJvm.agent("summary=true"), PROGRAMS + "EchoClient", port);
            assertThat(client.out()).isEqualTo("echoed\n");
            assertThat(client.counts()).isEqualTo("rsockets4j: connections shm=0 tcp=1\n");
        }
    }

    @Test
    void shouldRefuseWhereTcpIsNotAllowed() throws Exception {
        try (ForkedJvm server = ForkedJvm.start(PROGRAMS + "EchoServer", "1")) {
            String port = server.line();
            ForkedJvm.Result client = ForkedJvm.run(ForkedJvm.agent("paths=shm"), PROGRAMS + "EchoClient", port);
            assertThat(client.exit()).isEqualTo(1);
            assertThat(client.err()).contains("java.net.ConnectException: Connection refused")
                    .contains("rsockets4j.paths=shm does not allow tcp");
        }
    }

    @Test
    void shouldCloseWhoComesByTcpWhereTcpIsNotAllowed() throws Exception {
        try (ForkedJvm server = ForkedJvm.start(ForkedJvm.agent("paths=shm,summary=true"),
                PROGRAMS + "EchoServer", "1")) {
            String port = server.line();
            assertThat(ForkedJvm.run(PROGRAMS + "EchoClient", port).exit()).isEqualTo(1);
            assertThat(ForkedJvm.run(ForkedJvm.agent(""), PROGRAMS + "EchoClient", port).out()).isEqualTo("echoed\n");
            assertThat(server.result().counts()).isEqualTo("rsockets4j: connections shm=1\n");
        }
    }

    /** Runs a program with the agent; returns its standard error. */
    private static String run(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(ForkedJvm.agent("summary=true")));
        command.addAll(Arrays.asList(arguments));
        ForkedJvm.Result result = ForkedJvm.run(command.toArray(String[]::new));
        assertThat(result.exit()).as(result.err()).isZero();
        return result.counts();
    }
}
