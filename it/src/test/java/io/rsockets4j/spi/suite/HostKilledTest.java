/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.spi.suite.kit.EngineSettings;
import io.rsockets4j.spi.suite.kit.Machine;
import io.rsockets4j.spi.suite.kit.Sockets;
import io.rsockets4j.spi.suite.kit.Task;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The peer's host vanishes without a word, as by a power failure. Who reads notices by SO_KEEPALIVE, who writes because
 * nothing is acknowledged; who connects is told soon. The file {@code suite.kill} makes it happen; a program that
 * accepts and never reads listens there on port {@code suite.port}.
 */
@NeedsRdma
@EngineSettings("paths=rdma")
@Timeout(300)
@EnabledIfSystemProperty(named = "suite.kill", matches = ".+", disabledReason = "no host is named to be killed")
class HostKilledTest extends SuiteCase {
    private static final Sockets SOCKETS = OurSockets.atBothEnds();
    /** A device repeats what is not acknowledged seven times; Soft-RoCE waits 2 to 4 s for each answer. */
    private static final long LIMIT_SECONDS = 90;

    private final InetSocketAddress doomed =
            new InetSocketAddress(Machine.peerAddress(), Integer.getInteger("suite.port"));

    @Override
    public Sockets sockets() {
        return SOCKETS;
    }

    @Test
    void shouldEndWhatWaitsForIt() throws Exception {
        SocketChannel read = connectWithKeepAlive();
        SocketChannel selected = connectWithKeepAlive();
        SocketChannel written = connectWithKeepAlive();
        Selector selector = openSelector();
        register(selector, selected, SelectionKey.OP_READ);
        Task<Integer> reader = start("reader", () -> read.read(ByteBuffer.allocate(1)));
        Task<Integer> select = start("selecting", () -> selector.select());
        Task<Void> writer = startBlockedWriter(written);
        reader.awaitBlockedIn("read");
        select.awaitBlockedIn("select");

        Files.createFile(Path.of(System.getProperty("suite.kill")));
        long start = System.nanoTime();
        awaitEnd(reader);
        assertThat(reader.failure()).isInstanceOf(IOException.class).hasMessage("Connection timed out");
        report("a blocked read", start);
        awaitEnd(writer);
        assertThat(writer.failure()).isInstanceOf(IOException.class);
        report("a blocked write", start);
        awaitEnd(select);
        assertThat(select.join()).isEqualTo(1);
        report("a select", start);

        SocketChannel late = open();
        long connecting = System.nanoTime();
        Task<Boolean> connect = start("connecting", () -> late.connect(doomed));
        awaitEnd(connect);
        assertThat(connect.failure()).isInstanceOf(IOException.class);
        report("a connect", connecting);
    }

    private static void awaitEnd(Task<?> task) {
        long start = System.nanoTime();
        while (task.isRunning() && System.nanoTime() - start < TimeUnit.SECONDS.toNanos(LIMIT_SECONDS)) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    private static void report(String what, long start) {
        System.out.printf("figure: after the host was killed, %s ended in %.1f s%n", what,
                (System.nanoTime() - start) / 1e9);
    }

    private SocketChannel connectWithKeepAlive() throws IOException {
        SocketChannel channel = open();
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        channel.connect(doomed);
        return channel;
    }
}
