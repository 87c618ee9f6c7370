/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.engine.Engine;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.spi.suite.kit.SharedDirectory;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams over shared memory, whose bytes go straight into the buffers of receives that wait. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class DirectShmTest {
    private static final SharedDirectory DIRECTORY = new SharedDirectory();
    private static final int MIB = 1 << 20;

    @BeforeAll
    static void choose() {
        System.setProperty("rsockets4j.paths", "shm");
        System.setProperty("rsockets4j.shm.dir", DIRECTORY.toString());
    }

    private static long directBytes(ExtendedSocket socket) {
        Link link = socket.link();
        return link.directBytesSent();
    }

    @Test
    void shouldFillReceivesThatWait() throws Exception {
        assertThat(Engine.instance()).isNotNull();
        try (Ends ends = new Ends(SocketType.STREAM)) {
            RegisteredMemory into = RegisteredMemory.allocate(64 * MIB);
            ends.server.receiveAll(into, 1, 63 * MIB, "all");
            assertThat(ends.queue.dequeue(1, TimeUnit.MILLISECONDS)).isNull();
            ends.client.send(Ends.filled(63 * MIB, 0), 0, 63 * MIB, null);
            assertThat(ends.received(ends.server).bytes()).isEqualTo(63 * MIB);
            Ends.check(into, 1, 63 * MIB, 0, 0);
            assertThat(directBytes(ends.client)).isEqualTo(63L * MIB);
        }
    }

    @Test
    void shouldKeepTheOrderWhoeverIsAhead() throws Exception {
        Random random = new Random(42);
        int total = 8 * MIB;
        RegisteredMemory from = Ends.filled(total, 7);
        RegisteredMemory into = RegisteredMemory.allocate(total);
        try (Ends ends = new Ends(SocketType.STREAM)) {
            int sent = 0;
            int received = 0;
            int asked = 0;
            while (received < total) {
                while (sent < total && random.nextInt(3) > 0) {
                    int length = Math.min(total - sent, 1 + random.nextInt(1 << random.nextInt(18)));
                    ends.client.send(from, sent, length, null);
                    sent += length;
                }
                int pending = random.nextInt(4);
                for (int i = 0; i < pending && received + asked < total; i++) {
                    int length = Math.min(total - received - asked, 1 + random.nextInt(1 << random.nextInt(18)));
                    ends.server.receiveAll(into, received + asked, length, null);
                    asked += length;
                }
                if (asked > 0 && sent >= received + asked) {
                    int got = ends.received(ends.server).bytes();
                    received += got;
                    asked -= got;
                }
            }
            Ends.check(into, 0, total, 0, 7);
            assertThat(directBytes(ends.client)).isBetween(1L, total - 1L);
        }
    }
}
