/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.rsockets4j.core.reason.PathException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Whatever comes on a control socket: frames that make sense, or a refusal that says what does not. */
class FrameFuzzTest {
    private static final int MOST_BYTES = 16 * 1024; // what the socket's buffer holds

    @TempDir
    private static Path directory;
    private static UnixPair sockets;

    private final ByteBuffer rest = ByteBuffer.allocate(MOST_BYTES);

    @BeforeAll
    static void open() throws IOException {
        sockets = UnixPair.open(directory);
        sockets.far().configureBlocking(false);
    }

    @AfterAll
    static void close() throws IOException {
        sockets.close();
    }

    @FuzzTest(maxDuration = "1h", maxExecutions = 1_000_000)
    void shouldReadOrRefuse(byte @NotNull [] data) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Arrays.copyOf(data, Math.min(data.length, MOST_BYTES)));
        while (bytes.hasRemaining()) {
            sockets.near().write(bytes);
        }
        FrameChannel frames = new FrameChannel(sockets.far());
        try {
            for (ByteBuffer frame = frames.read(); frame != null; frame = frames.read()) {
                assertThat(frame.remaining()).isBetween(1, Frame.MAX_BYTES);
                read(frame.get(), frame);
            }
        } catch (IOException e) {
            assertThat(e.getMessage()).isNotEmpty();
        } finally {
            while (sockets.far().read(rest.clear()) > 0) {
                assertThat(rest.position()).isPositive();
            }
        }
    }

    private static void read(int type, ByteBuffer payload) throws IOException {
        switch (type) {
            case Frame.HELLO -> {
                Frame.ShmHello hello = Frame.readHello(payload);
                if (hello.minVersion() <= Frame.VERSION && hello.maxVersion() >= Frame.VERSION) {
                    for (String name : new String[] {hello.sharedName(), hello.slotsName(), hello.bellsName()}) {
                        assertThat(name.length()).isLessThanOrEqualTo(255);
                    }
                }
            }
            case Frame.WELCOME -> assertThat(Frame.readWelcome(payload).bellsName().length()).isLessThanOrEqualTo(255);
            case Frame.REFUSED, Frame.SLOTS_REFUSED -> {
                PathException refusal = Frame.refusal(Frame.getText(payload));
                assertThat(refusal.reason().isChoice()).isFalse();
            }
            case Frame.SLOTS -> {
                assertThat(Frame.getIndex(payload)).isBetween(0, 0xffff);
                assertThat(Frame.getText(payload).length()).isLessThanOrEqualTo(255);
            }
            case Frame.SLOTS_MAPPED -> assertThat(Frame.getIndex(payload)).isBetween(0, 0xffff);
            default -> throw new IOException("unexpected frame of type " + type); // as sessions do
        }
    }
}
