/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.spi.suite.kit.EngineSettings;
import io.rsockets4j.spi.suite.kit.Pair;
import io.rsockets4j.spi.suite.kit.Payload;
import io.rsockets4j.spi.suite.kit.Sockets;
import io.rsockets4j.spi.suite.kit.Wire;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** RDMA before TCP in a process that may lock no more than 64 KiB: TCP. */
@NeedsRdma
@EngineSettings("paths=rdma,tcp")
@EnabledIfSystemProperty(named = "suite.memlock", matches = "65536", disabledReason = "no limit of 64 KiB is declared")
class MemoryLimitFallbackTest extends SuiteCase {
    private static final OurSockets OURS = OurSockets.atBothEnds();

    @Override
    public Sockets sockets() {
        return OURS;
    }

    @Test
    void shouldFallBackToTcp() throws Exception {
        Payload payload = new Payload(21);
        for (int i = 0; i < 3; i++) {
            Pair pair = connect();
            Wire.writeFully(pair.client(), payload.slice(0, 1000));
            Wire.receive(pair.server(), payload, 1000, 1000);
        }
        assertThat(OURS.count("tcp")).as("connection ends over TCP").isEqualTo(6);
    }
}
