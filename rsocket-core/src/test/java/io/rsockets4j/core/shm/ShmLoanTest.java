/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.fabric.SourceMemory;
import io.rsockets4j.core.fabric.Streams;
import io.rsockets4j.core.host.SharedMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
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
    private SharedMemory shared;
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
        shared.remove();
        listening.queue().close();
    }

    private ByteBuffer lend() {
        ByteBuffer buffer = shared.buffer(BYTES);
        assertThat(client.lend(buffer, new SourceMemory.Part(new SourceMemory(buffer, shared, 0), 0))).isTrue();
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

    @Test
    void shouldNotLendWhatThisFabricHasNot() throws IOException {
        ShmFabric other = Fabrics.open(directory);
        SharedMemory others = other.share(BYTES);
        ByteBuffer buffer = others.buffer(BYTES);
        assertThat(client.lend(buffer, new SourceMemory.Part(new SourceMemory(buffer, others, 0), 0))).isFalse();
        assertThat(client.lend(buffer, null)).isFalse();
        others.remove();
    }
}
