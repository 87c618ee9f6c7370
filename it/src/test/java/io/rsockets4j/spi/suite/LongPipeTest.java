/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.spi.suite.kit.EngineSettings;
import io.rsockets4j.spi.suite.kit.Payload;
import io.rsockets4j.spi.suite.kit.Peer;
import io.rsockets4j.spi.suite.kit.PeerMain;
import io.rsockets4j.spi.suite.kit.Sockets;
import io.rsockets4j.spi.suite.kit.Wire;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A stream from a host that is far away, {@code suite.rtt.millis} there and back. A ring's worth can be on the way at a
 * time, so the rate is near one ring per round trip, whatever the ring's size, and larger rings can be asked for.
 */
@NeedsRdma
@EngineSettings("paths=rdma")
@Timeout(120)
@EnabledIfSystemProperty(named = "suite.rtt.millis", matches = "\\d+", disabledReason = "no far host is declared")
class LongPipeTest extends SuiteCase {
    private static final String RING = "rsockets4j.ring.bytes";
    private static final OurSockets OURS = OurSockets.atBothEnds();
    private static final double SHARE = 0.5;
    private static final int RINGS = 120;

    private final long ringBytes = Long.getLong(RING);
    private final double roundTripSeconds = Integer.getInteger("suite.rtt.millis") / 1e3;

    @Override
    public Sockets sockets() {
        return OURS;
    }

    @Test
    void shouldFillThePipeThatItsRingAllows() throws Exception {
        ServerSocketChannel server = listen();
        List<String> options = new ArrayList<>(OURS.ourOptions());
        options.add("-D" + RING + "=" + ringBytes);
        long bytes = RINGS * ringBytes;
        int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
        Peer peer = closing(Peer.start(options, "send", Integer.toString(port), Long.toString(bytes)));
        SocketChannel accepted = closing(server.accept());
        Payload payload = new Payload(PeerMain.SEED);
        long before = bytes / 4;
        Wire.receive(accepted, payload, before, 64 << 10);
        long start = System.nanoTime();
        Wire.receive(accepted, payload, before, bytes, 64 << 10);
        double seconds = (System.nanoTime() - start) / 1e9;
        assertThat(accepted.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        assertThat(peer.awaitExit()).isZero();

        double rate = (bytes - before) / seconds;
        double allowed = ringBytes / roundTripSeconds;
        System.out.printf("figure: ring %d KiB, %.0f ms there and back: %.1f MB/s, %.0f %% of what the ring allows%n",
                ringBytes >> 10, roundTripSeconds * 1e3, rate / 1e6, 100 * rate / allowed);
        assertThat(rate).as("bytes per second, where the ring allows %.0f", allowed).isGreaterThan(SHARE * allowed);
    }
}
