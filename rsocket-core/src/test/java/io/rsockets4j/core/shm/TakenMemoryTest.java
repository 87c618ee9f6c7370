/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.fabric.Streams;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process of the same user takes back, by truncate, the memory that it shares. Its connections are reset; others go
 * on. Here all are one process, and the files are found as any process finds its own. A JVM may throw the error of a
 * fault late, in code that only follows; so the tests hand in the error, and touch the memory only when it is mended.
 */
class TakenMemoryTest {
    private static final InternalError FAULT = new InternalError("a fault, as the JVM would say");

    @TempDir
    private Path directory;
    private Fabrics.Listening listening;
    private ShmFabric hostile;
    private ShmLink client;
    private ShmLink server;

    @BeforeEach
    void connect() throws Exception {
        listening = Fabrics.listen(Fabrics.open(directory));
        hostile = Fabrics.open(directory);
        client = Fabrics.connect(hostile, listening.address());
        server = listening.accept();
        echo(client, server);
    }

    /** Whatever one peer does: others are served, and so is that one when it comes again. */
    @AfterEach
    void othersAreServed() throws Exception {
        server.close(false);
        client.close(false);
        for (ShmFabric fabric : List.of(Fabrics.open(directory), hostile)) {
            ShmLink[] link = {null};
            Eventually.until("a connect", () -> {
                link[0] = connected(fabric);
                return link[0] != null;
            });
            ShmLink accepted = listening.accept();
            echo(link[0], accepted);
            link[0].close(false);
            accepted.close(false);
        }
        listening.queue().close();
    }

    @Test
    void shouldResetTheConnectionsOfWhoTakesMemoryBack() throws IOException {
        takeMemoryBack();
        server.faulted(FAULT);
        assertReset();
        assertThatThrownBy(() -> server.send(ByteBuffer.allocate(1))).hasMessage("Broken pipe");
        assertThat(server.isReady(SelectionKey.OP_READ)).isTrue();
        assertThat(server.available()).isZero();
    }

    @Test
    void shouldTellWhoAccepts() throws IOException {
        takeMemoryBack();
        assertThat(listening.queue().mend()).isTrue();
        assertReset();
    }

    @Test
    void shouldLeaveAFaultAloneThatIsNotOfSharedMemory() {
        assertThatThrownBy(() -> server.faulted(FAULT)).isSameAs(FAULT);
        assertThat(listening.queue().mend()).isFalse();
    }

    private ShmLink connected(ShmFabric fabric) {
        try {
            return Fabrics.connect(fabric, listening.address());
        } catch (IOException e) {
            return null; // the session is just ending
        }
    }

    private static void echo(ShmLink one, ShmLink other) throws IOException {
        Streams.writeByte(one, 42);
        assertThat(Streams.readByte(other)).isEqualTo(42);
    }

    private void assertReset() {
        assertThatThrownBy(() -> server.receive(ByteBuffer.allocate(1)))
                .isInstanceOf(SocketException.class).hasMessage("Connection reset");
    }

    /** Truncates the files of the session, which have no names any more. */
    private void takeMemoryBack() throws IOException {
        int taken = 0;
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors.toList()) {
                if (isOfSession(descriptor)) {
                    try (RandomAccessFile file = new RandomAccessFile(descriptor.toFile(), "rw")) {
                        file.setLength(0);
                        taken++;
                    }
                }
            }
        }
        assertThat(taken).isGreaterThanOrEqualTo(2);
    }

    private boolean isOfSession(Path descriptor) {
        try {
            String target = Files.readSymbolicLink(descriptor).toString();
            return target.startsWith(directory.toString()) && target.endsWith("(deleted)");
        } catch (IOException e) {
            return false; // it was that of the directory
        }
    }
}
