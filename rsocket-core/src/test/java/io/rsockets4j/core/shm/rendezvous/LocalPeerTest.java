/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What stands between this process and a listener, by a folder such as the kernel's. */
class LocalPeerTest {
    private static final int SELF = 1000;
    private static final String NAMESPACE = "4026531840";
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("127.0.0.1", 8080);
    private static final String LISTENER = "   0: 00000000:1F90 00000000:0000 0A 0:0 00:0 0 %d 0 77 1 0 100\n";
    private static final String OTHERS = """
               0: 0200007F:1F90 00000000:0000 0A 0:0 00:0 0 999 0 70 1 0 100
               1: 0100007F:1F91 00000000:0000 0A 0:0 00:0 0 999 0 71 1 0 100
               2: 0100007F:1F90 0100007F:C350 01 0:0 00:0 0 999 0 72 1 0 100
            """; // at another address, at another port, and a connection
    private static final String JVM = "7f00-7f01 r-xp 00000000 08:01 12 /usr/lib/jvm/lib/server/libjvm.so\n";

    @TempDir
    private Path root;
    private Path proc;
    private Path directory;

    @BeforeEach
    void makeFolders() throws IOException {
        proc = root.resolve("proc");
        directory = Files.createDirectories(root.resolve("shm/rsockets4j-" + SELF));
        Files.createDirectories(proc.resolve("self/net"));
        Files.writeString(proc.resolve("self/net/tcp6"), "  sl  local_address\n");
        listen(SELF);
    }

    private void listen(int user) throws IOException {
        Files.writeString(proc.resolve("self/net/tcp"), "  sl  local_address\n" + OTHERS + LISTENER.formatted(user));
    }

    /** A process that has the listener's socket. */
    private void run(String maps) throws IOException {
        Path descriptors = Files.createDirectories(proc.resolve("4711/fd"));
        Files.createSymbolicLink(descriptors.resolve("3"), Path.of("socket:[12]"));
        Files.createSymbolicLink(descriptors.resolve("4"), Path.of("socket:[77]"));
        Files.writeString(proc.resolve("4711/maps"), maps);
    }

    private static String bells(Path where) {
        return "7f02-7f03 rw-s 00000000 00:1a 13 " + where.resolve("00112233445566778899aabbccddeeff.bells") + "\n";
    }

    private PathException inspect() {
        return new LocalPeer(proc, directory, NAMESPACE, SELF).inspect(ADDRESS);
    }

    private void shouldFind(Reason reason, String... words) {
        assertThat(inspect()).isNotNull().satisfies(found -> assertThat(found.reason()).isEqualTo(reason))
                .message().contains(words);
    }

    @Test
    void shouldTellAJvmWithoutUs() throws IOException {
        run(JVM);
        shouldFind(Reason.WITHOUT_AGENT, "process 4711 listens there, a JVM without rsockets4j");
    }

    @Test
    void shouldNotTakeAnotherFileOfThatSuffixForOurs() throws IOException {
        run(JVM + bells(Path.of("/home/someone")));
        shouldFind(Reason.WITHOUT_AGENT, "process 4711");
    }

    @Test
    void shouldTellWhatIsNoJvm() throws IOException {
        run("7f00-7f01 r-xp 00000000 08:01 12 /usr/bin/redis-server\n");
        shouldFind(Reason.STRANGER, "process 4711 listens there, which is no JVM");
    }

    @Test
    void shouldTellAnotherDirectory() throws IOException {
        run(JVM + bells(Path.of("/mnt/shm/rsockets4j-1000")));
        shouldFind(Reason.OTHER_DIRECTORY, "process 4711", "its directory is /mnt/shm/rsockets4j-1000",
                "that of this process " + directory);
    }

    @Test
    void shouldTellAnotherMountOfTheSameName() throws IOException {
        run(JVM + bells(directory));
        shouldFind(Reason.OTHER_DIRECTORY, directory + " of another mount");
    }

    @Test
    void shouldFindNothingWhereBothMeet() throws IOException {
        run(JVM + bells(directory));
        Files.createFile(directory.resolve("00112233445566778899aabbccddeeff.bells"));
        assertThat(inspect()).isNull();
    }

    @Test
    void shouldTellAnotherUserWithUsFromOneWithout() throws IOException {
        listen(999);
        shouldFind(Reason.STRANGER, "user number 999 listens there, and this process runs as 1000");
        Files.createDirectory(directory.resolveSibling("rsockets4j-999"));
        shouldFind(Reason.OTHER_USER, "user number 999 listens there, and this process runs as 1000");
    }

    @Test
    void shouldFindNothingWhereNobodyListensOrTheProcessIsHidden() throws IOException {
        assertThat(inspect()).as("hidden").isNull();
        Path descriptors = Files.createDirectories(proc.resolve("4711/fd"));
        Files.createSymbolicLink(descriptors.resolve("3"), Path.of("socket:[12]"));
        Files.writeString(proc.resolve("4711/maps"), JVM);
        assertThat(inspect()).as("a process with another socket").isNull();
        Files.writeString(proc.resolve("self/net/tcp"), "  sl  local_address\n");
        assertThat(inspect()).as("nobody").isNull();
    }

    @Test
    void shouldTellAnotherNamespace() throws IOException {
        Files.writeString(proc.resolve("self/net/tcp"), "  sl  local_address\n");
        Files.createFile(directory.resolve(NAMESPACE + "-8080-any.listen"));
        Files.createFile(directory.resolve("across-8080-7f000001.listen"));
        assertThat(inspect()).as("this one").isNull();
        Files.createFile(directory.resolve("4026539999-8080-any.listen"));
        shouldFind(Reason.OTHER_NAMESPACE, "network namespace 4026539999 listens at port 8080, this one is in "
                + NAMESPACE);
    }

    @Test
    void shouldTellAnotherHost() throws IOException {
        LocalPeer peer = new LocalPeer(proc, directory, NAMESPACE, SELF);
        InetSocketAddress address = new InetSocketAddress("10.1.2.3", 8080);
        Files.createFile(directory.resolve("4026539999-8080-any.listen"));
        assertThat(peer.inspectElsewhere(address).reason()).isEqualTo(Reason.OTHER_HOST);
        Files.createFile(directory.resolve("4026539999-8080-0a010203.listen"));
        assertThat(peer.inspectElsewhere(address).reason()).isEqualTo(Reason.OTHER_NAMESPACE);
        InetSocketAddress across = new InetSocketAddress("10.1.2.4", 8080);
        assertThat(peer.inspectElsewhere(across).reason()).isEqualTo(Reason.OTHER_HOST);
        Files.createFile(directory.resolve("across-8080-0a010204.listen"));
        assertThat(peer.inspectElsewhere(across)).hasMessageContaining("another network namespace listens at /10.1.2.4")
                .extracting(PathException::reason).isEqualTo(Reason.OTHER_NAMESPACE);
    }
}
