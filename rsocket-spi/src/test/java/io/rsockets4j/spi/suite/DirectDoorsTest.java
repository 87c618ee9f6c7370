/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.rdma.DirectProbe;
import io.rsockets4j.core.verbs.memory.MemoryHost;
import io.rsockets4j.core.verbs.memory.MemoryNetwork;
import io.rsockets4j.spi.suite.kit.EngineSettings;
import io.rsockets4j.spi.suite.kit.Handled;
import io.rsockets4j.spi.suite.kit.OnMemoryVerbs;
import io.rsockets4j.spi.suite.kit.Pair;
import io.rsockets4j.spi.suite.kit.Payload;
import io.rsockets4j.spi.suite.kit.Sockets;
import io.rsockets4j.spi.suite.kit.Task;
import io.rsockets4j.spi.suite.kit.Threads;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.CompletionHandler;
import java.nio.channels.NetworkChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Channels whose buffers the device reads and writes itself, over RDMA on verbs in memory: from which buffers on, and
 * that they are the program's again at the very moment in which an operation ends, however it ends.
 */
@Timeout(60)
@OnMemoryVerbs
@EngineSettings({"paths=rdma", "direct.min.bytes=" + DirectDoorsTest.MIN_BYTES})
class DirectDoorsTest extends AsyncCase {
    static final int MIN_BYTES = 2048; // several fit into a ring, however small
    private static final Sockets SOCKETS = OurSockets.atBothEnds();
    private static final int BYTES = 1 << 20;
    private static final byte UNTOUCHED = 0x5a;
    private static final long TIMEOUT_MILLIS = 400;

    private final Payload payload = new Payload(29);

    @AfterEach
    void goOn() {
        network().pause(false);
    }

    @Override
    public Sockets sockets() {
        return SOCKETS;
    }

    private static MemoryNetwork network() {
        return MemoryHost.shared().network();
    }

    private static Link link(NetworkChannel channel, SocketAddress remote) throws IOException {
        return DirectProbe.link(channel.getLocalAddress(), remote);
    }

    private static Link link(SocketChannel channel) throws IOException {
        return link(channel, channel.getRemoteAddress());
    }

    private static void awaitBuffer(Link of) throws Exception {
        Threads.await("the peer's buffer", () -> DirectProbe.knowsOfBuffer(of));
    }

    private static ByteBuffer untouched() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
        while (buffer.hasRemaining()) {
            buffer.put(UNTOUCHED);
        }
        return buffer.clear();
    }

    private static void assertUntouched(ByteBuffer buffer) {
        assertThat(buffer.position()).isZero();
        assertThat(buffer.mismatch(untouched())).as("the first byte that has come").isEqualTo(-1);
    }

    private ByteBuffer direct(int bytes) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
        payload.fill(buffer, 0);
        return buffer.flip();
    }

    private AsyncPair connectAsync(AsynchronousServerSocketChannel server) throws Exception {
        Future<AsynchronousSocketChannel> accepted = server.accept();
        AsynchronousSocketChannel client = openAsync();
        get(client.connect(server.getLocalAddress()));
        return new AsyncPair(client, closing(get(accepted)));
    }

    /**
     * Returns once all has arrived that clients of a server have sent before: they have one session, whose bytes keep
     * their order.
     *
     * @param bystander of that server, too
     */
    private static void awaitArrival(Pair bystander) throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        assertThat(bystander.client().write(one)).isEqualTo(1);
        assertThat(bystander.server().read(one.clear())).isEqualTo(1);
    }

    private static void awaitArrival(AsyncPair bystander) throws Exception {
        ByteBuffer one = ByteBuffer.allocate(1);
        assertThat(get(bystander.client().write(one))).isEqualTo(1);
        assertThat(get(bystander.server().read(one.clear()))).isEqualTo(1);
    }

    // ---- which buffers

    /** What a program reads into, or writes from. */
    private enum Buffers {
        LEAST, SMALL, HEAP, SEVERAL;

        ByteBuffer[] make() {
            return switch (this) {
                case LEAST -> new ByteBuffer[] {ByteBuffer.allocateDirect(MIN_BYTES)};
                case SMALL -> new ByteBuffer[] {ByteBuffer.allocateDirect(MIN_BYTES - 1)};
                case HEAP -> new ByteBuffer[] {ByteBuffer.allocate(MIN_BYTES)};
                case SEVERAL -> new ByteBuffer[] {ByteBuffer.allocateDirect(MIN_BYTES),
                    ByteBuffer.allocateDirect(MIN_BYTES)};
            };
        }
    }

    /** A blocking read of several waits with the first of them. */
    @ParameterizedTest
    @CsvSource({"LEAST, true", "SMALL, false", "HEAP, false", "SEVERAL, true"})
    void shouldReadStraightIntoALargeDirectBufferThatWaits(Buffers kind, boolean straight) throws Exception {
        Pair pair = connect();
        Link link = link(pair.server());
        Link peer = link(pair.client());
        ByteBuffer[] buffers = kind.make();
        Task<Long> reader = start("reader", () -> buffers.length > 1 ? pair.server().read(buffers)
                : pair.server().read(buffers[0]));
        reader.awaitBlockedIn("read");
        awaitBufferIf(straight, peer, link);
        pair.client().write(direct(MIN_BYTES));
        check(buffers[0], reader.join());
        assertThat(link.directBytesReceived()).isEqualTo(straight ? MIN_BYTES : 0);
        assertThat(peer.directBytesSent()).isEqualTo(straight ? MIN_BYTES : 0);
    }

    @ParameterizedTest
    @CsvSource({"LEAST, true", "SMALL, false", "HEAP, false", "SEVERAL, false"})
    void shouldReadStraightIntoALargeDirectBufferWhoseReadIsPending(Buffers kind, boolean straight) throws Exception {
        AsyncPair pair = connectAsync();
        Link link = link(pair.server(), pair.server().getRemoteAddress());
        Link peer = link(pair.client(), pair.client().getRemoteAddress());
        ByteBuffer[] buffers = kind.make();
        Handled<Integer> ofOne = new Handled<>();
        Handled<Long> ofSeveral = new Handled<>();
        if (buffers.length > 1) {
            pair.server().read(buffers, 0, buffers.length, 0, TimeUnit.SECONDS, null, ofSeveral);
        } else {
            pair.server().read(buffers[0], null, ofOne);
        }
        awaitBufferIf(straight, peer, link);
        assertThat(get(pair.client().write(direct(MIN_BYTES)))).isEqualTo(MIN_BYTES);
        check(buffers[0], buffers.length > 1 ? ofSeveral.result() : ofOne.result());
        assertThat(link.directBytesReceived()).isEqualTo(straight ? MIN_BYTES : 0);
    }

    private static void awaitBufferIf(boolean straight, Link peer, Link link) throws Exception {
        if (straight) {
            awaitBuffer(peer);
        } else {
            assertThat(DirectProbe.lent(link)).as("nothing is registered for it").isZero();
        }
    }

    private void check(ByteBuffer buffer, long bytes) {
        assertThat(bytes).isBetween(1L, (long) MIN_BYTES);
        assertThat(buffer.position()).isEqualTo((int) bytes);
        payload.check(buffer.flip(), 0);
    }

    /** Others are copied at once, so that their write ends though nothing moves in the network. */
    @ParameterizedTest
    @EnumSource
    void shouldWriteStraightFromALargeDirectBufferAlone(Buffers kind) throws Exception {
        Pair pair = connect();
        Link link = link(pair.client());
        ByteBuffer target = ByteBuffer.allocateDirect(2 * MIN_BYTES);
        Task<Integer> reader = start("reader", () -> pair.server().read(target));
        awaitBuffer(link);
        network().pause(true);
        ByteBuffer[] buffers = kind.make();
        long position = 0;
        for (ByteBuffer buffer : buffers) {
            payload.fill(buffer, position);
            position += buffer.flip().remaining();
        }
        Task<Long> writer = start("writer", () -> buffers.length > 1 ? pair.client().write(buffers)
                : pair.client().write(buffers[0]));
        if (kind == Buffers.LEAST) {
            writer.awaitBlockedIn("write");
            network().pause(false);
        }
        assertThat(writer.join()).isEqualTo(position);
        network().pause(false);
        assertThat(reader.join()).isPositive();
        payload.check(target.flip(), 0);
    }

    // ---- the end of a read

    /** How a blocking read or write ends before its time. */
    private enum BlockingEnd {
        CLOSE, INTERRUPT, SHUT;

        /** Ends it; a half-close is the caller's. */
        void end(SocketChannel channel, Task<?> operation, Callable<?> shut) throws Exception {
            switch (this) {
                case CLOSE -> channel.close();
                case INTERRUPT -> operation.interrupt();
                case SHUT -> shut.call();
                default -> throw new AssertionError(this);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldLetNothingLandOnceABlockingReadHasEnded(BlockingEnd how) throws Exception {
        ServerSocketChannel server = listen();
        Pair bystander = connect(server);
        Pair pair = connect(server);
        Link link = link(pair.server());
        ByteBuffer buffer = untouched();
        Task<Long> reader = start("reader", () -> {
            try {
                assertThat(pair.server().read(buffer)).isEqualTo(Link.EOF);
            } catch (ClosedChannelException e) {
                assertThat(how).isNotEqualTo(BlockingEnd.SHUT);
            }
            return DirectProbe.lent(link);
        });
        awaitBuffer(link(pair.client()));
        how.end(pair.server(), reader, pair.server()::shutdownInput);
        assertThat(reader.join()).isZero();
        pair.client().configureBlocking(false);
        pair.client().write(direct(BYTES));
        awaitArrival(bystander);
        assertUntouched(buffer);
    }

    /** How a pending read ends. */
    private enum PendingEnd { TIMEOUT, CLOSE, CANCEL }

    @ParameterizedTest
    @EnumSource
    void shouldLetNothingLandOnceAPendingReadHasEnded(PendingEnd end) throws Exception {
        AsynchronousServerSocketChannel server = listenAsync();
        AsyncPair bystander = connectAsync(server);
        AsyncPair pair = connectAsync(server);
        Link link = link(pair.server(), pair.server().getRemoteAddress());
        Link peer = link(pair.client(), pair.client().getRemoteAddress());
        ByteBuffer buffer = untouched();
        CompletableFuture<Long> ended = new CompletableFuture<>();
        if (end == PendingEnd.CANCEL) {
            Future<Integer> read = pair.server().read(buffer);
            awaitBuffer(peer);
            assertThat(read.cancel(false)).isTrue();
            ended.complete(DirectProbe.lent(link));
        } else {
            pair.server().read(buffer, TIMEOUT_MILLIS, TimeUnit.MILLISECONDS, null, onFailure(link, ended));
            Threads.await("the peer's buffer", () -> DirectProbe.knowsOfBuffer(peer) || ended.isDone());
        }
        if (end == PendingEnd.CLOSE) {
            pair.server().close();
        }
        assertThat(get(ended)).isZero();
        pair.client().write(direct(BYTES));
        awaitArrival(bystander);
        assertUntouched(buffer);
    }

    /** Tells what is registered at the moment in which the program hears of the failure. */
    private static CompletionHandler<Integer, Object> onFailure(Link link, CompletableFuture<Long> ended) {
        return new CompletionHandler<>() {
            @Override
            public void completed(Integer bytes, Object attachment) {
                ended.completeExceptionally(new AssertionError(bytes + " bytes"));
            }

            @Override
            public void failed(Throwable cause, Object attachment) {
                ended.complete(DirectProbe.lent(link));
            }
        };
    }

    // ---- the end of a write

    @ParameterizedTest
    @EnumSource(names = {"CLOSE", "CANCEL"})
    void shouldReadNothingOfABufferOnceAPendingWriteHasEnded(PendingEnd end) throws Exception {
        AsyncPair pair = connectAsync();
        Link link = link(pair.client(), pair.client().getRemoteAddress());
        ByteBuffer target = ByteBuffer.allocateDirect(BYTES);
        Future<Integer> read = pair.server().read(target);
        awaitBuffer(link);
        network().pause(true);
        ByteBuffer source = direct(BYTES);
        Future<Integer> write = pair.client().write(source);
        Task<Long> ender = start("ender", () -> {
            if (end == PendingEnd.CLOSE) {
                pair.client().close();
            } else {
                assertThat(write.cancel(false)).isTrue();
            }
            source.clear().put(untouched()); // it is the program's again
            return DirectProbe.lent(link);
        });
        ender.awaitBlockedIn("reclaim");
        network().pause(false);
        assertThat(ender.join()).isZero();
        assertThat(get(read)).isEqualTo(BYTES);
        payload.check(target.flip(), 0);
    }

    @ParameterizedTest
    @EnumSource
    void shouldReadNothingOfABufferOnceABlockingWriteHasEnded(BlockingEnd how) throws Exception {
        Pair pair = connect();
        Link link = link(pair.client());
        ByteBuffer target = ByteBuffer.allocateDirect(BYTES);
        Task<Integer> reader = start("reader", () -> pair.server().read(target));
        awaitBuffer(link);
        network().pause(true);
        ByteBuffer source = direct(BYTES);
        Task<Long> writer = start("writer", () -> {
            try {
                pair.client().write(source);
            } catch (ClosedChannelException e) {
                assertThat(how).isNotEqualTo(BlockingEnd.SHUT);
            }
            source.clear().put(untouched()); // it is the program's again
            return DirectProbe.lent(link);
        });
        writer.awaitBlockedIn("write");
        Task<Void> ender = start("ender", () -> {
            how.end(pair.client(), writer, pair.client()::shutdownOutput); // to shut it waits for the writer
            return null;
        });
        writer.awaitBlockedIn("reclaim");
        network().pause(false);
        ender.join();
        assertThat(writer.join()).isZero();
        assertThat(reader.join()).isEqualTo(BYTES);
        payload.check(target.flip(), 0);
    }
}
