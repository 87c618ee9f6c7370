/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;

import io.rsockets4j.spi.suite.kit.Capability;
import io.rsockets4j.spi.suite.kit.Requires;
import io.rsockets4j.spi.suite.kit.Task;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** {@code java.net.Socket} and {@code ServerSocket} made on their own: no channel, and the exceptions of a socket. */
@Requires(Capability.SOCKET)
abstract class SocketCases extends StreamCases {
    @Override
    final Socket newSocket() throws IOException {
        return closing(sockets().newSocket());
    }

    @Override
    final ServerSocket newServerSocket() throws IOException {
        return closing(sockets().newServerSocket());
    }

    @Test
    void shouldHaveNoChannel() throws Exception {
        assertThat(newSocket().getChannel()).isNull();
        assertThat(newServerSocket().getChannel()).isNull();
        assertThat(ends().server.getChannel()).isNull();
    }

    @Test
    void shouldEndABlockedReadByClose() throws Exception {
        for (int timeoutMs : new int[] {0, 60_000}) {
            Socket socket = ends().client;
            socket.setSoTimeout(timeoutMs);
            Task<Integer> reader = start("reader", () -> socket.getInputStream().read());
            reader.awaitBlockedIn("read");
            socket.close();
            assertSocketClosed(reader);
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
        assertSocketClosed(writer);
    }

    @Test
    void shouldEndABlockedAcceptByClose() throws Exception {
        for (int timeoutMs : new int[] {0, 60_000}) {
            ServerSocket server = listening();
            server.setSoTimeout(timeoutMs);
            Task<Socket> accepter = start("accepter", server::accept);
            accepter.awaitBlockedIn("accept");
            server.close();
            assertSocketClosed(accepter);
        }
    }

    /** The listener is closed at every point of an accept that has many connections behind it. */
    @Test
    void shouldEndAnAcceptByCloseWhereverItIs() throws Exception {
        for (int round = 0; round < 50; round++) {
            ServerSocket server = listening();
            AtomicInteger accepted = new AtomicInteger();
            Task<Void> accepter = start("accepter", () -> {
                for (;; accepted.incrementAndGet()) {
                    server.accept().close();
                }
            });
            for (int i = 0; i < 16; i++) {
                Socket client = sockets().newSocket();
                client.connect(server.getLocalSocketAddress());
                client.close();
            }
            while (accepted.get() < 16 && accepter.isRunning()) {
                Thread.onSpinWait();
            }
            for (int i = round * 4; i > 0; i--) {
                Thread.onSpinWait();
            }
            server.close();
            assertThat(accepter.failure()).isExactlyInstanceOf(SocketException.class)
                    .extracting(Throwable::getMessage).isIn("Socket closed", "Socket is closed"); // during, or before
        }
    }

    @Test
    @Requires(Capability.FULL_BACKLOG_BLOCKS)
    void shouldEndABlockedConnectByClose() throws Exception {
        SocketAddress full = BlockedConnect.fullServer(this);
        Socket socket = newSocket();
        Task<Void> task = start("connecting", () -> {
            socket.connect(full);
            return null;
        });
        task.awaitBlockedIn("connect");
        socket.close();
        assertSocketClosed(task);
    }

    @Test
    @Requires(Capability.FULL_BACKLOG_BLOCKS)
    void shouldTimeOutAConnect() throws Exception {
        SocketAddress full = BlockedConnect.fullServer(this);
        Socket socket = newSocket();
        assertThat(assertThrowsExactly(SocketTimeoutException.class, () -> socket.connect(full, 60)))
                .hasMessage("Connect timed out");
        assertThat(socket.isConnected()).isFalse();
    }

    @Test
    void shouldRefuseEverythingOnceClosed() throws Exception {
        Socket socket = ends().client;
        InputStream in = socket.getInputStream();
        OutputStream out = socket.getOutputStream();
        socket.close();
        socket.close();
        assertThat(assertThrowsExactly(SocketException.class, in::read)).hasMessage("Socket closed");
        assertThat(assertThrowsExactly(SocketException.class, in::available)).hasMessage("Socket closed");
        assertThat(assertThrowsExactly(SocketException.class, () -> out.write(1))).hasMessage("Socket closed");
        assertThat(assertThrowsExactly(SocketException.class, socket::getInputStream)).hasMessage("Socket is closed");
        assertThat(assertThrowsExactly(SocketException.class, () -> socket.setTcpNoDelay(true)))
                .hasMessage("Socket is closed");
        assertThat(assertThrowsExactly(SocketException.class, socket::shutdownOutput)).hasMessage("Socket is closed");
        assertThat(socket.isClosed()).isTrue();
        assertThat(socket.isConnected()).isTrue();
        assertThat(socket.isBound()).isTrue();
    }

    @Test
    void shouldRefuseToAcceptOnceClosed() throws Exception {
        ServerSocket server = listening();
        int port = server.getLocalPort();
        server.close();
        assertThat(assertThrowsExactly(SocketException.class, server::accept)).hasMessage("Socket is closed");
        assertThat(server.isClosed()).isTrue();
        assertThat(server.isBound()).isTrue();
        assertThat(server.getLocalPort()).isEqualTo(port);
    }

    @Test
    void shouldRefuseToWriteAfterShutdownOutput() throws Exception {
        Socket socket = ends().client;
        OutputStream out = socket.getOutputStream();
        socket.shutdownOutput();
        assertThat(assertThrowsExactly(SocketException.class, () -> out.write(1))).hasMessage("Broken pipe");
        assertThat(assertThrowsExactly(SocketException.class, socket::shutdownOutput))
                .hasMessage("Socket output is already shutdown");
        socket.shutdownInput();
        assertThat(assertThrowsExactly(SocketException.class, socket::shutdownInput))
                .hasMessage("Socket input is already shutdown");
    }

    @Test
    void shouldRefuseToConnectTwiceOrNowhere() throws Exception {
        ServerSocket server = listening();
        Ends ends = ends(server);
        SocketException twice = assertThrowsExactly(SocketException.class,
                () -> ends.client.connect(server.getLocalSocketAddress()));
        assertThat(twice.getMessage()).isEqualToIgnoringCase("already connected");
        Socket fresh = newSocket();
        assertThrowsExactly(UnknownHostException.class,
                () -> fresh.connect(InetSocketAddress.createUnresolved("host.invalid", 1)));
        assertThat(fresh.isConnected()).isFalse();
    }

    @Test
    @Requires(Capability.URGENT_DATA)
    void shouldReceiveUrgentDataInLineIfAsked() throws Exception {
        Ends ends = ends();
        ends.server.setOOBInline(true);
        ends.client.getOutputStream().write(1);
        ends.client.sendUrgentData(2);
        ends.client.getOutputStream().write(3);
        assertThat(ends.server.getInputStream().readNBytes(3)).containsExactly(1, 2, 3);
        assertThat(ends.server.getOOBInline()).isTrue();
        ends.server.getOutputStream().write(4);
        ends.server.sendUrgentData(5);
        ends.server.getOutputStream().write(6);
        assertThat(ends.client.getInputStream().readNBytes(2)).as("not in line").containsExactly(4, 6);
    }

    private static void assertSocketClosed(Task<?> task) {
        assertThat(task.failure()).isExactlyInstanceOf(SocketException.class).hasMessage("Socket closed");
        assertThat(task.wasInterruptedAtEnd()).isFalse();
    }
}
