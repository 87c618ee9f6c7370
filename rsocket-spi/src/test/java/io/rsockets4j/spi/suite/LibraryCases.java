/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;

import io.rsockets4j.spi.suite.kit.Pair;
import io.rsockets4j.spi.suite.kit.Payload;
import io.rsockets4j.spi.suite.kit.Task;
import io.rsockets4j.spi.suite.kit.Wire;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.IllegalBlockingModeException;
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
