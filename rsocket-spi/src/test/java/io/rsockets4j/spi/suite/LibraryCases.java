/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;

import io.rsockets4j.spi.suite.kit.Capability;
import io.rsockets4j.spi.suite.kit.Pair;
import io.rsockets4j.spi.suite.kit.Payload;
import io.rsockets4j.spi.suite.kit.Requires;
import io.rsockets4j.spi.suite.kit.Task;
import io.rsockets4j.spi.suite.kit.Wire;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The JDK's helpers that programs put around a channel. */
abstract class LibraryCases extends SuiteCase {
    private static final int BYTES = 3_000_001;

    private final Payload payload = new Payload(16);

    @Test
    void shouldTransferFromAFile(@TempDir Path directory) throws Exception {
        Pair pair = connect();
        try (FileChannel file = newFile(directory)) {
            Wire.send(file, payload, BYTES, 100_000);
            Task<Long> sender = start("sender", () -> {
                long sent = 0;
                while (sent < BYTES) {
                    sent += file.transferTo(sent, BYTES - sent, pair.client());
                }
                return sent;
            });
            Wire.receive(pair.server(), payload, BYTES, 10_007);
            assertThat(sender.join()).isEqualTo(BYTES);
        }
    }

    @Test
    void shouldTransferAsMuchAsFitsInNonBlockingMode(@TempDir Path directory) throws Exception {
        Pair pair = connect();
        pair.client().configureBlocking(false);
        try (FileChannel file = newFile(directory)) {
            Wire.send(file, payload, BYTES, 100_000);
            long received = 0;
            for (long sent = 0; sent < BYTES; received = sent) {
                for (long count = 1; count > 0; sent += count) {
                    count = file.transferTo(sent, BYTES - sent, pair.client());
                }
                Wire.receive(pair.server(), payload, received, sent, 10_007);
            }
            assertThat(file.transferTo(BYTES, 1, pair.client())).isZero();
            assertThat(file.transferTo(0, 0, pair.client())).isZero();
            pair.client().close();
            assertThrowsExactly(ClosedChannelException.class, () -> file.transferTo(0, 1, pair.client()));
        }
    }

    @Test
    void shouldTransferWhatIsThereInNonBlockingMode(@TempDir Path directory) throws Exception {
        Pair pair = connect();
        pair.server().configureBlocking(false);
        try (FileChannel file = newFile(directory)) {
            assertThat(file.transferFrom(pair.server(), 0, 10)).isZero();
            Wire.send(pair.client(), payload, 20_000, 20_000);
            long received = 0;
            while (received < 20_000) {
                received += file.transferFrom(pair.server(), received, 15_000);
            }
            assertThat(file.transferFrom(pair.server(), received, 10)).isZero();
            Wire.receive(file.position(0), payload, 20_000, 20_000);
            pair.server().close();
            assertThrowsExactly(ClosedChannelException.class, () -> file.transferFrom(pair.server(), 0, 1));
        }
    }

    @Test
    @Requires(Capability.HELPERS)
    void shouldWriteAStreamWhileAnotherThreadReads() throws Exception {
        Pair pair = connect();
        InputStream in = Channels.newInputStream(pair.client());
        OutputStream out = Channels.newOutputStream(pair.client());
        Task<Integer> reader = start("reader", in::read);
        reader.awaitBlockedIn("read");
        out.write(new byte[] {5, 6, 7});
        Wire.writeFully(pair.server(), Wire.readFully(pair.server(), ByteBuffer.allocate(3)).flip());
        assertThat(reader.join()).isEqualTo(5);
        assertThat(in.readNBytes(2)).containsExactly(6, 7);
    }

    /** Streams may be made first. */
    @Test
    void shouldRefuseStreamsOfAChannelThatIsNotConnected() throws Exception {
        SocketChannel channel = open();
        InputStream in = Channels.newInputStream(channel);
        OutputStream out = Channels.newOutputStream(channel);
        assertThrowsExactly(NotYetConnectedException.class, in::read);
        assertThrowsExactly(NotYetConnectedException.class, () -> out.write(1));
        assertThat(in.read(new byte[1], 1, 0)).isZero();
        assertThrowsExactly(IndexOutOfBoundsException.class, () -> in.read(new byte[1], 1, 1));
        assertThrowsExactly(NullPointerException.class, () -> Channels.newInputStream((SocketChannel) null));
        ServerSocketChannel server = listen();
        channel.connect(server.getLocalAddress());
        out.write(9);
        SocketChannel accepted = closing(server.accept());
        assertThat(Channels.newInputStream(accepted).read()).isEqualTo(9);
        Channels.newOutputStream(accepted).write(8);
        assertThat(in.read()).isEqualTo(8);
        in.close();
        assertThat(channel.isOpen()).isFalse();
        assertThrowsExactly(ClosedChannelException.class, () -> out.write(1));
    }

    @Test
    void shouldTransferToAFile(@TempDir Path directory) throws Exception {
        Pair pair = connect();
        Task<Void> sender = start("sender", () -> {
            Wire.send(pair.client(), payload, BYTES, 10_007);
            pair.client().close();
            return null;
        });
        try (FileChannel file = newFile(directory)) {
            long received = 0;
            for (long count = 1; count > 0; received += count) {
                count = file.transferFrom(pair.server(), received, BYTES - received + 1);
            }
            assertThat(received).isEqualTo(BYTES);
            Wire.receive(file.position(0), payload, BYTES, 100_000);
        }
        sender.join();
    }

    @Test
    void shouldBeReadAndWrittenAsStreams() throws Exception {
        Pair pair = connect();
        OutputStream out = Channels.newOutputStream(pair.client());
        InputStream in = Channels.newInputStream(pair.server());
        Task<Void> sender = start("sender", () -> {
            out.write(payload.slice(0, BYTES).array());
            out.close();
            return null;
        });
        byte[] received = in.readAllBytes();
        assertThat(received).isEqualTo(payload.slice(0, BYTES).array());
        sender.join();
        assertThat(pair.client().isOpen()).isFalse();
    }

    @Test
    void shouldRefuseStreamsInNonBlockingMode() throws Exception {
        Pair pair = connect().configureBlocking(false);
        InputStream in = Channels.newInputStream(pair.client());
        OutputStream out = Channels.newOutputStream(pair.client());
        assertThrowsExactly(IllegalBlockingModeException.class, in::read);
        assertThrowsExactly(IllegalBlockingModeException.class, () -> out.write(1));
        assertThat(pair.client().isOpen()).isTrue();
    }

    @Test
    void shouldCarryLinesOfText() throws Exception {
        Pair pair = connect();
        BufferedReader reader = new BufferedReader(Channels.newReader(pair.server(), StandardCharsets.UTF_8));
        try (BufferedWriter writer = new BufferedWriter(Channels.newWriter(pair.client(), StandardCharsets.UTF_8))) {
            for (int i = 0; i < 500; i++) {
                writer.write("línea " + i);
                writer.newLine();
                writer.flush();
                assertThat(reader.readLine()).isEqualTo("línea " + i);
            }
        }
        assertThat(reader.readLine()).isNull();
    }

    private static FileChannel newFile(Path directory) throws Exception {
        return FileChannel.open(directory.resolve("file"), StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
                StandardOpenOption.WRITE);
    }
}
