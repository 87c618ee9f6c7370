/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;

import io.rsockets4j.core.verbs.memory.ConnectFault;
import io.rsockets4j.core.verbs.memory.MemoryHost;
import io.rsockets4j.core.verbs.memory.MemoryNetwork;
import io.rsockets4j.spi.suite.kit.EngineSettings;
import io.rsockets4j.spi.suite.kit.Machine;
import io.rsockets4j.spi.suite.kit.OnMemoryVerbs;
import io.rsockets4j.spi.suite.kit.Payload;
import io.rsockets4j.spi.suite.kit.Sockets;
import io.rsockets4j.spi.suite.kit.Task;
import io.rsockets4j.spi.suite.kit.Threads;
import io.rsockets4j.spi.suite.kit.Wire;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * With {@code paths=rdma,tcp}: non-blocking connects whose peer does not answer before the test lets it, and those that
 * end up on TCP.
 */
@Timeout(60)
@OnMemoryVerbs
@EngineSettings({"paths=rdma,tcp", "handshake.millis=50000"}) // a slow machine is no silent peer
class PendingConnectTest extends SuiteCase {
    private static final MemoryNetwork NETWORK = MemoryHost.shared().network();
    private static final Sockets PLAIN = new TcpSockets();
    private static final OurSockets OURS = OurSockets.atBothEnds();

    private final Payload payload = new Payload(31);
    private long rdmaBefore;
    private long tcpBefore;

    @Override
    public Sockets sockets() {
        return OURS;
    }

    @BeforeEach
    void silencePeers() {
        rdmaBefore = OURS.count("rdma");
        tcpBefore = OURS.count("tcp");
        NETWORK.pause(true);
    }

    @AfterEach
    void restoreTheNetwork() {
        NETWORK.pause(false);
        NETWORK.fault(Machine.address(), null);
    }

    @Test
    void shouldBePendingUntilThePeerHasAnswered() throws Exception {
        ServerSocketChannel server = listen();
        SocketAddress address = server.getLocalAddress();
        SocketChannel client = openNonBlocking();
        assertThat(client.connect(address)).isFalse();
        assertThat(client.finishConnect()).isFalse();
        assertThat(client.isConnectionPending()).isTrue();
        assertThat(client.isConnected()).isFalse();
        assertThat(client.getRemoteAddress()).isEqualTo(address);
        assertThat(client.socket().isConnected()).isFalse();
        ByteBuffer one = ByteBuffer.allocate(1);
        assertThrowsExactly(ConnectionPendingException.class, () -> client.connect(address));
        assertThrowsExactly(ConnectionPendingException.class, () -> client.bind(null));
        assertThrowsExactly(NotYetConnectedException.class, () -> client.read(one));
        assertThrowsExactly(NotYetConnectedException.class, () -> client.write(new ByteBuffer[] {one}));
        assertThrowsExactly(NotYetConnectedException.class, client::shutdownOutput);
        NETWORK.pause(false);
        Threads.await("the connection", client::finishConnect);
        assertThat(client.isConnectionPending()).isFalse();
        assertThat(client.isConnected()).isTrue();
        assertCarries(client, closing(server.accept()));
        assertCounts(2, 0);
    }

    @Test
    void shouldWakeASelectorWhenThePeerAnswers() throws Exception {
        ServerSocketChannel server = listen();
        Selector selector = openSelector();
        SocketChannel client = openNonBlocking();
        SelectionKey key = client.register(selector, SelectionKey.OP_CONNECT);
        assertThat(client.connect(server.getLocalAddress())).isFalse();
        assertThat(selector.selectNow()).isZero();
        Task<Integer> select = start("selecting", () -> selector.select());
        select.awaitBlockedIn("select");
        NETWORK.pause(false);
        assertThat(select.join()).isEqualTo(1);
        assertThat(key.readyOps()).isEqualTo(SelectionKey.OP_CONNECT);
        assertThat(client.finishConnect()).isTrue();
        key.interestOps(SelectionKey.OP_WRITE);
        selector.selectedKeys().clear();
        assertThat(selector.select(20_000)).isEqualTo(1);
        assertThat(key.readyOps()).isEqualTo(SelectionKey.OP_WRITE);
    }

    @Test
    void shouldWaitForThePeerWhereAConnectIsFinishedInBlockingMode() throws Exception {
        ServerSocketChannel server = listen();
        SocketChannel client = openNonBlocking();
        client.connect(server.getLocalAddress());
        Task<Boolean> finish = startFinishing(client);
        NETWORK.pause(false);
        assertThat(finish.join()).isTrue();
        assertCarries(client, closing(server.accept()));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndSuchAWaitByCloseOrInterrupt(boolean interrupt) throws Exception {
        SocketChannel client = openNonBlocking();
        client.connect(listen().getLocalAddress());
        Task<Boolean> finish = startFinishing(client);
        if (interrupt) {
            finish.interrupt();
        } else {
            client.close();
        }
        assertThat(finish.failure()).isExactlyInstanceOf(
                interrupt ? ClosedByInterruptException.class : AsynchronousCloseException.class);
        assertThat(finish.wasInterruptedAtEnd()).isEqualTo(interrupt);
        assertThat(client.isOpen()).isFalse();
        assertThatThrownBy(client::finishConnect).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> client.read(ByteBuffer.allocate(1))).isInstanceOf(ClosedChannelException.class);
    }

    /** The link may come up all the same, before or after the next one; then the server sees a client that has gone. */
    @Test
    void shouldLetGoOfALinkThatNobodyWantsAnyMore() throws Exception {
        ServerSocketChannel server = listen();
        SocketChannel client = openNonBlocking();
        client.connect(server.getLocalAddress());
        client.close();
        assertThat(client.isConnectionPending()).isFalse();
        NETWORK.pause(false);
        SocketChannel next = connectTo(server);
        server.configureBlocking(false);
        AtomicReference<SocketChannel> served = new AtomicReference<>();
        Threads.await("the end of all others", () -> {
            SocketChannel accepted = server.accept();
            if (accepted != null && accepted.getRemoteAddress().equals(next.getLocalAddress())) {
                served.set(closing(accepted));
            } else if (accepted != null) {
                accepted.close();
            }
            return served.get() != null && NETWORK.queuePairs().size() == 2;
        });
        assertCarries(next, served.get());
    }

    @Test
    void shouldGoOnByTcpAndBePendingUntilThatIsFinished() throws Exception {
        NETWORK.fault(Machine.address(), ConnectFault.REFUSED);
        ServerSocketChannel server = listen(PLAIN);
        Selector selector = openSelector();
        SocketChannel client = openNonBlocking();
        SelectionKey key = client.register(selector, SelectionKey.OP_CONNECT);
        assertThat(client.connect(server.getLocalAddress())).isFalse();
        assertThat(selector.select(20_000)).isEqualTo(1);
        assertThat(key.readyOps()).isEqualTo(SelectionKey.OP_CONNECT);
        assertThat(client.isConnectionPending()).isTrue();
        assertThat(client.isConnected()).isFalse();
        assertThrowsExactly(NotYetConnectedException.class, () -> client.read(ByteBuffer.allocate(1)));
        assertThat(client.finishConnect()).isTrue();
        SocketChannel accepted = closing(server.accept());
        assertCarries(client, accepted);
        key.interestOps(SelectionKey.OP_READ);
        selector.selectedKeys().clear();
        Wire.writeFully(accepted, payload.slice(0, 10));
        assertThat(selector.select(20_000)).isEqualTo(1);
        assertThat(key.readyOps()).isEqualTo(SelectionKey.OP_READ);
        assertCounts(0, 1);
    }

    @Test
    void shouldFinishByTcpInBlockingMode() throws Exception {
        NETWORK.fault(Machine.address(), ConnectFault.REFUSED);
        ServerSocketChannel server = listen(PLAIN);
        SocketChannel client = openNonBlocking();
        client.connect(server.getLocalAddress());
        client.configureBlocking(true);
        assertThat(client.finishConnect()).isTrue();
        assertCarries(client, closing(server.accept()));
        assertCounts(0, 1);
    }

    @Test
    void shouldReportByOpConnectThatNobodyIsThere() throws Exception {
        NETWORK.fault(Machine.address(), ConnectFault.REFUSED);
        Selector selector = openSelector();
        SocketChannel client = openNonBlocking();
        SelectionKey key = client.register(selector, SelectionKey.OP_CONNECT);
        assertThat(client.connect(Machine.closedPort())).isFalse();
        assertThat(selector.select(20_000)).isEqualTo(1);
        assertThat(key.isConnectable()).isTrue();
        ConnectException refused = assertThrowsExactly(ConnectException.class, client::finishConnect);
        assertThat(refused).hasMessageStartingWith("Connection refused"); // later JDKs say more
        assertThat(client.isOpen()).isFalse();
        assertThat(key.isValid()).isFalse();
        assertThrowsExactly(ClosedChannelException.class, client::finishConnect);
    }

    private SocketChannel openNonBlocking() throws Exception {
        SocketChannel channel = open();
        channel.configureBlocking(false);
        return channel;
    }

    private Task<Boolean> startFinishing(SocketChannel client) throws Exception {
        client.configureBlocking(true);
        Task<Boolean> finish = start("finishing", client::finishConnect);
        finish.awaitBlockedIn("finishConnect");
        return finish;
    }

    /** The client may be in either mode: what is sent here fits into one write. */
    private void assertCarries(SocketChannel client, SocketChannel server) throws Exception {
        assertThat(client.write(payload.slice(0, 1000))).isEqualTo(1000);
        Wire.receive(server, payload, 1000, 1000);
    }

    private void assertCounts(long rdma, long tcp) {
        assertThat(OURS.count("rdma") - rdmaBefore).as("connection ends over RDMA").isEqualTo(rdma);
        assertThat(OURS.count("tcp") - tcpBefore).as("connection ends over TCP").isEqualTo(tcp);
    }
}
