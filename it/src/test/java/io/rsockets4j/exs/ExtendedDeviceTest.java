/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.rdma.DirectProbe;
import io.rsockets4j.spi.suite.kit.EngineSettings;
import java.io.IOException;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Extended sockets over an RDMA device, which writes into each receive that waits, however small it is. */
@EnabledIfSystemProperty(named = "suite.rdma", matches = "true", disabledReason = "no RDMA device is declared")
@EngineSettings({"paths=rdma", "direct.registered.min.bytes=1"})
class ExtendedDeviceTest extends ExtendedSocketsContract {
    private static final int COUNT = 24;
    private static final int PART = 100_000;

    private static Link link(ExtendedSocket socket) throws IOException {
        return DirectProbe.link(socket.localAddress(), socket.remoteAddress());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldMoveManySendsStraightIntoManyReceives(boolean waitAll) throws Exception {
        try (Ends ends = new Ends(SocketType.STREAM)) {
            RegisteredMemory into = RegisteredMemory.allocate(COUNT * PART);
            ends.receiveMany(into, COUNT, PART, waitAll);
            DirectProbe.awaitRoomOfBuffers(link(ends.client), COUNT * PART);
            RegisteredMemory from = Ends.filled(COUNT * PART, 5);
            ends.sendMany(from, COUNT, PART);
            ends.awaitMany(COUNT, PART);
            Ends.check(into, 0, COUNT * PART, 0, 5);
            assertThat(link(ends.server).directBytesReceived()).isEqualTo(COUNT * PART);
        }
    }
}
