/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.net.Server;
import io.rsockets4j.exs.Event;
import io.rsockets4j.exs.EventQueue;
import io.rsockets4j.exs.ExtendedListener;
import io.rsockets4j.exs.ExtendedSocket;
import io.rsockets4j.exs.RegisteredMemory;
import io.rsockets4j.exs.SocketType;
import java.io.EOFException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Both ends in this JVM. */
@Timeout(60)
class ExsTest {

    private static final Duration SHORT = Duration.ofMillis(20);

    @Test
    void shouldBeFoundByItsName() {
        Exs exs = new Exs(4, 8, 1);

        assertThat(exs.name()).isEqualTo("exs:4:8:1");
        assertThat(Works.of("exs:4:8:1")).isInstanceOfSatisfying(Exs.class, found -> {
            assertThat(found.sends()).isEqualTo(4);
            assertThat(found.receives()).isEqualTo(8);
            assertThat(found.offset()).isEqualTo(1);
        });
        assertThat(Exs.of("exs")).isEmpty();
        assertThat(Exs.of("service:4:8:closed")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 0, --sends", "1, 0, 0, --receives", "1025, 1, 0, --sends", "1, 1, -1, --offsets",
        "1, 1, 4096, --offsets"})
    void shouldRefuseNumbersThatCannotBe(int sends, int receives, int offset, String named) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Exs(sends, receives, offset))
                .withMessageStartingWith(named);
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 0, 1024, 0", "16, 32, 0, 65536, 0", "32, 2, 1, 65536, 0", "2, 4, 4095, 1048576, 100",
        "1, 1, 0, 8, 0"})
    void shouldYieldItsMetrics(int sends, int receives, int offset, int size, double straight) throws Exception {
        Job job = new Job(new Exs(sends, receives, offset), Api.SELECTOR, size, SHORT, SHORT);
        try (Server server = job.work().serve(job)) {
            Map<String, Double> values =
                    job.work().drive(new Stage(job, List.of(server.port()), ProcessHandle.current().pid(), 0));

            assertThat(values.keySet()).containsExactlyInAnyOrderElementsOf(
                    job.work().metrics().stream().map(Figure::name).toList());
            assertThat(values.get(Exs.BYTES)).isPositive();
            assertThat(values.get(Exs.SENDER)).isPositive();
            assertThat(values.get(Exs.RECEIVER)).isPositive();
            assertThat(values.get(Exs.DIRECT)).as("over shared memory only large sends").isEqualTo(straight);
        }
    }

    @Test
    void shouldSayWhichPartWentStraightToTheReceiverAndWhatEachMebibyteCost() {
        ExsCounts sender = new ExsCounts(8_000, 1, 30);
        ExsCounts receiver = new ExsCounts(2_000, 3 << 20, 10);

        assertThat(Exs.values(4 << 20, 2, sender, receiver)).containsExactlyInAnyOrderEntriesOf(Map.of(
                Exs.BYTES, 2.0 * (1 << 20), Exs.SENDER, 2_000.0, Exs.RECEIVER, 500.0, Exs.DIRECT, 75.0,
                Exs.MESSAGES, 10.0));
    }

    @Test
    void shouldTellTheOtherSideItsCounts() {
        ExsCounts counts = new ExsCounts(9, 6, 3).since(new ExsCounts(1, 2, 3));
        ByteBuffer bytes = ByteBuffer.allocate(ExsCounts.BYTES);
        counts.encode(bytes);

        assertThat(ExsCounts.decode(bytes.flip())).isEqualTo(counts).isEqualTo(new ExsCounts(8, 4, 0));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 64})
    void shouldBeginEachBufferAtThatOffsetOfAPage(int offset) {
        ExsBuffers buffers = new ExsBuffers(3, 5_000, offset);

        for (int i = 0; i < 3; i++) {
            assertThat(buffers.memory().buffer().alignmentOffset(buffers.at(i), 4096)).isEqualTo(offset);
            assertThat(buffers.bytes(i, 5_000).remaining()).isEqualTo(5_000);
        }
        assertThat(buffers.at(1)).isGreaterThanOrEqualTo(5_000);
    }

    @Test
    void shouldTellWrongBytes() throws Exception {
        assertFails((socket, memory) -> {
            memory.buffer().putLong(0, 1); // not the checksum of those bytes
            socket.send(memory, 0, ExsServer.ANSWER_BYTES, "answer");
        }, CorruptionException.class, "CRC32C of 1 messages");
    }

    @Test
    void shouldTellWhenThePeerClosesInsteadOfAnswering() throws Exception {
        assertFails((socket, memory) -> socket.shutdownOutput(), EOFException.class, "before it answered");
    }

    /** What a server does after it has received a header. */
    private interface Misdeed {
        void commit(ExtendedSocket socket, RegisteredMemory memory) throws Exception;
    }

    private static void assertFails(Misdeed misdeed, Class<? extends Exception> type, String message)
            throws Exception {
        try (EventQueue queue = EventQueue.open();
                ExtendedListener listener = ExtendedListener.open(
                        queue, SocketType.STREAM, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0)) {
            Thread server = new Thread(() -> serve(queue, listener, misdeed));
            server.start();
            try (ExsClient client = ExsClient.connect(1, 64, 0, listener.localAddress().getPort())) {
                assertThatThrownBy(() -> client.verify(1)).isInstanceOf(type).hasMessageContaining(message);
            }
            queue.wakeUp();
            server.join();
        }
    }

    private static void serve(EventQueue queue, ExtendedListener listener, Misdeed misdeed) {
        RegisteredMemory memory = RegisteredMemory.allocate(1024);
        try {
            listener.accept("accept");
            Event accepted = queue.dequeue(20, TimeUnit.SECONDS);
            ExtendedSocket socket = accepted.accepted();
            socket.receiveAll(memory, 0, Long.BYTES + 64, "stream");
            queue.dequeue(20, TimeUnit.SECONDS);
            misdeed.commit(socket, memory);
            for (Event event = accepted; event != null; event = queue.dequeue(20, TimeUnit.SECONDS)) {
                assertThat(event.failure()).isNull();
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
