/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.engine.ConnectionInfo;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.rules.Direction;
import io.rsockets4j.spi.suite.kit.EngineSettings;
import io.rsockets4j.spi.suite.kit.Machine;
import io.rsockets4j.spi.suite.kit.Pair;
import io.rsockets4j.spi.suite.kit.Payload;
import io.rsockets4j.spi.suite.kit.Peer;
import io.rsockets4j.spi.suite.kit.PeerMain;
import io.rsockets4j.spi.suite.kit.Sockets;
import io.rsockets4j.spi.suite.kit.Task;
import io.rsockets4j.spi.suite.kit.Threads;
import io.rsockets4j.spi.suite.kit.Wire;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** With {@code paths=shm,tcp}: which path a connection takes, by the counts; and that both kinds get on together. */
@Timeout(60)
@EngineSettings("paths=shm,tcp")
class MixedPathsTest extends SuiteCase {
    private static final OurSockets OURS = OurSockets.atBothEnds();
    private static final Sockets PLAIN = new TcpSockets();

    private final Payload payload = new Payload(15);
    private long shmBefore;
    private long tcpBefore;

    @Override
    public Sockets sockets() {
        return OURS;
    }

    @BeforeEach
    void startCounting() {
        shmBefore = OURS.count("shm");
        tcpBefore = OURS.count("tcp");
    }

    @Test
    void shouldTakeSharedMemoryWhereBothEndsAreOurs() throws Exception {
        assertCarries(connect());
        assertCounts(2, 0);
    }

    @Test
    void shouldTakeTcpToAPlainServer() throws Exception {
        ServerSocketChannel server = listen(PLAIN);
        assertCarries(new Pair(connectTo(server), closing(server.accept())));
        assertCounts(0, 1);
    }

    @Test
    void shouldTakeTcpFromAPlainClient() throws Exception {
        ServerSocketChannel server = listen();
        SocketChannel client = open(PLAIN);
        client.connect(server.getLocalAddress());
        assertCarries(new Pair(client, closing(server.accept())));
        assertCounts(0, 1);
    }

    @Test
    void shouldRegisterBothEndsOfALinkUntilTheyAreClosed() throws Exception {
        Pair pair = connect();
        ConnectionInfo client = registered(pair.client(), Direction.CONNECT);
        ConnectionInfo server = registered(pair.server(), Direction.ACCEPT);
        assertThat(client.path()).isEqualTo("shm");
        assertThat(client.reason()).isEqualTo(Reason.PREFERRED);
        assertThat(client.remote()).isEqualTo(pair.server().getLocalAddress());
        assertThat(server.reason()).isEqualTo(Reason.PEER_CHOICE);
        assertThat(server.link()).isNotNull();
        pair.client().close();
        pair.server().close();
        assertThat(OURS.connections()).doesNotContain(client, server);
    }

    @Test
    void shouldRegisterTcpWithTheReason() throws Exception {
        ServerSocketChannel server = listen(PLAIN);
        SocketChannel client = connectTo(server);
        ConnectionInfo info = registered(client, Direction.CONNECT);
        assertThat(info.reason()).isEqualTo(Reason.NOT_OFFERED);
        assertThat(info.link()).isNull();
        assertThat(info.path()).isEqualTo("tcp");
        client.close();
        assertThat(OURS.connections()).doesNotContain(info);
    }

    @Test
    void shouldRegisterAcceptedTcp() throws Exception {
        ServerSocketChannel server = listen();
        SocketChannel client = open(PLAIN);
        client.connect(server.getLocalAddress());
        SocketChannel accepted = closing(server.accept());
        ConnectionInfo info = registered(accepted, Direction.ACCEPT);
        assertThat(info.path()).isEqualTo("tcp");
        accepted.close();
        assertThat(OURS.connections()).doesNotContain(info);
    }

    private static ConnectionInfo registered(SocketChannel channel, Direction direction) throws IOException {
        SocketAddress local = channel.getLocalAddress();
        return OURS.connections().stream()
                .filter(info -> info.direction() == direction && info.local().equals(local)).findAny().orElseThrow();
    }

    @Test
    void shouldTakeTcpFromAPlainSocket() throws Exception {
        ServerSocketChannel server = listen();
        Socket client = closing(new Socket());
        client.connect(server.getLocalAddress());
        SocketChannel accepted = closing(server.accept());
        client.getOutputStream().write(payload.slice(0, 1000).array());
        Wire.receive(accepted, payload, 1000, 1000);
        assertCounts(0, 1);
    }

    @Test
    void shouldAcceptBothKindsInOneBlockingLoop() throws Exception {
        ServerSocketChannel server = listen();
        for (int i = 0; i < 20; i++) {
            Task<SocketChannel> accepter = start("accepter", server::accept);
            accepter.awaitBlockedIn("accept");
            SocketChannel client = open(i % 2 == 0 ? OURS : PLAIN);
            client.connect(server.getLocalAddress());
            Pair pair = new Pair(client, closing(accepter.join()));
            assertThat(pair.server().getRemoteAddress()).isEqualTo(client.getLocalAddress());
            assertCarries(pair);
        }
        assertCounts(20, 10);
    }

    @Test
    void shouldSelectBothKindsWithOneSelector() throws Exception {
        ServerSocketChannel server = listen();
        Selector selector = openSelector();
        SelectionKey acceptKey = register(selector, server, SelectionKey.OP_ACCEPT);
        List<SocketChannel> accepted = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Task<Integer> select = start("selecting", () -> selector.select());
            select.awaitBlockedIn("select");
            SocketChannel client = open(i % 2 == 0 ? OURS : PLAIN);
            client.connect(server.getLocalAddress());
            assertThat(select.join()).isEqualTo(1);
            assertThat(selector.selectedKeys()).containsExactly(acceptKey);
            accepted.add(closing(server.accept()));
            selector.selectedKeys().clear();
            client.write(payload.slice(0, 10));
        }
        for (SocketChannel channel : accepted) {
            register(selector, channel, SelectionKey.OP_READ);
        }
        int ready = 0;
        for (long end = System.nanoTime() + 20_000_000_000L; ready < 10 && System.nanoTime() < end;) {
            ready += selector.select(1000);
        }
        assertThat(ready).isEqualTo(10);
        assertCounts(10, 5);
    }

    @Test
    void shouldSelectWhileBothKindsWaitToBeAccepted() throws Exception {
        ServerSocketChannel server = listen();
        server.configureBlocking(false);
        List<SocketChannel> clients = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            SocketChannel client = open(i % 2 == 0 ? OURS : PLAIN);
            client.connect(server.getLocalAddress());
            clients.add(client);
        }
        for (int i = 0; i < 10; i++) {
            SocketChannel[] accepted = new SocketChannel[1];
            Threads.await("connection " + i, () -> {
                accepted[0] = server.accept();
                return accepted[0] != null;
            });
            closing(accepted[0]);
        }
        assertThat(server.accept()).isNull();
        assertThat(clients).allMatch(SocketChannel::isConnected);
    }

    @Test
    void shouldFallBackWhereTheListenerIsNotToBeTrusted() throws Exception {
        ServerSocketChannel server = listen(PLAIN);
        int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
        connect().client().close();
        Path real = OURS.files().stream().filter(path -> path.toString().endsWith(".listen")).findAny().orElseThrow();
        String[] parts = real.getFileName().toString().split("-", 3);
        Path forged = real.resolveSibling(parts[0] + "-" + port + "-" + parts[2]);
        for (String text : new String[] {"", "nonsense", "rsockets4j 99 x y z\n", "x".repeat(100_000)}) {
            Files.writeString(forged, text);
            assertCarries(new Pair(connectTo(server), closing(server.accept())));
        }
        Files.delete(forged);
        Files.createSymbolicLink(forged, real);
        assertCarries(new Pair(connectTo(server), closing(server.accept())));
        Files.delete(forged);
    }

    @Test
    void shouldPrintTheCountsAtExit() throws Exception {
        ServerSocketChannel ours = listen();
        ServerSocketChannel plain = listen(PLAIN);
        Peer first = peerWithSummary("send", ours);
        Wire.receive(closing(ours.accept()), new Payload(PeerMain.SEED), 1000, 1000);
        assertThat(first.awaitExit()).isZero();
        Peer second = peerWithSummary("send", plain);
        Wire.receive(closing(plain.accept()), new Payload(PeerMain.SEED), 1000, 1000);
        assertThat(second.awaitExit()).isZero();
        String served = "; rsockets4j( [^ ]+)?, paths=shm,tcp\\R"; // the version stands in the jar alone
        assertThat(first.errors()).containsPattern("rsockets4j: connections shm=1 tcp=0" + served + "$");
        assertThat(second.errors()).containsPattern("rsockets4j: connections shm=0 tcp=1" + served + "$");
    }

    @Test
    void shouldServeAPlainProcess() throws Exception {
        ServerSocketChannel server = listen();
        Peer peer = closing(Peer.start(List.of(), "send", Integer.toString(portOf(server)), "3000000"));
        SocketChannel accepted = closing(server.accept());
        Wire.receive(accepted, new Payload(PeerMain.SEED), 3_000_000, 10_000);
        assertThat(accepted.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        assertThat(peer.awaitExit()).isZero();
        assertCounts(0, 1);
    }

    /**
     * A server that is there and does not answer, as when it is stopped in a debugger, must not hold up a client for
     * long.
     */
    @Test
    void shouldFallBackWhenTheServerIsStopped() throws Exception {
        Peer peer = echoServer();
        InetSocketAddress address = stop(peer);
        long start = System.nanoTime();
        SocketChannel client = open();
        client.connect(address);
        assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start)).isLessThan(10);
        peer.signal("CONT");
        Wire.writeFully(client, payload.slice(0, 1000));
        Wire.receive(client, payload, 1000, 1000);
        assertThat(OURS.count("tcp") - tcpBefore + OURS.count("shm") - shmBefore).isEqualTo(1);
    }

    /** An event loop has other connections to serve. */
    @Test
    void shouldNotHoldUpAClientThatDoesNotBlock() throws Exception {
        Peer peer = echoServer();
        InetSocketAddress address = stop(peer);
        SocketChannel client = open();
        client.configureBlocking(false);
        assertThat(client.connect(address)).isFalse();
        assertThat(client.finishConnect()).isFalse();
        peer.signal("CONT");
        Selector selector = openSelector();
        client.register(selector, SelectionKey.OP_CONNECT);
        assertThat(selector.select(20_000)).isEqualTo(1);
        assertThat(client.finishConnect()).isTrue();
        selector.close();
        client.configureBlocking(true);
        Wire.writeFully(client, payload.slice(0, 1000));
        Wire.receive(client, payload, 1000, 1000);
        assertThat(OURS.count("tcp") - tcpBefore + OURS.count("shm") - shmBefore).isEqualTo(1);
    }

    @Test
    void shouldConnectAtOnceToAServerThatIsKnown() throws Exception {
        ServerSocketChannel server = listen();
        assertCarries(connect(server));
        SocketChannel client = open();
        client.configureBlocking(false);
        client.connect(server.getLocalAddress());
        assertThat(client.finishConnect()).isTrue();
    }

    @Test
    void shouldEndAConnectToAStoppedServerByCloseOrInterrupt() throws Exception {
        for (boolean interrupt : new boolean[] {false, true}) {
            Peer peer = echoServer();
            InetSocketAddress address = stop(peer);
            SocketChannel client = open();
            Task<Boolean> connect = start("connecting", () -> client.connect(address));
            connect.awaitBlockedIn("connect");
            if (interrupt) {
                connect.interrupt();
            } else {
                client.close();
            }
            assertThat(connect.failure()).isExactlyInstanceOf(
                    interrupt ? ClosedByInterruptException.class : AsynchronousCloseException.class);
            assertThat(connect.wasInterruptedAtEnd()).isEqualTo(interrupt);
            assertThat(client.isOpen()).isFalse();
            peer.signal("CONT");
        }
    }

    /** As over TCP, where the kernel answers for the server. */
    @Test
    void shouldConnectToAStoppedServerWithinATimeout() throws Exception {
        Peer peer = echoServer();
        InetSocketAddress address = stop(peer);
        SocketChannel client = open();
        client.socket().connect(address, 1000);
        peer.signal("CONT");
        Wire.writeFully(client, payload.slice(0, 1000));
        Wire.receive(client, payload, 1000, 1000);
        assertCounts(0, 1);
    }

    private Peer echoServer() throws IOException {
        return closing(Peer.start(OURS.ourOptions(), "echo", "0"));
    }

    /** @return where the server listens, which is stopped from now on */
    private static InetSocketAddress stop(Peer server) throws Exception {
        int port = Integer.parseInt(server.expect("listening"));
        server.signal("STOP");
        return new InetSocketAddress(Machine.peerAddress(), port);
    }

    private Peer peerWithSummary(String command, ServerSocketChannel server) throws IOException {
        List<String> options = new ArrayList<>(OURS.ourOptions());
        options.add("-Drsockets4j.summary=true");
        return closing(Peer.start(options, command, Integer.toString(portOf(server)), "1000"));
    }

    private void assertCounts(long shm, long tcp) {
        assertThat(OURS.count("shm") - shmBefore).as("connection ends over shared memory").isEqualTo(shm);
        assertThat(OURS.count("tcp") - tcpBefore).as("connection ends over TCP").isEqualTo(tcp);
    }

    private void assertCarries(Pair pair) throws IOException {
        assertThat(pair.client().getLocalAddress()).isEqualTo(pair.server().getRemoteAddress());
        Wire.writeFully(pair.client(), payload.slice(0, 3000));
        Wire.receive(pair.server(), payload, 3000, 1000);
        Wire.writeFully(pair.server(), payload.slice(0, 3000));
        Wire.receive(pair.client(), payload, 3000, 1000);
    }

    private static int portOf(ServerSocketChannel server) throws IOException {
        return ((InetSocketAddress) server.getLocalAddress()).getPort();
    }
}
