/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The doctor of the finished jar, on this host and to a server. */
class DoctorIT {
    private static final String SERVER = "io.rsockets4j.agent.programs.EchoServer";

    @Test
    void shouldSayWhatWorksHere() throws Exception {
        ForkedJvm.Result result = ForkedJvm.run("-jar", System.getProperty("jar.under.test"), "doctor");
        assertThat(result.exit()).as(result.out() + result.err()).isZero();
        assertThat(result.out()).contains("Java " + Runtime.version(), "Linux", "/dev/shm")
                .containsPattern("shm +works").containsPattern("tcp +works");
        assertThat(result.err()).isEmpty();
    }

    @Test
    void shouldExitWithOneWithoutSharedMemory() throws Exception {
        ForkedJvm.Result result = ForkedJvm.run("-Drsockets4j.shm.dir=/nowhere", "-jar",
                System.getProperty("jar.under.test"), "doctor", "--json");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.out()).hasLineCount(1).startsWith("{\"level\":\"error\"")
                .contains("/nowhere is not a directory");
    }

    @Test
    void shouldSayWhichPathsLeadToAServer() throws Exception {
        try (ForkedJvm server = ForkedJvm.start(ForkedJvm.agent("paths=shm,tcp,handshake.millis=30000"), SERVER,
                "9")) {
            String peer = "127.0.0.1:" + server.line();
            ForkedJvm.Result result = ForkedJvm.run("-Drsockets4j.handshake.millis=30000", "-jar",
                    System.getProperty("jar.under.test"), "doctor", "--peer", peer);
            assertThat(result.exit()).as(result.out() + result.err()).isZero();
            assertThat(result.out()).contains("Paths from here to " + peer).containsPattern("shm +works")
                    .containsPattern("rdma +does not work").containsPattern("tcp +works")
                    .containsPattern("reason (20 not-offered|40 no-device|42 no-binding)");
        }
    }

    @Test
    void shouldSayWhichProcessHasNoAgent() throws Exception {
        try (ForkedJvm server = ForkedJvm.start(SERVER, "9")) {
            assertThat(doctor("127.0.0.1:" + server.line())).contains("process " + server.pid()
                    + " listens there, a JVM without rsockets4j").containsPattern("reason 33 without-agent");
        }
    }

    @Test
    void shouldSayInWhichDirectoryAPeerIs(@TempDir Path directory) throws Exception {
        try (ForkedJvm server = ForkedJvm.start(ForkedJvm.agent("shm.dir=" + directory), SERVER, "9")) {
            assertThat(doctor("127.0.0.1:" + server.line())).contains("process " + server.pid()
                    + " listens there and has rsockets4j, but its directory is " + directory)
                    .containsPattern("reason 32 other-directory");
        }
    }

    private static String doctor(String peer) throws Exception {
        return ForkedJvm.run("-jar", System.getProperty("jar.under.test"), "doctor", "--peer", peer).out();
    }

    @Test
    void shouldRefuseAPeerWithoutAPort() throws Exception {
        ForkedJvm.Result result = ForkedJvm.run("-jar", System.getProperty("jar.under.test"), "doctor", "--peer", "h");
        assertThat(result.exit()).isEqualTo(2);
        assertThat(result.err()).contains("HOST:PORT");
    }
}
