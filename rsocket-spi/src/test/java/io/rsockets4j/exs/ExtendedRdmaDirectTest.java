/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.Rsockets;
import io.rsockets4j.core.verbs.memory.MemoryHost;
import io.rsockets4j.spi.suite.kit.DeviceAddresses;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Extended sockets whose bytes go straight from the sender's memory into the receiver's, on verbs in memory. */
@EnabledIf(value = "io.rsockets4j.spi.suite.kit.DeviceAddresses#exist", disabledReason = "only loopback addresses")
class ExtendedRdmaDirectTest extends ExtendedSocketsContract {
    private static final int BYTES = 1 << 20;

    @BeforeAll
    static void choose() {
        DeviceAddresses.use();
        System.setProperty("rsockets4j.rdma.binding", "memory");
        System.setProperty("rsockets4j.direct.min.bytes", "4096");
        use("rdma");
    }

    @AfterAll
    static void assertNoViolations() {
        assertThat(MemoryHost.shared().network().violations()).isEmpty();
    }

    private static double directBytesReceived() {
        return Rsockets.metrics().stream().filter(metric -> metric.name().endsWith("direct.bytes.received"))
                .mapToDouble(metric -> metric.value()).sum();
    }

    @Test
    void shouldWriteStraightIntoAReceiveThatWaits() throws Exception {
        double before = directBytesReceived();
        try (Ends ends = new Ends(SocketType.STREAM)) {
            RegisteredMemory into = RegisteredMemory.allocate(BYTES);
            ends.server.receiveAll(into, 0, BYTES, null);
            ends.client.send(Ends.filled(BYTES, 5), 0, BYTES, null);
            assertThat(ends.received(ends.server).bytes()).isEqualTo(BYTES);
            Ends.check(into, 0, BYTES, 0, 5);
            assertThat(directBytesReceived() - before).as("what comes before the advert goes by the ring")
                    .isBetween(1.0, (double) BYTES);
        }
    }
}
