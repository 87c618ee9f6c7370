/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.spi.suite.kit.EchoServer;
import io.rsockets4j.spi.suite.kit.EngineSettings;
import io.rsockets4j.spi.suite.kit.Payload;
import io.rsockets4j.spi.suite.kit.Sockets;
import io.rsockets4j.spi.suite.kit.Task;
import io.rsockets4j.spi.suite.kit.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thousand connections over RDMA at once, both ends of each in one process. */
@NeedsRdma
@EngineSettings("paths=rdma")
@Timeout(600)
class ThousandConnectionsTest extends SuiteCase {
    private static final Sockets SOCKETS = OurSockets.atBothEnds();
    private static final int CONNECTIONS = 1_000;
    private static final int ROUNDS = 3;
    private static final String PINNED = "VmPin:";
    private static final long MOST_PINNED_KIB = 20 << 10; // of each end
    private static final int BYTES = 700;

    private final Payload payload = new Payload(21);

    @Override
    public Sockets sockets() {
        return SOCKETS;
    }

    @Test
    void shouldKeepAThousandConnectionsApart() throws Exception {
        ServerSocketChannel server = listen();
        Task<Long> echo = start("echo", new EchoServer(openSelector(), server)::call);
        long start = System.nanoTime();
        List<SocketChannel> clients = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            clients.add(connectTo(server));
        }
        report("1,000 connects", start);
        long pinned = pinnedKib();
        System.out.printf("figure: %d KiB are pinned for both ends of 1,000 idle connections%n", pinned);
        assertThat(pinned).isBetween(1L, 2 * MOST_PINNED_KIB);
        start = System.nanoTime();
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < CONNECTIONS; i++) {
                Wire.writeFully(clients.get(i), payload.slice(i * 31L, BYTES));
            }
            for (int i = 0; i < CONNECTIONS; i++) {
                Wire.receive(clients.get(i), payload, i * 31L, i * 31L + BYTES, BYTES);
            }
        }
        report(ROUNDS + " round trips on each", start);
        server.close();
        for (SocketChannel client : clients) {
            client.shutdownOutput();
            assertThat(client.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            client.close();
        }
        assertThat(echo.join()).isEqualTo(CONNECTIONS);
    }

    /** What the kernel counts as pinned by this process. */
    private static long pinnedKib() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith(PINNED)) {
                return Long.parseLong(line.substring(PINNED.length()).replace("kB", "").strip());
            }
        }
        return 0;
    }

    private static void report(String what, long start) {
        System.out.printf("figure: %s took %.1f s%n", what, (System.nanoTime() - start) / 1e9);
    }
}
