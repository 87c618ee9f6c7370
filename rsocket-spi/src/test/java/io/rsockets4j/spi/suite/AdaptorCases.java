/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;

import io.rsockets4j.spi.suite.kit.Capability;
import io.rsockets4j.spi.suite.kit.Machine;
import io.rsockets4j.spi.suite.kit.Pair;
import io.rsockets4j.spi.suite.kit.Requires;
import io.rsockets4j.spi.suite.kit.Task;
import io.rsockets4j.spi.suite.kit.Threads;
import io.rsockets4j.spi.suite.kit.Wire;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;

/** A channel's {@code socket()}: the streams of a socket, with the exceptions of a channel. */
abstract class AdaptorCases extends StreamCases {
    @Override
    final Socket newSocket() throws IOException {
        return open().socket();
    }

    @Override
    final ServerSocket newServerSocket() throws IOException {
        return openServer().socket();
    }

    @Test
    void shouldBelongToOneChannel() throws Exception {
        SocketChannel channel = open();
        assertThat(channel.socket()).isSameAs(channel.socket());
        assertThat(channel.socket().getChannel()).isSameAs(channel);
        ServerSocketChannel server = openServer();
        assertThat(server.socket()).isSameAs(server.socket());
        assertThat(server.socket().getChannel()).isSameAs(server);
        assertThat(ends().server.getChannel()).isNotNull();
    }

    @Test
    void shouldAcceptOnlyWhatIsThereInNonBlockingMode() throws Exception {
        ServerSocketChannel server = listen();
        ServerSocket adaptor = server.socket();
        server.configureBlocking(false);
        assertThrowsExactly(IllegalBlockingModeException.class, adaptor::accept);
        SocketChannel client = connectTo(server);
        Threads.await("the connection", () -> isAccepted(adaptor, client));
        connectTo(server);
        adaptor.setSoTimeout(60_000);
        assertThrowsExactly(IllegalBlockingModeException.class, adaptor::accept);
    }

    private boolean isAccepted(ServerSocket server, SocketChannel client) throws IOException {
        try {
            return closing(server.accept()).getRemoteSocketAddress().equals(client.getLocalAddress());
        } catch (IllegalBlockingModeException e) {
            return false;
        }
    }

    @Test
    void shouldShareItsStateWithTheChannel() throws Exception {
        Pair pair = connect();
        Socket socket = pair.client().socket();
        assertThat(socket.isConnected()).isTrue();
        assertThat(socket.getLocalSocketAddress()).isEqualTo(pair.client().getLocalAddress());
        assertThat(socket.getRemoteSocketAddress()).isEqualTo(pair.client().getRemoteAddress());
        pair.client().shutdownOutput();
        assertThat(socket.isOutputShutdown()).isTrue();
        socket.shutdownInput();
        assertThat(pair.client().toString()).contains("ishut oshut");
        socket.close();
        assertThat(pair.client().isOpen()).isFalse();
        assertThat(socket.isClosed()).isTrue();
        assertThat(socket.isConnected()).isFalse();
    }

    @Test
    void shouldRefuseToBlockInNonBlockingMode() throws Exception {
        Pair pair = connect();
        InputStream in = pair.client().socket().getInputStream();
        OutputStream out = pair.client().socket().getOutputStream();
        pair.client().configureBlocking(false);
        assertThrowsExactly(IllegalBlockingModeException.class, in::read);
        assertThrowsExactly(IllegalBlockingModeException.class, () -> in.read(new byte[2]));
        assertThrowsExactly(IllegalBlockingModeException.class, () -> out.write(1));
        ServerSocketChannel server = listen();
        server.configureBlocking(false);
        assertThrowsExactly(IllegalBlockingModeException.class, () -> server.socket().accept());
        SocketChannel fresh = open();
        fresh.configureBlocking(false);
        SocketAddress address = server.getLocalAddress();
        assertThrowsExactly(IllegalBlockingModeException.class, () -> fresh.socket().connect(address));
        assertThat(pair.client().isOpen()).isTrue();
    }

    @Test
    void shouldEndABlockedReadByClose() throws Exception {
        for (int timeoutMs : new int[] {0, 60_000}) {
            Socket socket = ends().client;
            socket.setSoTimeout(timeoutMs);
            Task<Integer> reader = start("reader", () -> socket.getInputStream().read());
            reader.awaitBlockedIn("read");
            socket.close();
            assertThat(reader.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
        }
    }

    @Test
    void shouldEndABlockedReadByAnInterrupt() throws Exception {
        for (int timeoutMs : new int[] {0, 60_000}) {
            Socket socket = ends().client;
            socket.setSoTimeout(timeoutMs);
            Task<Integer> reader = start("reader", () -> socket.getInputStream().read());
            reader.awaitBlockedIn("read");
            reader.interrupt();
            assertThat(reader.failure()).isExactlyInstanceOf(ClosedByInterruptException.class);
            assertThat(reader.wasInterruptedAtEnd()).isTrue();
            assertThat(socket.isClosed()).isTrue();
        }
    }

    @Test
    void shouldEndABlockedAcceptByCloseOrInterrupt() throws Exception {
        for (int timeoutMs : new int[] {0, 60_000}) {
            ServerSocket server = listening();
            server.setSoTimeout(timeoutMs);
            Task<Socket> accepter = start("accepter", server::accept);
            accepter.awaitBlockedIn("accept");
            server.close();
            assertThat(accepter.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
            ServerSocket other = listening();
            other.setSoTimeout(timeoutMs);
            Task<Socket> interrupted = start("interrupted", other::accept);
            interrupted.awaitBlockedIn("accept");
            interrupted.interrupt();
            assertThat(interrupted.failure()).isExactlyInstanceOf(ClosedByInterruptException.class);
            assertThat(other.isClosed()).isTrue();
        }
    }

    @Test
    void shouldEndABlockedWriteByClose() throws Exception {
        Socket socket = ends().client;
        Task<Void> writer = start("writer", () -> {
            OutputStream out = socket.getOutputStream();
            for (byte[] chunk = new byte[1 << 20];;) {
                out.write(chunk);
            }
        });
        writer.awaitBlockedIn("write");
        socket.close();
        assertThat(writer.failure()).isInstanceOf(ClosedChannelException.class);
    }

    @Test
    void shouldRefuseEverythingOnceClosed() throws Exception {
        Socket socket = ends().client;
        InputStream in = socket.getInputStream();
        OutputStream out = socket.getOutputStream();
        socket.close();
        assertThrowsExactly(ClosedChannelException.class, in::read);
        assertThrowsExactly(ClosedChannelException.class, () -> out.write(1));
        assertThat(assertThrowsExactly(SocketException.class, socket::getInputStream)).hasMessage("Socket is closed");
        assertThat(assertThrowsExactly(SocketException.class, () -> socket.setTcpNoDelay(true)))
                .hasMessage("Socket is closed");
        assertThat(assertThrowsExactly(SocketException.class, socket::getSoTimeout)).hasMessage("Socket is closed");
        assertThat(socket).hasToString("Socket[unconnected]");
    }

    @Test
    void shouldShutDownTwiceAndRefuseToWrite() throws Exception {
        Socket socket = ends().client;
        OutputStream out = socket.getOutputStream();
        socket.shutdownOutput();
        socket.shutdownOutput();
        assertThrowsExactly(ClosedChannelException.class, () -> out.write(1));
        socket.shutdownInput();
        socket.shutdownInput();
        assertThat(socket.isInputShutdown()).isTrue();
    }

    @Test
    void shouldCloseTheChannelWhenAConnectIsRefused() throws Exception {
        Socket socket = newSocket();
        assertThrowsExactly(ConnectException.class,
                () -> socket.connect(Machine.closedPort()));
        assertThat(socket.isClosed()).isTrue();
        assertThat(socket.getChannel().isOpen()).isFalse();
    }

    @Test
    @Requires(Capability.FULL_BACKLOG_BLOCKS)
    void shouldTimeOutAConnectAndCloseTheChannel() throws Exception {
        SocketAddress full = BlockedConnect.fullServer(this);
        Socket socket = newSocket();
        assertThat(assertThrowsExactly(SocketTimeoutException.class, () -> socket.connect(full, 60)))
                .hasMessage("Connect timed out");
        assertThat(socket.isClosed()).isTrue();
    }

    @Test
    void shouldLetTheChannelReadWhatTheStreamLeft() throws Exception {
        Pair pair = connect();
        Wire.writeFully(pair.client(), payload.slice(0, 300));
        assertThat(pair.server().socket().getInputStream().readNBytes(100)).isEqualTo(payload.slice(0, 100).array());
        Wire.receive(pair.server(), payload, 100, 300, 50);
        assertThat(pair.server().socket().getInputStream().available()).isZero();
    }
}
