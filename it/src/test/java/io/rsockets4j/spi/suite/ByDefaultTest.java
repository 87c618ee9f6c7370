/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.engine.EngineHolder;
import io.rsockets4j.spi.RSocketSelectorProvider;
import io.rsockets4j.spi.suite.kit.Machine;
import io.rsockets4j.spi.suite.kit.Payload;
import io.rsockets4j.spi.suite.kit.Wire;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Nobody has named paths, on two hosts with a device: the peer is asked beside the first connection, which goes by TCP;
 * later ones go by RDMA, and those to plain peers by TCP. On the other host the program of the suite's peers echoes on
 * port 7200, and {@link #main} listens on plain ports.
 */
@NeedsRdma
@Timeout(300)
@EnabledIfSystemProperty(named = "suite.plain", matches = "true", disabledReason = "no plain ports are declared")
class ByDefaultTest {
    private static final int OURS = 7200;
    private static final int PLAIN = 7300;
    private static final int PLAIN_PORTS = 40;
    private static final int LATER = 500; // connects to one of them
    private static final int BYTES = 1000;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final SelectorProvider ours = new RSocketSelectorProvider();
    private final SelectorProvider jdk = new TcpSockets().provider();
    private final Payload payload = new Payload(31);

    /**
     * Listens on the plain ports with the JDK's sockets, and closes whatever connects.
     *
     * @param args none
     * @throws IOException when it cannot listen
     */
    public static void main(String[] args) throws IOException {
        for (int i = 0; i < PLAIN_PORTS; i++) {
            ServerSocketChannel server = new TcpSockets().provider().openServerSocketChannel();
            server.bind(new InetSocketAddress(Machine.address(), PLAIN + i));
            new Thread(() -> closeAll(server), "plain").start();
        }
        System.out.println("listening");
    }

    private static void closeAll(ServerSocketChannel server) {
        while (server.isOpen()) {
            try {
                server.accept().close();
            } catch (IOException e) {
                System.out.println("ended " + e);
            }
        }
    }

    private static long count(String path) {
        return EngineHolder.instance().counts().of(path);
    }

    private static InetSocketAddress peer(int port) {
        return new InetSocketAddress(Machine.peerAddress(), port);
    }

    private void echo() throws Exception {
        try (SocketChannel channel = ours.openSocketChannel()) {
            channel.connect(peer(OURS));
            Wire.writeFully(channel, payload.slice(0, BYTES));
            Wire.receive(channel, payload, BYTES, BYTES);
        }
    }

    private static long connectNanos(SelectorProvider provider, int port) throws IOException {
        try (SocketChannel channel = provider.openSocketChannel()) {
            long start = System.nanoTime();
            channel.connect(peer(port));
            return System.nanoTime() - start;
        }
    }

    private static double medianMicros(long[] nanos) {
        Arrays.sort(nanos);
        return nanos[nanos.length / 2] / 1000.0;
    }

    @Test
    void shouldTakeRdmaOnceThePeerHasAnswered() throws Exception {
        assertThat(EngineHolder.instance().settings().paths()).containsExactly("shm", "rdma", "tcp");
        long before = count("tcp");
        long start = System.nanoTime();
        echo();
        assertThat(count("tcp") - before).as("the first goes by TCP").isOne();
        while (count("rdma") == 0) { // as long as the test may take
            LockSupport.parkNanos(PAUSE_NANOS); // the emulated processors are for the peer's answer
            echo();
        }
        System.out.printf("figure: connection %d, %d ms after the first, is the first one by RDMA%n",
                count("tcp") - before + 1, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
    }

    @Test
    void shouldLeavePlainPeersAlone() throws Exception {
        long byRdma = count("rdma");
        for (int i = 0; i < LATER; i++) { // for the compilers
            connectNanos(jdk, PLAIN);
            connectNanos(ours, PLAIN);
        }
        long[] plain = new long[PLAIN_PORTS - 1]; // the first port has been asked
        long[] first = new long[PLAIN_PORTS - 1];
        for (int i = 0; i < first.length; i++) {
            LockSupport.parkNanos(PAUSE_NANOS); // the one before has its answer by then
            plain[i] = connectNanos(jdk, PLAIN + 1 + i);
            first[i] = connectNanos(ours, PLAIN + 1 + i);
        }
        long[] plainLater = new long[LATER];
        long[] later = new long[LATER];
        for (int i = 0; i < LATER; i++) {
            plainLater[i] = connectNanos(jdk, PLAIN);
            later[i] = connectNanos(ours, PLAIN);
        }
        assertThat(count("rdma")).isEqualTo(byRdma);
        System.out.printf("figure: connects to plain peers, medians in us: the JDK's %.0f, a peer's first %.0f; the"
                + " JDK's %.0f, later ones %.0f%n", medianMicros(plain), medianMicros(first), medianMicros(plainLater),
                medianMicros(later));
    }
}
