/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rsockets4j.spi.suite.kit.EngineSettings;
import io.rsockets4j.spi.suite.kit.Sockets;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** RDMA alone in a process that may lock no more than 64 KiB: an error that names the limit and the fix. */
@NeedsRdma
@EngineSettings("paths=rdma")
@EnabledIfSystemProperty(named = "suite.memlock", matches = "65536", disabledReason = "no limit of 64 KiB is declared")
class MemoryLimitTest extends SuiteCase {
    private static final Sockets SOCKETS = OurSockets.atBothEnds();

    @Override
    public Sockets sockets() {
        return SOCKETS;
    }

    @Test
    void shouldNameTheLimitAndTheFix() throws Exception {
        ServerSocketChannel server = listen();
        SocketChannel client = open();
        assertThat(catchThrowable(() -> client.connect(server.getLocalAddress())))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("RLIMIT_MEMLOCK")
                .hasMessageContaining("65536 bytes")
                .hasMessageContaining("ulimit -l");
    }
}
