/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.spi.suite.kit.EngineSettings;
import io.rsockets4j.spi.suite.kit.Pair;
import io.rsockets4j.spi.suite.kit.Payload;
import io.rsockets4j.spi.suite.kit.Sockets;
import io.rsockets4j.spi.suite.kit.Task;
import io.rsockets4j.spi.suite.kit.Threads;
import io.rsockets4j.spi.suite.kit.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The device is deleted while connections use it. The kernel refuses it to newcomers at once, and waits with the rest
 * until its users have closed it. Streams may go on or fail; none may hang or carry wrong bytes, and newcomers get TCP.
 */
@NeedsRdma
@EngineSettings("paths=rdma,tcp")
@Timeout(120)
@EnabledIfSystemProperty(named = "suite.device", matches = ".+", disabledReason = "no device is named for deletion")
class DeviceDeletedTest extends SuiteCase {
    private static final OurSockets OURS = OurSockets.atBothEnds();
    private static final int STREAMS = 4;
    private static final int CHUNK = 10_000;

    private final Payload payload = new Payload(22);
    private final AtomicBoolean enough = new AtomicBoolean();

    @Override
    public Sockets sockets() {
        return OURS;
    }

    @Test
    void shouldLeaveNobodyHanging() throws Exception {
        List<Task<Long>> senders = new ArrayList<>();
        List<Task<Long>> receivers = new ArrayList<>();
        AtomicLong received = new AtomicLong();
        for (int i = 0; i < STREAMS; i++) {
            Pair pair = connect();
            senders.add(start("sender", () -> send(pair.client())));
            receivers.add(start("receiver", () -> receive(pair.server(), received)));
        }
        assertThat(OURS.count("rdma")).isEqualTo(2 * STREAMS);
        Threads.await("bytes", () -> received.get() > 1_000_000);

        Process deletion = closing(new Deletion(System.getProperty("suite.device"))).process;
        Threads.await("the device to go, which " + deletion.info() + " deletes", DeviceDeletedTest::isGone);
        assertCarries(connect());
        enough.set(true);
        for (int i = 0; i < STREAMS; i++) {
            long sent = senders.get(i).join();
            long arrived = receivers.get(i).join();
            assertThat(arrived).as("bytes that arrived, of %d", sent).isBetween(1L, Math.abs(sent));
            if (sent > 0) {
                assertThat(arrived).as("bytes of a stream that did not fail").isEqualTo(sent);
            }
        }
    }

    /** The program that deletes the device; it waits until this process has gone, so it is not waited for. */
    private static final class Deletion implements AutoCloseable {
        private final Process process;

        Deletion(String device) throws IOException {
            process = new ProcessBuilder("rdma", "link", "delete", device).inheritIO().start();
        }

        @Override
        public void close() {
            process.destroy();
        }
    }

    private static boolean isGone() {
        return Files.notExists(Path.of("/sys/class/infiniband_verbs/uverbs0"));
    }

    /** @return how many bytes it sent, negative when it failed */
    private long send(SocketChannel channel) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(CHUNK);
        long sent = 0;
        try (channel) {
            while (!enough.get()) {
                payload.fill(buffer.clear(), sent);
                sent += CHUNK;
                Wire.writeFully(channel, buffer.flip());
            }
            return sent;
        } catch (IOException e) {
            return -sent;
        }
    }

    /** @return how many bytes arrived, every one checked, until the end or a failure */
    private long receive(SocketChannel channel, AtomicLong total) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(CHUNK);
        long received = 0;
        try (channel) {
            for (int count = channel.read(buffer); count >= 0; count = channel.read(buffer.clear())) {
                payload.check(buffer.flip(), received);
                received += count;
                total.addAndGet(count);
            }
            return received;
        } catch (IOException e) {
            return received;
        }
    }

    private void assertCarries(Pair pair) throws IOException {
        Wire.writeFully(pair.client(), payload.slice(0, 3000));
        Wire.receive(pair.server(), payload, 3000, 1000);
        Wire.writeFully(pair.server(), payload.slice(0, 3000));
        Wire.receive(pair.client(), payload, 3000, 1000);
    }
}
