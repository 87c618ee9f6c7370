/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;

import io.rsockets4j.spi.suite.kit.Machine;
import io.rsockets4j.spi.suite.kit.Payload;
import io.rsockets4j.spi.suite.kit.Task;
import io.rsockets4j.spi.suite.kit.Threads;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What {@code Socket} and {@code ServerSocket} do alike, be they a channel's {@code socket()} or made on their own. */
abstract class StreamCases extends SuiteCase {
    final Payload payload = new Payload(11);

    /** The two ends of a connection. */
    static final class Ends {
        final Socket client;
        final Socket server;

        Ends(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }
    }

    abstract Socket newSocket() throws IOException;

    abstract ServerSocket newServerSocket() throws IOException;

    final ServerSocket listening() throws IOException {
        ServerSocket server = newServerSocket();
        server.bind(new InetSocketAddress(Machine.address(), 0));
        return server;
    }

    final Ends ends(ServerSocket server) throws IOException {
        Socket client = newSocket();
        client.connect(server.getLocalSocketAddress());
        return new Ends(client, closing(server.accept()));
    }

    final Ends ends() throws IOException {
        return ends(listening());
    }

    @Test
    void shouldCarryBytesOneByOne() throws Exception {
        Ends ends = ends();
        for (int b = 0; b < 256; b++) {
            ends.client.getOutputStream().write(b);
            assertThat(ends.server.getInputStream().read()).isEqualTo(b);
        }
        ends.client.close();
        assertThat(ends.server.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void shouldCarryLargeArraysBothWaysAtOnce() throws Exception {
        Ends ends = ends();
        Task<Void> forth = start("forth", () -> send(ends.client, 4_000_000, 1_000_003));
        Task<Void> back = start("back", () -> send(ends.server, 4_000_000, 70_001));
        Task<Void> reader = start("reader", () -> receive(ends.client, 4_000_000, 9001));
        receive(ends.server, 4_000_000, 65_536);
        reader.join();
        forth.join();
        back.join();
        assertThat(ends.server.getInputStream().available()).isZero();
    }

    @Test
    void shouldReadIntoAPartOfAnArray() throws Exception {
        Ends ends = ends();
        InputStream in = ends.server.getInputStream();
        ends.client.getOutputStream().write(new byte[] {9, 1, 2, 3, 9}, 1, 3);
        byte[] target = new byte[6];
        int count = in.read(target, 2, 3);
        count += in.readNBytes(target, 2 + count, 3 - count);
        assertThat(count).isEqualTo(3);
        assertThat(target).containsExactly(0, 0, 1, 2, 3, 0);
        assertThat(in.read(target, 0, 0)).isZero();
        assertThrowsExactly(IndexOutOfBoundsException.class, () -> in.read(target, 1, 6));
        OutputStream out = ends.client.getOutputStream();
        assertThrowsExactly(IndexOutOfBoundsException.class, () -> out.write(target, -1, 1));
        assertThrowsExactly(NullPointerException.class, () -> out.write(null));
    }

    @Test
    void shouldTellHowMuchIsAvailable() throws Exception {
        Ends ends = ends();
        InputStream in = ends.server.getInputStream();
        assertThat(in.available()).isZero();
        ends.client.getOutputStream().write(new byte[1000]);
        assertThat(in.read()).isZero();
        Threads.await("999 bytes", () -> in.available() == 999);
        assertThat(in.skip(500)).isEqualTo(500);
        assertThat(in.readNBytes(600 - 101)).hasSize(499);
        assertThat(in.available()).isZero();
        ends.client.close();
        assertThat(in.read()).isEqualTo(-1);
        assertThat(in.available()).isZero();
    }

    @Test
    void shouldReadToTheEnd() throws Exception {
        Ends ends = ends();
        Task<Void> sender = start("sender", () -> {
            send(ends.client, 1_500_000, 10_007);
            ends.client.shutdownOutput();
            return null;
        });
        byte[] all = ends.server.getInputStream().readAllBytes();
        assertThat(all).hasSize(1_500_000);
        payload.check(ByteBuffer.wrap(all), 0);
        sender.join();
        ends.server.getOutputStream().write(77);
        assertThat(ends.client.getInputStream().read()).isEqualTo(77);
    }

    @Test
    void shouldTimeOutAReadAndStayUsable() throws Exception {
        Ends ends = ends();
        InputStream in = ends.server.getInputStream();
        ends.server.setSoTimeout(40);
        assertThat(ends.server.getSoTimeout()).isEqualTo(40);
        long start = System.nanoTime();
        assertThat(assertThrowsExactly(SocketTimeoutException.class, in::read)).hasMessage("Read timed out");
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)).isBetween(39L, 10_000L);
        ends.client.getOutputStream().write(5);
        assertThat(in.read()).isEqualTo(5);
        assertThrowsExactly(SocketTimeoutException.class, () -> in.read(new byte[10]));
        ends.server.setSoTimeout(0);
        Task<Integer> reader = start("reader", in::read);
        reader.awaitBlockedIn("read");
        ends.client.getOutputStream().write(6);
        assertThat(reader.join()).isEqualTo(6);
        assertThat(ends.server.isClosed()).isFalse();
    }

    @Test
    void shouldNotTimeOutWhenBytesArriveInTime() throws Exception {
        Ends ends = ends();
        ends.server.setSoTimeout(20_000);
        Task<Integer> reader = start("reader", () -> ends.server.getInputStream().read());
        reader.awaitBlockedIn("read");
        ends.client.getOutputStream().write(8);
        assertThat(reader.join()).isEqualTo(8);
        ends.client.close();
        assertThat(ends.server.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void shouldTimeOutAnAcceptAndStayUsable() throws Exception {
        ServerSocket server = listening();
        server.setSoTimeout(40);
        assertThat(server.getSoTimeout()).isEqualTo(40);
        assertThat(assertThrowsExactly(SocketTimeoutException.class, server::accept)).hasMessage("Accept timed out");
        server.setSoTimeout(20_000);
        Ends ends = ends(server);
        assertThat(ends.server.getSoTimeout()).isZero();
        send(ends.client, 10, 10);
        receive(ends.server, 10, 10);
        assertThat(server.isClosed()).isFalse();
    }

    @Test
    void shouldRefuseNegativeTimeouts() throws Exception {
        Ends ends = ends();
        ServerSocket server = listening();
        Socket fresh = newSocket();
        Class<IllegalArgumentException> expected = IllegalArgumentException.class;
        assertThrowsExactly(expected, () -> ends.client.setSoTimeout(-1));
        assertThrowsExactly(expected, () -> server.setSoTimeout(-1));
        assertThrowsExactly(expected, () -> fresh.connect(server.getLocalSocketAddress(), -1));
        assertThrowsExactly(expected, () -> fresh.connect(null));
        assertThat(fresh.isConnected()).isFalse();
    }

    @Test
    void shouldConnectWithinATimeout() throws Exception {
        ServerSocket server = listening();
        Socket client = newSocket();
        client.connect(server.getLocalSocketAddress(), 20_000);
        Socket accepted = closing(server.accept());
        send(client, 1000, 100);
        receive(accepted, 1000, 1000);
        assertThat(client.isConnected()).isTrue();
        assertThat(client.getSoTimeout()).isZero();
    }

    @Test
    void shouldRefuseAConnectToAClosedPort() throws Exception {
        InetSocketAddress nobody = Machine.closedPort();
        Socket plain = newSocket();
        Socket timed = newSocket();
        assertThat(assertThrowsExactly(ConnectException.class, () -> plain.connect(nobody)))
                .hasMessageStartingWith("Connection refused");
        assertThat(assertThrowsExactly(ConnectException.class, () -> timed.connect(nobody, 20_000)))
                .hasMessageStartingWith("Connection refused");
        assertThat(plain.isConnected()).isFalse();
    }

    @Test
    void shouldShowEachEndTheAddressOfTheOther() throws Exception {
        ServerSocket server = listening();
        Ends ends = ends(server);
        assertThat(ends.client.getLocalSocketAddress()).isEqualTo(ends.server.getRemoteSocketAddress());
        assertThat(ends.client.getRemoteSocketAddress()).isEqualTo(ends.server.getLocalSocketAddress());
        assertThat(ends.client.getPort()).isEqualTo(server.getLocalPort()).isEqualTo(ends.server.getLocalPort());
        assertThat(ends.client.getLocalPort()).isEqualTo(ends.server.getPort());
        assertThat(ends.client.getInetAddress()).isEqualTo(Machine.address());
        assertThat(ends.server.getLocalAddress()).isEqualTo(Machine.address());
        assertThat(ends.client.isBound()).isTrue();
        assertThat(ends.server.isConnected()).isTrue();
        assertThat(ends.client).hasToString("Socket[addr=" + Machine.address() + ",port=" + server.getLocalPort()
                + ",localport=" + ends.client.getLocalPort() + "]");
        assertThat(server)
                .hasToString("ServerSocket[addr=" + Machine.address() + ",localport=" + server.getLocalPort() + "]");
    }

    @Test
    void shouldHaveNoAddressBeforeItIsBound() throws Exception {
        Socket socket = newSocket();
        ServerSocket server = newServerSocket();
        assertThat(socket.getLocalPort()).isEqualTo(-1);
        assertThat(socket.getPort()).isZero();
        assertThat(socket.getInetAddress()).isNull();
        assertThat(socket.getRemoteSocketAddress()).isNull();
        assertThat(socket.getLocalSocketAddress()).isNull();
        assertThat(socket.isBound()).isFalse();
        assertThat(socket).hasToString("Socket[unconnected]");
        assertThat(server.getLocalPort()).isEqualTo(-1);
        assertThat(server.getLocalSocketAddress()).isNull();
        assertThat(server).hasToString("ServerSocket[unbound]");
        assertThat(assertThrowsExactly(SocketException.class, server::accept)).hasMessage("Socket is not bound yet");
        assertThat(assertThrowsExactly(SocketException.class, socket::getInputStream))
                .hasMessage("Socket is not connected");
        assertThat(assertThrowsExactly(SocketException.class, socket::getOutputStream))
                .hasMessage("Socket is not connected");
    }

    @Test
    void shouldConnectFromThePortThatItWasBoundTo() throws Exception {
        ServerSocket server = listening();
        Socket client = newSocket();
        client.bind(new InetSocketAddress(Machine.address(), 0));
        int port = client.getLocalPort();
        client.connect(server.getLocalSocketAddress());
        assertThat(closing(server.accept()).getPort()).isEqualTo(port).isEqualTo(client.getLocalPort());
        assertThat(assertThrowsExactly(SocketException.class, () -> client.bind(null))).hasMessage("Already bound");
        assertThat(assertThrowsExactly(SocketException.class, () -> server.bind(null))).hasMessage("Already bound");
    }

    @Test
    void shouldRefuseToBindAPortInUse() throws Exception {
        ServerSocket used = listening();
        ServerSocket second = newServerSocket();
        Socket client = newSocket();
        assertThat(assertThrowsExactly(BindException.class, () -> second.bind(used.getLocalSocketAddress())))
                .hasMessage("Address already in use");
        assertThat(assertThrowsExactly(BindException.class, () -> client.bind(used.getLocalSocketAddress())))
                .hasMessage("Address already in use");
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved("host.invalid", 1);
        assertThat(assertThrowsExactly(SocketException.class, () -> newServerSocket().bind(unresolved)))
                .hasMessage("Unresolved address");
    }

    @Test
    void shouldShutDownEachDirection() throws Exception {
        Ends ends = ends();
        ends.client.shutdownOutput();
        assertThat(ends.server.getInputStream().read()).isEqualTo(-1);
        assertThat(ends.client.isOutputShutdown()).isTrue();
        assertThat(ends.client.isInputShutdown()).isFalse();
        assertThat(assertThrowsExactly(SocketException.class, ends.client::getOutputStream))
                .hasMessage("Socket output is shutdown");
        send(ends.server, 500, 500);
        receive(ends.client, 500, 100);
        InputStream in = ends.client.getInputStream();
        ends.client.shutdownInput();
        assertThat(in.read()).isEqualTo(-1);
        assertThat(in.available()).isZero();
        assertThat(assertThrowsExactly(SocketException.class, ends.client::getInputStream))
                .hasMessage("Socket input is shutdown");
        assertThat(ends.client.isClosed()).isFalse();
    }

    @Test
    void shouldCloseWithEitherStream() throws Exception {
        Ends first = ends();
        first.client.getInputStream().close();
        assertThat(first.client.isClosed()).isTrue();
        assertThat(first.server.getInputStream().read()).isEqualTo(-1);
        Ends second = ends();
        second.client.getOutputStream().close();
        assertThat(second.client.isClosed()).isTrue();
        assertThat(second.server.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void shouldReset() throws Exception {
        Ends ends = ends();
        ends.server.setSoLinger(true, 0);
        ends.server.close();
        InputStream in = ends.client.getInputStream();
        OutputStream out = ends.client.getOutputStream();
        assertThat(assertThrowsExactly(SocketException.class, in::read)).hasMessage("Connection reset");
        assertThat(assertThrowsExactly(SocketException.class, in::read)).hasMessage("Connection reset");
        assertThat(in.available()).isZero();
        assertThat(catchThrowable(() -> out.write(1))).isInstanceOf(IOException.class)
                .hasMessage("Broken pipe");
    }

    @Test
    void shouldKeepOptions() throws Exception {
        Socket socket = ends().client;
        socket.setTcpNoDelay(true);
        socket.setKeepAlive(true);
        socket.setSoLinger(true, 9);
        assertThat(socket.getTcpNoDelay()).isTrue();
        assertThat(socket.getKeepAlive()).isTrue();
        assertThat(socket.getSoLinger()).isEqualTo(9);
        assertThat(socket.getOption(StandardSocketOptions.TCP_NODELAY)).isTrue();
        assertThat(socket.getReceiveBufferSize()).isPositive();
        assertThat(socket.getSendBufferSize()).isPositive();
        socket.setSoLinger(false, 0);
        assertThat(socket.getSoLinger()).isEqualTo(-1);
        assertThat(socket.supportedOptions()).contains(StandardSocketOptions.TCP_NODELAY);
        assertThat(newServerSocket().supportedOptions()).contains(StandardSocketOptions.SO_REUSEADDR);
    }

    final Void send(Socket socket, int bytes, int chunk) throws IOException {
        OutputStream out = socket.getOutputStream();
        for (int sent = 0; sent < bytes;) {
            int length = Math.min(chunk, bytes - sent);
            out.write(payload.slice(sent, length).array());
            sent += length;
        }
        return null;
    }

    final Void receive(Socket socket, int bytes, int chunk) throws IOException {
        InputStream in = socket.getInputStream();
        byte[] buffer = new byte[chunk];
        for (int received = 0; received < bytes;) {
            int count = in.read(buffer, 0, Math.min(chunk, bytes - received));
            assertThat(count).isPositive();
            payload.check(ByteBuffer.wrap(buffer, 0, count), received);
            received += count;
        }
        return null;
    }
}
