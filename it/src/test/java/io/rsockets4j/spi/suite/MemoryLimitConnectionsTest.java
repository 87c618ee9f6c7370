/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.spi.suite.kit.EngineSettings;
import io.rsockets4j.spi.suite.kit.Pair;
import io.rsockets4j.spi.suite.kit.Payload;
import io.rsockets4j.spi.suite.kit.Sockets;
import io.rsockets4j.spi.suite.kit.Task;
import io.rsockets4j.spi.suite.kit.Wire;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** RDMA before TCP in a process that may lock 8 MiB, as in most containers: 200 connections, then TCP. */
@NeedsRdma
@EngineSettings("paths=rdma,tcp")
@Timeout(300)
@EnabledIfSystemProperty(named = "suite.memlock", matches = "8388608", disabledReason = "no limit of 8 MiB is declared")
class MemoryLimitConnectionsTest extends SuiteCase {
    private static final OurSockets OURS = OurSockets.atBothEnds();
    private static final int CONNECTIONS = 200;
    private static final int MOST = 1000;
    private static final int STREAM = 300_000;

    private final Payload payload = new Payload(21);

    @Override
    public Sockets sockets() {
        return OURS;
    }

    @Test
    void shouldCarryManyConnectionsAndThenGoByTcp() throws Exception {
        ServerSocketChannel server = listen();
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            pairs.add(connect(server));
        }
        assertThat(OURS.count("tcp")).as("connection ends over TCP").isZero();
        for (Pair pair : pairs) {
            exchange(pair, 1000);
        }
        for (Pair pair : pairs.subList(0, 10)) { // as many rings as can be grow
            exchange(pair, STREAM);
        }
        while (OURS.count("tcp") == 0 && pairs.size() < MOST) {
            pairs.add(connect(server));
        }
        System.out.printf("figure: %d connections under a limit of 8 MiB, both ends in one process%n",
                pairs.size() - 1);
        assertThat(OURS.connections()).as("connections over TCP").filteredOn(live -> live.path().equals("tcp"))
                .extracting(live -> live.reason()).containsAnyOf(Reason.MEMLOCK, Reason.REFUSED); // whose end was short
        for (Pair pair : pairs) {
            exchange(pair, 1000);
        }
    }

    private void exchange(Pair pair, int bytes) throws Exception {
        Task<Void> writer = start("writer", () -> {
            Wire.writeFully(pair.client(), payload.slice(0, bytes));
            return null;
        });
        Wire.receive(pair.server(), payload, bytes, bytes);
        writer.join();
    }
}
