/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.fabric.Streams;
import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process of the same user takes back, by truncate, the memory that it shares. Its connections are reset; others go
 * on. Here all are one process, and the files are found as any process finds its own. These tests hand in the error,
 * and touch the memory only when it is mended; {@link TakenInUseTest} has it come as the JVM throws it.
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
        SharedFiles.takeBack(directory, 0, false);
        server.faulted(FAULT);
        assertReset();
        assertThatThrownBy(() -> server.send(ByteBuffer.allocate(1))).hasMessage("Broken pipe");
        assertThat(server.isReady(SelectionKey.OP_READ)).isTrue();
        assertThat(server.available()).isZero();
    }

    @Test
    void shouldTellWhoAccepts() throws IOException {
        SharedFiles.takeBack(directory, 0, false);
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
}
