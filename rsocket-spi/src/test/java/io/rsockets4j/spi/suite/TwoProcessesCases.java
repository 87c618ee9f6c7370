/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;

import io.rsockets4j.spi.suite.kit.Capability;
import io.rsockets4j.spi.suite.kit.Machine;
import io.rsockets4j.spi.suite.kit.Payload;
import io.rsockets4j.spi.suite.kit.Peer;
import io.rsockets4j.spi.suite.kit.PeerMain;
import io.rsockets4j.spi.suite.kit.Requires;
import io.rsockets4j.spi.suite.kit.Task;
import io.rsockets4j.spi.suite.kit.Threads;
import io.rsockets4j.spi.suite.kit.Wire;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two virtual machines, one of which may end, or be killed, at any moment. */
@Requires(Capability.CHILD_JVM)
@Timeout(60)
abstract class TwoProcessesCases extends SuiteCase {
    /** How soon the death of a peer must be known. */
    private static final long LIMIT_MS = 1000L * Machine.SLOWNESS;

    private final Payload payload = new Payload(14);
    private final Payload ofPeer = new Payload(PeerMain.SEED);

    @Test
    void shouldEchoMessagesOfManySizes() throws Exception {
        Peer peer = peer("echo", 0);
        SocketChannel channel = connectTo(peer);
        long position = 0;
        for (int size = 1; size < 200_000; size = size * 3 / 2 + 1) {
            int length = size;
            long from = position;
            Task<Void> sender = start("sender", () -> {
                Wire.writeFully(channel, payload.slice(from, length));
                return null;
            });
            Wire.receive(channel, payload, from, from + size, 70_001);
            sender.join();
            position += size;
        }
        channel.shutdownOutput();
        assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @Test
    void shouldMoveMebibytesBothWaysAtOnce() throws Exception {
        int bytes = Machine.lessWhereSlow(32, 4) << 20;
        SocketChannel channel = connectTo(peer("echo", 0));
        Task<Void> sender = start("sender", () -> {
            Wire.send(channel, payload, bytes, 100_003);
            channel.shutdownOutput();
            return null;
        });
        Wire.receive(channel, payload, bytes, 65_537);
        sender.join();
        assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @Test
    void shouldServeTwoProcessesAtOnce() throws Exception {
        ServerSocketChannel server = listen();
        Peer first = peer("send", portOf(server), "3000000");
        Peer second = peer("send", portOf(server), "3000000");
        for (int i = 0; i < 2; i++) {
            SocketChannel accepted = closing(server.accept());
            Wire.receive(accepted, ofPeer, 3_000_000, 10_000);
            assertThat(accepted.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        }
        assertThat(first.awaitExit()).isZero();
        assertThat(second.awaitExit()).isZero();
    }

    @Test
    void shouldReceiveEverythingThatAPeerSentBeforeItEnded() throws Exception {
        ServerSocketChannel server = listen();
        Peer peer = peer("send", portOf(server), "100000");
        SocketChannel accepted = closing(server.accept());
        peer.expect("sent");
        assertThat(peer.awaitExit()).isZero();
        Wire.receive(accepted, ofPeer, 100_000, 10_000);
        assertThat(accepted.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @Test
    void shouldReceiveEverythingFromAPeerThatEndedWithoutClosing() throws Exception {
        ServerSocketChannel server = listen();
        Peer peer = peer("leave", portOf(server), "100000");
        SocketChannel accepted = closing(server.accept());
        assertThat(peer.awaitExit()).isZero();
        Wire.receive(accepted, ofPeer, 100_000, 10_000);
        assertThat(accepted.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @Test
    void shouldThrowWhenThePeerResetsTheConnection() throws Exception {
        ServerSocketChannel server = listen();
        Peer peer = peer("reset", portOf(server));
        SocketChannel accepted = closing(server.accept());
        accepted.write(payload.slice(0, 1));
        assertThat(assertThrowsExactly(SocketException.class, () -> accepted.read(ByteBuffer.allocate(1))))
                .hasMessage("Connection reset");
        peer.expect("reset");
    }

    @Test
    void shouldEndABlockedReadWhenThePeerIsKilled() throws Exception {
        Peer peer = peer("accept", 0, "1");
        SocketChannel channel = connectTo(peer);
        Task<Integer> reader = start("reader", () -> channel.read(ByteBuffer.allocate(1)));
        peer.expect("accepted");
        reader.awaitBlockedIn("read");
        assertThat(millisOf(peer::kill, () -> assertThat(reader.join()).isEqualTo(-1))).isLessThan(LIMIT_MS);
        assertWritesFail(channel);
    }

    @Test
    void shouldEndABlockedWriteWhenThePeerIsKilled() throws Exception {
        Peer peer = peer("accept", 0, "1");
        SocketChannel channel = connectTo(peer);
        peer.expect("accepted");
        Task<Void> writer = startBlockedWriter(channel);
        assertThat(millisOf(peer::kill, () -> assertThat(writer.failure()).isInstanceOf(IOException.class)))
                .isLessThan(LIMIT_MS);
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void shouldSelectEveryConnectionOfAKilledPeer() throws Exception {
        ServerSocketChannel server = listen();
        Peer peer = peer("hold", portOf(server), "100");
        Selector selector = openSelector();
        for (int i = 0; i < 100; i++) {
            register(selector, closing(server.accept()), SelectionKey.OP_READ);
        }
        peer.expect("connected");
        assertThat(selector.selectNow()).isZero();
        Task<Integer> select = start("selecting", () -> selector.select());
        select.awaitBlockedIn("select");
        assertThat(millisOf(peer::kill, select::join)).isLessThan(LIMIT_MS);
        Threads.await("all keys", () -> selector.selectNow() + selector.selectedKeys().size() >= 100);
        for (SelectionKey key : selector.selectedKeys()) {
            assertThat(((SocketChannel) key.channel()).read(ByteBuffer.allocate(1))).isEqualTo(-1);
        }
    }

    @Test
    void shouldReadWhatAKilledPeerHadSent() throws Exception {
        Peer peer = peer("echo", 0);
        SocketChannel channel = connectTo(peer);
        Wire.writeFully(channel, payload.slice(0, 50_000));
        Wire.receive(channel, payload, 1, 1);
        Threads.await("the echo", () -> channel.socket().getInputStream().available() == 49_999);
        peer.kill();
        Wire.receive(channel, payload, 1, 50_000, 1000);
        assertEndOrReset(channel);
    }

    @Test
    void shouldEndAnAcceptedConnectionWhoseClientIsKilledBeforeItIsAccepted() throws Exception {
        ServerSocketChannel server = listen();
        Peer peer = peer("hold", portOf(server), "3");
        peer.expect("connected");
        peer.kill();
        for (int i = 0; i < 3; i++) {
            assertThat(closing(server.accept()).read(ByteBuffer.allocate(1))).isEqualTo(-1);
        }
        assertThat(connect(server).client().isConnected()).isTrue();
    }

    @Test
    void shouldRefuseAConnectToAKilledServerAndServeItsPortAnew() throws Exception {
        Peer peer = peer("echo", 0);
        int port = Integer.parseInt(peer.expect("listening"));
        InetSocketAddress address = new InetSocketAddress(Machine.peerAddress(), port);
        SocketChannel before = open();
        before.connect(address);
        Wire.writeFully(before, payload.slice(0, 10));
        Wire.receive(before, payload, 10, 10);
        peer.kill();
        assertThat(millisOf(() -> { }, () -> awaitRefusal(address))).isLessThan(LIMIT_MS);
        assertThat(before.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        SocketChannel after = connectTo(peer("echo", port));
        Wire.writeFully(after, payload.slice(0, 1000));
        Wire.receive(after, payload, 1000, 1000);
    }

    @Test
    void shouldLeaveNoFilesOfKilledPeers() throws Exception {
        assertThat(connect().client().isConnected()).isTrue();
        Set<Path> before = sockets().files();
        ServerSocketChannel server = listen();
        Peer serving = peer("accept", 0, "20");
        Peer client = peer("hold", portOf(server), "20");
        int port = Integer.parseInt(serving.expect("listening"));
        List<SocketChannel> channels = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            channels.add(closing(server.accept()));
            SocketChannel channel = open();
            channel.connect(new InetSocketAddress(Machine.peerAddress(), port));
            channels.add(channel);
        }
        serving.expect("accepted");
        client.expect("connected");
        serving.kill();
        client.kill();
        for (SocketChannel channel : channels) {
            assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            channel.close();
        }
        server.close();
        Set<Path> left = filesOfOthers();
        Peer next = peer("echo", 0); // whoever listens next tidies up, if it lives for a moment
        next.expect("listening");
        Threads.await(left, () -> {
            left.retainAll(sockets().files());
            left.removeAll(before);
            return left.isEmpty();
        });
        next.close();
        Threads.await(left, () -> {
            left.addAll(filesOfOthers());
            left.retainAll(sockets().files());
            left.removeAll(before);
            return left.isEmpty();
        });
    }

    /** Without the socket that tells of this process, which is there some time after its first connection. */
    private Set<Path> filesOfOthers() throws IOException {
        Set<Path> files = new HashSet<>(sockets().files());
        files.removeIf(file -> file.getFileName().toString().startsWith(ProcessHandle.current().pid() + "-"));
        return files;
    }

    /** A connect may just come through, as to a server that dies right afterwards; but then it ends at once. */
    private void awaitRefusal(InetSocketAddress address) throws IOException {
        for (;;) {
            try (SocketChannel channel = sockets().clientProvider().openSocketChannel()) {
                channel.connect(address);
                assertEndOrReset(channel);
            } catch (ConnectException e) {
                assertThat(e).hasMessageStartingWith("Connection refused");
                return;
            }
        }
    }

    private interface Step {
        void run() throws Exception;
    }

    private static long millisOf(Step cause, Step effect) throws Exception {
        cause.run();
        long start = System.nanoTime();
        effect.run();
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    }

    private void assertWritesFail(SocketChannel channel) {
        Throwable failure = catchThrowable(() -> Wire.send(channel, payload, Long.MAX_VALUE, 1000));
        assertThat(failure).isInstanceOf(IOException.class);
        assertThat(failure.getMessage()).isIn("Broken pipe", "Connection reset", "Connection reset by peer");
    }

    private static void assertEndOrReset(SocketChannel channel) throws IOException {
        try {
            assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        } catch (IOException e) {
            assertThat(e).hasMessage("Connection reset");
        }
    }

    private Peer peer(String command, int port, String... more) throws IOException {
        String[] line = new String[2 + more.length];
        line[0] = command;
        line[1] = Integer.toString(port);
        System.arraycopy(more, 0, line, 2, more.length);
        return closing(Peer.start(sockets().childOptions(), line));
    }

    private SocketChannel connectTo(Peer peer) throws Exception {
        int port = Integer.parseInt(peer.expect("listening"));
        SocketChannel channel = open();
        channel.connect(new InetSocketAddress(Machine.peerAddress(), port));
        return channel;
    }

    private static int portOf(ServerSocketChannel server) throws IOException {
        return ((InetSocketAddress) server.getLocalAddress()).getPort();
    }
}
