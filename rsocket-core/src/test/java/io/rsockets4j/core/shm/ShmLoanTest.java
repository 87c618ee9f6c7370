/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.fabric.SourceMemory;
import io.rsockets4j.core.fabric.Streams;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Loans of links, whose slots serve one connection after the other. */
@Timeout(30)
class ShmLoanTest {
    private static final int BYTES = 1 << 20;

    @TempDir
    private Path directory;
    private Fabrics.Listening listening;
    private ShmFabric fabric;
    private SourceMemory shared;
    private ShmLink client;
    private ShmLink server;

    @BeforeEach
    void connect() throws Exception {
        listening = Fabrics.listen(Fabrics.open(directory));
        fabric = Fabrics.open(directory);
        shared = fabric.share(BYTES);
        next();
    }

    private void next() throws Exception {
        client = Fabrics.connect(fabric, listening.address());
        server = listening.accept();
        client.useRegisteredMemory();
        server.useRegisteredMemory();
    }

    @AfterEach
    void close() {
        client.close(false);
        server.close(false);
        shared.shared().remove();
        listening.queue().close();
    }

    private ByteBuffer lend() {
        ByteBuffer buffer = shared.whole().duplicate();
        assertThat(client.lend(buffer, new SourceMemory.Part(shared, 0))).isTrue();
        return buffer;
    }

    /** What the program does last with a link that has closed must not reach into the connection after it. */
    @Test
    void shouldTakeBackNothingOfTheNextConnection() throws Exception {
        ShmLink first = client;
        lend();
        int slot = client.slot();
        client.close(false);
        server.close(true);
        do {
            next(); // slots are used again once both sides have let go of them
            Streams.writeByte(client, 1);
            assertThat(Streams.readByte(server)).isEqualTo(1);
            if (client.slot() != slot) {
                client.close(false);
                server.close(false);
            }
        } while (client.slot() != slot);
        ByteBuffer buffer = lend();
        assertThat(first.reclaim()).isZero();
        ByteBuffer dst = ByteBuffer.allocate(BYTES);
        while (dst.hasRemaining()) {
            assertThat(server.receive(dst)).isPositive();
        }
        assertThat(client.send(buffer)).isEqualTo(BYTES);
    }

    /** An interrupt would close the channel by which the memory is mapped. */
    @Test
    void shouldTakeALoanOfAnInterruptedThread() throws IOException {
        ByteBuffer buffer = lend();
        ByteBuffer dst = ByteBuffer.allocate(BYTES);
        Thread.currentThread().interrupt();
        assertThat(server.receive(dst)).isEqualTo(BYTES);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(client.send(buffer)).isEqualTo(BYTES);
    }

    /** A send that is taken and lost leaves nothing with the peer. */
    @Test
    void shouldTakeBackWhatIsLentToWhoHasClosed() throws IOException {
        ByteBuffer buffer = lend();
        server.receive(ByteBuffer.allocate(1000));
        server.close(true);
        assertThatThrownBy(() -> client.send(buffer)).hasMessage("Connection reset by peer");
        assertThat(buffer.position()).isEqualTo(1000);
    }

    @Test
    void shouldKeepNoDescriptor() throws IOException {
        int before = descriptors();
        List<SourceMemory> many = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            many.add(fabric.share(4096));
        }
        assertThat(descriptors()).isLessThan(before + 25);
        many.forEach(memory -> memory.shared().remove());
    }

    private static int descriptors() {
        return new File("/proc/self/fd").list().length;
    }

    @Test
    void shouldNotLendWhatThisFabricHasNot() throws IOException {
        ShmFabric other = Fabrics.open(directory);
        SourceMemory others = other.share(BYTES);
        ByteBuffer buffer = others.whole().duplicate();
        assertThat(client.lend(buffer, new SourceMemory.Part(others, 0))).isFalse();
        assertThat(client.lend(buffer, null)).isFalse();
        others.shared().remove();
    }
}
