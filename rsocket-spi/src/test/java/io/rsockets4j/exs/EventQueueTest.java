/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.spi.suite.kit.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Waiting for events, and the memory of operations. */
class EventQueueTest {
    private final EventQueue queue = queue();

    private static EventQueue queue() {
        try {
            return EventQueue.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static <T> FutureTask<T> start(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        new Thread(task).start();
        return task;
    }

    /** Returns once a thread waits in the selector, or is about to. */
    private static void awaitPoller(EventQueue queue) throws Exception {
        Threads.await("a thread that waits in the selector", queue::isPolled);
    }

    @Test
    void shouldReturnWhenTheTimeIsUp() throws Exception {
        long start = System.nanoTime();
        assertThat(queue.dequeue(0, TimeUnit.SECONDS)).isNull();
        assertThat(queue.dequeue(30, TimeUnit.MILLISECONDS)).isNull();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(30_000_000);
    }

    @Test
    void shouldWakeOneThatWaits() throws Exception {
        FutureTask<Event> waits = start(() -> queue.dequeue(50, TimeUnit.SECONDS));
        awaitPoller(queue);
        queue.wakeUp();
        assertThat(waits.get(10, TimeUnit.SECONDS)).isNull();
    }

    @Test
    void shouldWakeTheNextOne() throws Exception {
        queue.wakeUp();
        assertThat(queue.dequeue(50, TimeUnit.SECONDS)).isNull();
        assertThat(queue.dequeue(1, TimeUnit.MILLISECONDS)).isNull();
    }

    @Test
    void shouldTellAllThatItCloses() throws Exception {
        FutureTask<Event> first = start(() -> queue.dequeue(50, TimeUnit.SECONDS));
        FutureTask<Event> second = start(() -> queue.dequeue(50, TimeUnit.SECONDS));
        queue.close();
        for (FutureTask<Event> task : Set.of(first, second)) {
            assertThatThrownBy(() -> task.get(10, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(ClosedChannelException.class);
        }
        queue.close();
    }

    @Test
    void shouldHeedInterrupts() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> queue.dequeue(50, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    }

    @Test
    void shouldHeedInterruptsOfAThreadThatWaits() throws Exception {
        FutureTask<Event> waits = new FutureTask<>(() -> queue.dequeue(50, TimeUnit.SECONDS));
        Thread thread = new Thread(waits);
        thread.start();
        awaitPoller(queue);
        thread.interrupt();
        assertThatThrownBy(() -> waits.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(InterruptedException.class);
    }

    @Test
    void shouldCloseItsSocketsAndListeners() throws Exception {
        Ends ends = new Ends(SocketType.STREAM);
        ends.queue.close();
        assertThatThrownBy(() -> ends.client.shutdownOutput()).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> ends.server.shutdownOutput()).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> ends.listener.accept(null)).isInstanceOf(ClosedChannelException.class);
    }

    @Test
    void shouldLetAnotherThreadPollOnceOneHasItsEvent() throws Exception {
        try (Ends ends = new Ends(SocketType.MESSAGE);
                SocketChannel peer = ends.queue.provider().openSocketChannel()) {
            ends.listener.accept(null);
            peer.connect(ends.listener.localAddress());
            peer.write(ByteBuffer.wrap("EXS\1\0\0IM".getBytes(StandardCharsets.US_ASCII)));
            ExtendedSocket socket = ends.of(Event.Kind.ACCEPT, ends.listener).accepted();
            RegisteredMemory memory = RegisteredMemory.allocate(8);
            CompletionService<Event> takers = new ExecutorCompletionService<>(task -> new Thread(task).start());
            for (int i = 0; i < 2; i++) {
                socket.receive(memory, 0, 4, i);
                takers.submit(() -> Ends.next(ends.queue));
            }
            for (int i = 0; i < 2; i++) {
                awaitPoller(ends.queue);
                peer.write(ByteBuffer.allocate(Integer.BYTES)); // a message, and no event of this queue
                Future<Event> taken = takers.poll(10, TimeUnit.SECONDS);
                assertThat(taken).as("event %s", i).isNotNull();
                assertThat(taken.get().context()).isEqualTo(i);
            }
        }
    }

    @Test
    void shouldGiveEachEventToOneOfTheThreadsThatWait() throws Exception {
        int count = 1_000;
        Set<Object> seen = ConcurrentHashMap.newKeySet();
        try (Ends ends = new Ends(SocketType.MESSAGE)) {
            Callable<Integer> taker = () -> {
                int taken = 0;
                for (Event event = Ends.next(ends.queue); event.bytes() >= 0; event = Ends.next(ends.queue)) {
                    if (event.kind() == Event.Kind.RECEIVE) {
                        assertThat(seen.add(event.context())).isTrue();
                        taken++;
                    }
                }
                return taken;
            };
            RegisteredMemory memory = RegisteredMemory.allocate(16);
            for (int i = 0; i < count; i++) {
                ends.server.receive(memory, 0, 8, i);
            }
            for (int i = 0; i < 2; i++) {
                ends.server.receive(memory, 0, 8, "end " + i);
            }
            FutureTask<Integer> first = start(taker);
            FutureTask<Integer> second = start(taker);
            for (int i = 0; i < count; i++) {
                ends.client.send(memory, 8, 8, null);
            }
            ends.client.shutdownOutput();
            assertThat(first.get(30, TimeUnit.SECONDS) + second.get(30, TimeUnit.SECONDS)).isEqualTo(count);
        }
    }

    @Test
    void shouldRegisterDirectBuffersOnly() {
        assertThatThrownBy(() -> RegisteredMemory.register(ByteBuffer.allocate(8)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RegisteredMemory.register(ByteBuffer.allocateDirect(8).asReadOnlyBuffer()))
                .isInstanceOf(IllegalArgumentException.class);
        RegisteredMemory memory = RegisteredMemory.register(ByteBuffer.allocateDirect(8).limit(3));
        assertThat(memory.lend(0, 8).remaining()).isEqualTo(8);
        assertThatThrownBy(() -> memory.lend(1, 8)).isInstanceOf(IndexOutOfBoundsException.class);
        memory.release();
        memory.deregister();
        assertThatThrownBy(memory::deregister).hasMessage("Memory is not registered");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 63, 64, 100, 4096, 5000, 65_537, 1 << 20})
    void shouldBeginNewMemoryAtALine(int bytes) {
        ByteBuffer buffer = RegisteredMemory.allocate(bytes).buffer();
        assertThat(buffer.alignmentOffset(0, 64)).isZero();
        assertThat(buffer.capacity()).isEqualTo(bytes);
    }

    @Test
    void shouldLendTheBuffersOfAPool() {
        BufferPool pool = new BufferPool(2, 100);
        RegisteredMemory first = pool.take();
        RegisteredMemory second = pool.take();
        assertThat(pool.take()).isNull();
        assertThat(first.buffer().alignmentOffset(0, 64)).isZero();
        assertThat(second.buffer().alignmentOffset(0, 64)).isZero();
        assertThat(second.buffer().capacity()).isEqualTo(100);
        assertThatThrownBy(pool::deregister).hasMessage("2 buffers are not given back");
        pool.giveBack(first);
        assertThatThrownBy(() -> pool.giveBack(first)).isInstanceOf(IllegalStateException.class);
        second.lend(0, 1);
        assertThatThrownBy(() -> pool.giveBack(second)).isInstanceOf(IllegalStateException.class);
        second.release();
        pool.giveBack(second);
        pool.deregister();
        assertThat(pool.take()).isNull();
    }
}
