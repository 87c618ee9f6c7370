/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.stat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.host.StatNames;
import io.rsockets4j.core.host.UserDirectory;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Asking processes for their connections, good ones and bad ones. */
@Timeout(60)
class StatTest {
    private static final ConnectionSnapshot FIRST = new ConnectionSnapshot(1, "connect", "/127.0.0.1:5",
            "host/127.0.0.1:6", "shm", "0 preferred", 10, 20, 4096, 3, 1_700_000_000_000L, 9, 19);
    private static final ConnectionSnapshot SECOND = new ConnectionSnapshot(2, "accept", "/127.0.0.1:6",
            "/127.0.0.1:7", "tcp", "20 not-offered", 0, 0, 0, 0, 1_700_000_000_001L, 0, 0);
    private static final String SERVED = "rsockets4j 1, paths=shm";
    private static final SessionSnapshot SESSION = new SessionSnapshot(4, "/10.0.0.1:5", "/10.0.0.2:6", "rxe0", 1, 3,
            "up", 7, 250, 1_114_112, 1_700_000_000_002L);

    @TempDir
    private Path parent;

    private Path directory;
    private final List<String> trouble = new ArrayList<>();

    @BeforeEach
    void open() throws IOException {
        directory = UserDirectory.open(parent.toString());
    }

    @Test
    void shouldHearOfAllConnectionsInTheirOrder() throws IOException {
        StatServer.start(parent.toString(), () -> SERVED, () -> List.of(SECOND, FIRST), () -> List.of(SESSION));
        ProcessSnapshot own = awaitOne();
        assertThat(own.pid()).isEqualTo(ProcessHandle.current().pid());
        assertThat(own.program()).isNotBlank().doesNotContain(" ");
        assertThat(own.served()).isEqualTo(SERVED);
        assertThat(own.connections()).containsExactly(FIRST, SECOND);
        assertThat(own.sessions()).containsExactly(SESSION);
        assertThat(trouble).isEmpty();
    }

    @Test
    void shouldAnswerAgainAndAgain() throws IOException {
        StatServer.start(parent.toString(), () -> SERVED, () -> List.of(FIRST), List::of);
        awaitOne();
        assertThat(StatClient.processes(parent.toString(), trouble::add)).hasSize(1);
        assertThat(StatClient.processes(parent.toString(), trouble::add)).hasSize(1);
    }

    @Test
    void shouldRemoveWhatADeadProcessLeft() throws IOException {
        Path socket = socketOfTheDead("1-a");
        assertThat(StatClient.processes(parent.toString(), trouble::add)).isEmpty();
        assertThat(socket).doesNotExist();
        assertThat(trouble).isEmpty();
    }

    @Test
    void shouldRemoveWhatDeadProcessesLeftWhenOneStarts() throws Exception {
        Path socket = socketOfTheDead("99999999-a");
        StatServer.start(parent.toString(), () -> SERVED, List::of, List::of);
        Path own = awaitOwnSocket(null);
        try (SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(own))) {
            assertThat(client.read(ByteBuffer.allocate(1))).isOne(); // it answers once it has tidied up
        }
        assertThat(socket).doesNotExist();
        assertThat(own).exists();
    }

    private Path socketOfTheDead(String name) throws IOException {
        Path socket = directory.resolve(name + StatNames.SUFFIX);
        ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        dead.bind(UnixDomainSocketAddress.of(socket));
        dead.close(); // as at the end of a process, the file stays
        assertThat(socket).exists();
        return socket;
    }

    /** The socket by which this process answers, other than one that is known. */
    private Path awaitOwnSocket(Path known) throws Exception {
        String names = ProcessHandle.current().pid() + "-*.stat";
        AtomicReference<Path> own = new AtomicReference<>();
        Eventually.until("there is a socket other than " + known, () -> {
            try (DirectoryStream<Path> sockets = Files.newDirectoryStream(directory, names)) {
                sockets.forEach(socket -> own.compareAndSet(null, socket.equals(known) ? null : socket));
            }
            return own.get() != null;
        });
        return own.get();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nonsense\nend\n", "rsockets4j-stat 2\t7\tprogram\n", "rsockets4j-stat 1\t7\tp\nend\n",
        "rsockets4j-stat 2\tx\tp\nend\n", "rsockets4j-stat 2\t7\tp\n1\tconnect\nend\n",
        "rsockets4j-stat 2\t7\tp\nsession\t/a:1\nend\n", "rsockets4j-stat 2\t7\tp\n1\tconnect\n"})
    void shouldTellOfAnAnswerThatMakesNoSense(String answer) throws Exception {
        Path socket = directory.resolve("1-b" + StatNames.SUFFIX);
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(UnixDomainSocketAddress.of(socket));
            Thread server = new Thread(() -> answer(listener, answer));
            server.start();
            assertThat(StatClient.processes(parent.toString(), trouble::add)).isEmpty();
            server.join();
        }
        assertThat(trouble).singleElement().asString().startsWith("1-b.stat: ");
    }

    @Test
    void shouldNotWaitForAProcessThatDoesNotAnswer() throws IOException {
        try (ServerSocketChannel silent = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            silent.bind(UnixDomainSocketAddress.of(directory.resolve("1-c" + StatNames.SUFFIX)));
            assertThat(StatClient.processes(parent.toString(), trouble::add)).isEmpty();
        }
        assertThat(trouble).singleElement().asString().contains("no answer in time");
    }

    @Test
    void shouldLeaveOutAProcessThatDiesWhileItAnswers() throws Exception {
        Path socket = directory.resolve("1-d" + StatNames.SUFFIX);
        ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        listener.bind(UnixDomainSocketAddress.of(socket));
        Thread server = new Thread(() -> answerAndDie(listener, "rsockets4j-stat 2\t7\tprogram\n"));
        server.start();
        assertThat(StatClient.processes(parent.toString(), trouble::add)).isEmpty();
        server.join();
        assertThat(trouble).isEmpty();
        assertThat(socket).doesNotExist();
    }

    @Test
    void shouldFindNobodyWhereThisUserHasNoDirectory(@TempDir Path other) throws IOException {
        assertThat(StatClient.processes(other.toString(), trouble::add)).isEmpty();
        assertThat(trouble).isEmpty();
    }

    @Test
    void shouldSayThatThereIsNoSuchDirectory() {
        String none = parent.resolve("none").toString();
        assertThatThrownBy(() -> StatClient.processes(none, trouble::add)).isInstanceOf(IOException.class)
                .hasMessageContaining(none + " is not a directory").hasMessageContaining("rsockets4j.shm.dir");
    }

    @Test
    void shouldAskNobodyInADirectoryThatOthersMayEnter() throws IOException {
        StatServer.start(parent.toString(), () -> SERVED, () -> List.of(FIRST), List::of);
        awaitOne();
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThatThrownBy(() -> StatClient.processes(parent.toString(), trouble::add))
                .isInstanceOf(IOException.class).hasMessageContaining("chmod 700");
    }

    @Test
    void shouldReadALaterVersionsFurtherFields() {
        assertThat(ConnectionSnapshot.decode(FIRST.encode() + "\tmore")).isEqualTo(FIRST);
        assertThat(SessionSnapshot.decode(SESSION.encode() + "\tmore")).isEqualTo(SESSION);
        assertThatThrownBy(() -> ConnectionSnapshot.decode("1\t2")).hasMessageContaining("2 fields instead of 13");
        assertThatThrownBy(() -> SessionSnapshot.decode("session\t2")).hasMessageContaining("2 fields instead of 12");
    }

    @Test
    void shouldAnswerAfterAnInterruptAndAfterAnError() throws IOException {
        AtomicInteger asked = new AtomicInteger();
        StatServer.start(parent.toString(), () -> SERVED, () -> {
            if (asked.incrementAndGet() == 2) {
                throw new StackOverflowError("a test's");
            }
            return List.of(FIRST);
        }, List::of);
        awaitOne();
        interruptServers();
        while (asked.get() < 3) {
            assertThat(awaitOne().connections()).containsExactly(FIRST);
        }
    }

    @Test
    void shouldListenByAnotherNameAfterAnInterrupt() throws Exception {
        StatServer.start(parent.toString(), () -> SERVED, () -> List.of(FIRST), List::of);
        Path first = awaitOwnSocket(null);
        interruptServers();
        awaitOwnSocket(first);
        Files.deleteIfExists(first); // as whoever is refused by the first listener does
        assertThat(awaitOne().connections()).containsExactly(FIRST);
    }

    private static void interruptServers() {
        Thread.getAllStackTraces().keySet().stream().filter(thread -> thread.getName().equals("rsockets4j-stat"))
                .forEach(Thread::interrupt);
    }

    private ProcessSnapshot awaitOne() throws IOException {
        while (!Thread.currentThread().isInterrupted()) { // by the time limit of the class
            List<ProcessSnapshot> found = StatClient.processes(parent.toString(), trouble::add);
            if (!found.isEmpty()) {
                return found.get(0);
            }
            Thread.onSpinWait();
        }
        throw new AssertionError("this process never answered: " + trouble);
    }

    private static void answerAndDie(ServerSocketChannel listener, String text) {
        try (listener; SocketChannel client = listener.accept()) {
            listener.close();
            client.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void answer(ServerSocketChannel listener, String text) {
        try (SocketChannel client = listener.accept()) {
            client.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
