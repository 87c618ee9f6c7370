/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.engine.EngineHolder;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.host.UserDirectory;
import io.rsockets4j.core.rdma.DirectProbe;
import io.rsockets4j.spi.suite.kit.EngineSettings;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Extended sockets over shared memory whose bytes the receiver copies from the sender's memory wherever it can. */
@Timeout(60)
@EngineSettings({"paths=shm", "ring.bytes=8192", "direct.registered.min.bytes=1"})
class ExtendedShmDirectTest extends ExtendedSocketsContract {
    private static final int BYTES = 1 << 20;
    private static final int PART = 100_000;

    private static Link link(ExtendedSocket socket) throws IOException {
        return DirectProbe.link(socket.localAddress(), socket.remoteAddress());
    }

    /** Names of files that processes of this user lend. */
    private static Set<String> lentFiles() throws IOException {
        return Arrays.stream(UserDirectory.names(UserDirectory.open(EngineHolder.instance().settings().shmDirectory())))
                .filter(name -> name.endsWith(".memory")).collect(Collectors.toSet());
    }

    /** Those that have come since; older ones of other tests may go at any time, as the collector finds them. */
    private static Set<String> lentSince(Set<String> before) throws IOException {
        Set<String> now = lentFiles();
        now.removeAll(before);
        return now;
    }

    @Test
    void shouldCopyOnceFromTheSendersMemory() throws Exception {
        try (Ends ends = new Ends(SocketType.STREAM)) {
            RegisteredMemory into = RegisteredMemory.allocate(BYTES);
            RegisteredMemory from = Ends.filled(BYTES, 5);
            ends.client.send(from, 1, BYTES - 1, null);
            ends.server.receiveAll(into, 0, BYTES - 1, null);
            assertThat(ends.received(ends.server).bytes()).isEqualTo(BYTES - 1);
            assertThat(ends.of(Event.Kind.SEND, ends.client).bytes()).isEqualTo(BYTES - 1);
            Ends.check(into, 0, BYTES - 1, 1, 5);
            assertThat(link(ends.server).directBytesReceived()).isEqualTo(BYTES - 1);
            assertThat(link(ends.client).directBytesSent()).isEqualTo(BYTES - 1);
            assertThat(link(ends.client).bytesSent()).isEqualTo(link(ends.server).bytesReceived());
        }
    }

    /** More sends than can be lent at a time, into receives that cut them elsewhere. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldMoveManySends(boolean waitAll) throws Exception {
        int count = 20;
        try (Ends ends = new Ends(SocketType.STREAM)) {
            RegisteredMemory from = Ends.filled(count * PART, 6);
            RegisteredMemory into = RegisteredMemory.allocate(count * PART);
            ends.sendMany(from, count, PART);
            ends.receiveMany(into, count, PART, waitAll);
            ends.awaitMany(count, PART);
            Ends.check(into, 0, count * PART, 0, 6);
            assertThat(link(ends.server).directBytesReceived()).isEqualTo((long) count * PART);
        }
    }

    @Test
    void shouldMixLargeAndSmallSends() throws Exception {
        int[] sizes = {1, PART, 100, 8192, 8193, 3, PART, PART, 5};
        try (Ends ends = new Ends(SocketType.STREAM)) {
            int sum = Arrays.stream(sizes).sum();
            RegisteredMemory from = Ends.filled(sum, 7);
            RegisteredMemory into = RegisteredMemory.allocate(sum);
            int at = 0;
            for (int size : sizes) {
                ends.client.send(from, at, size, size);
                at += size;
            }
            ends.server.receiveAll(into, 0, 777, null);
            ends.server.receiveAll(into, 777, sum - 777, null);
            assertThat(ends.received(ends.server).bytes()).isEqualTo(777);
            assertThat(ends.received(ends.server).bytes()).isEqualTo(sum - 777);
            for (int size : sizes) {
                assertThat(ends.of(Event.Kind.SEND, ends.client).context()).isEqualTo(size);
            }
            Ends.check(into, 0, sum, 0, 7);
            assertThat(link(ends.server).directBytesReceived()).isEqualTo(3L * PART + 8193);
        }
    }

    /** What the program sends from memory of its own takes the ring, as no peer can map that. */
    @Test
    void shouldSendMemoryOfTheProgramsByTheRing() throws Exception {
        try (Ends ends = new Ends(SocketType.STREAM)) {
            RegisteredMemory from = RegisteredMemory.register(ByteBuffer.allocateDirect(PART));
            ends.client.send(from, 0, PART, null);
            ends.server.receiveAll(RegisteredMemory.allocate(PART), 0, PART, null);
            assertThat(ends.received(ends.server).bytes()).isEqualTo(PART);
            assertThat(link(ends.server).directBytesReceived()).isZero();
        }
    }

    @Test
    void shouldLendTheBuffersOfAPool() throws Exception {
        try (Ends ends = new Ends(SocketType.STREAM)) {
            Set<String> before = lentFiles();
            BufferPool pool = new BufferPool(3, PART + 1);
            assertThat(lentSince(before)).hasSize(1);
            RegisteredMemory into = RegisteredMemory.allocate(3 * PART);
            for (int i = 0; i < 3; i++) {
                RegisteredMemory buffer = pool.take();
                buffer.buffer().put(0, ByteBuffer.allocate(PART), 0, PART).put(0, (byte) i);
                ends.client.send(buffer, 0, PART, buffer);
            }
            ends.server.receiveAll(into, 0, 3 * PART, null);
            assertThat(ends.received(ends.server).bytes()).isEqualTo(3 * PART);
            for (int i = 0; i < 3; i++) {
                assertThat(into.buffer().get(i * PART)).isEqualTo((byte) i);
                pool.giveBack((RegisteredMemory) ends.of(Event.Kind.SEND, ends.client).context());
            }
            assertThat(link(ends.server).directBytesReceived()).isEqualTo(3L * PART);
            pool.deregister();
            into.deregister();
            assertThat(lentSince(before)).isEmpty();
        }
    }

    @Test
    void shouldKeepTheBufferThatIsDeregistered() throws Exception {
        Set<String> before = lentFiles();
        RegisteredMemory memory = RegisteredMemory.allocate(PART);
        assertThat(lentSince(before)).hasSize(1);
        memory.buffer().putLong(PART - 8, 42);
        memory.deregister();
        assertThat(lentSince(before)).isEmpty();
        assertThat(memory.buffer().getLong(PART - 8)).isEqualTo(42);
    }

    // ---- what is taken back

    /** The peer has what it has received by then, and no byte of what the program writes into its memory afterwards. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, PART})
    void shouldEndTheStreamWhereTheSenderHasClosed(int received) throws Exception {
        try (Ends ends = new Ends(SocketType.STREAM)) {
            RegisteredMemory from = Ends.filled(BYTES, 8);
            RegisteredMemory into = RegisteredMemory.allocate(BYTES);
            ends.client.send(from, 0, BYTES, null);
            if (received > 0) {
                ends.server.receiveAll(into, 0, received, null);
                assertThat(ends.received(ends.server).bytes()).isEqualTo(received);
            }
            ends.client.close();
            Event send = ends.of(Event.Kind.SEND, ends.client);
            assertThat(send.failure()).isInstanceOf(AsynchronousCloseException.class);
            assertThat(send.bytes()).isEqualTo(received);
            from.deregister();
            from.buffer().put(0, ByteBuffer.allocate(BYTES), 0, BYTES);
            ends.server.receiveAll(into, received, BYTES - received, null);
            assertThat(ends.received(ends.server).bytes()).isEqualTo(-1);
            Ends.check(into, 0, received, 0, 8);
        }
    }

    @Test
    void shouldFailASendWhosePeerCloses() throws Exception {
        try (Ends ends = new Ends(SocketType.STREAM)) {
            RegisteredMemory from = Ends.filled(BYTES, 9);
            ends.client.send(from, 0, BYTES, null);
            ends.server.close();
            assertThat(ends.of(Event.Kind.SEND, ends.client).failure()).isInstanceOf(IOException.class);
            from.deregister();
        }
    }

    @Test
    void shouldResetWhoLendsMemoryThatIsNotThere() throws Exception {
        try (Ends ends = new Ends(SocketType.STREAM)) {
            RegisteredMemory from = RegisteredMemory.allocate(BYTES);
            RegisteredMemory into = RegisteredMemory.allocate(BYTES + 1);
            ends.client.send(from, 0, BYTES, null);
            ends.server.receiveAll(into, 0, 10, null);
            assertThat(ends.received(ends.server).bytes()).isEqualTo(10);
            truncate(BYTES);
            ends.server.receive(into, 0, BYTES, null);
            assertThat(ends.received(ends.server).failure()).hasMessageStartingWith("Connection reset");
            assertThat(into.buffer().get(BYTES)).as("all other memory is there").isZero();
        }
    }

    /** Takes the memory back that is of one size, as another process of the user might. */
    private static void truncate(int bytes) throws IOException {
        Path directory = UserDirectory.open(EngineHolder.instance().settings().shmDirectory());
        for (String name : UserDirectory.names(directory)) {
            File file = directory.resolve(name).toFile();
            if (name.endsWith(".memory") && file.length() == bytes) {
                try (RandomAccessFile open = new RandomAccessFile(file, "rw")) {
                    open.setLength(0);
                }
            }
        }
    }

    @Test
    void shouldEndTheStreamBehindWhatIsLent() throws Exception {
        try (Ends ends = new Ends(SocketType.STREAM)) {
            ends.client.send(Ends.filled(BYTES, 3), 0, BYTES, null);
            ends.client.shutdownOutput();
            RegisteredMemory into = RegisteredMemory.allocate(BYTES + 1);
            ends.server.receiveAll(into, 0, BYTES + 1, null);
            ends.server.receive(into, 0, 1, null);
            assertThat(ends.received(ends.server).bytes()).isEqualTo(BYTES);
            assertThat(ends.received(ends.server).bytes()).isEqualTo(-1);
            Ends.check(into, 0, BYTES, 0, 3);
        }
    }
}
