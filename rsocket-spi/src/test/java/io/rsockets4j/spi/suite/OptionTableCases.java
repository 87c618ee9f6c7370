/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import io.rsockets4j.spi.suite.kit.Capability;
import io.rsockets4j.spi.suite.kit.Options;
import io.rsockets4j.spi.suite.kit.Requires;
import io.rsockets4j.spi.suite.kit.Sockets;
import io.rsockets4j.spi.suite.kit.Transcript;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.nio.channels.ServerSocketChannel;
import org.junit.jupiter.api.Test;

/** Every option of every kind of socket: its default, and what becomes of each value that it is set to. */
abstract class OptionTableCases extends OracleCase {
    @Test
    void shouldBeTcpsOnUnconnectedChannels() throws Exception {
        assertAsOverTcp(sockets -> table("fresh", open(sockets)));
        assertAsOverTcp(sockets -> table("bound", open(sockets).bind(anyPort())));
        assertAsOverTcp(sockets -> table("asynchronous", openAsync(sockets)));
    }

    @Test
    void shouldBeTcpsOnListeningChannels() throws Exception {
        assertAsOverTcp(sockets -> table("fresh", openServer(sockets)));
        assertAsOverTcp(sockets -> table("bound", listen(sockets)));
        assertAsOverTcp(sockets -> table("asynchronous", openAsyncServer(sockets)));
        assertAsOverTcp(sockets -> table("asynchronous, bound", openAsyncServer(sockets).bind(anyPort())));
    }

    @Test
    void shouldBeTcpsOnConnectedChannels() throws Exception {
        assertAsOverTcp(sockets -> table("connected", connect(sockets).client()));
        assertAsOverTcp(sockets -> table("accepted", connect(sockets).server()));
        assertAsOverTcp(sockets -> table("asynchronous, connected", connectAsync(sockets).client()));
        assertAsOverTcp(sockets -> table("asynchronous, accepted", connectAsync(sockets).server()));
        assertAsOverTcp(sockets -> table("asynchronous, shut", connectAsync(sockets).client().shutdownOutput()));
    }

    @Test
    void shouldBeTcpsOnClosedChannels() throws Exception {
        assertAsOverTcp(sockets -> table("closed", closed(open(sockets))));
        assertAsOverTcp(sockets -> table("closed", closed(connect(sockets).client())));
        assertAsOverTcp(sockets -> table("closed", closed(connect(sockets).server())));
        assertAsOverTcp(sockets -> table("closed", closed(listen(sockets))));
        assertAsOverTcp(sockets -> table("closed", closed(openAsync(sockets))));
        assertAsOverTcp(sockets -> table("closed", closed(connectAsync(sockets).client())));
        assertAsOverTcp(sockets -> table("closed", closed(connectAsync(sockets).server())));
        assertAsOverTcp(sockets -> table("closed", closed(openAsyncServer(sockets))));
    }

    @Test
    void shouldBeTcpsOnAdaptors() throws Exception {
        assertAsOverTcp(sockets -> table("fresh", open(sockets).socket()));
        assertAsOverTcp(sockets -> table("connected", connect(sockets).client().socket()));
        assertAsOverTcp(sockets -> table("accepted", connect(sockets).server().socket()));
        assertAsOverTcp(sockets -> table("closed", closed(connect(sockets).server()).socket()));
        assertAsOverTcp(sockets -> table("fresh", openServer(sockets).socket()));
        assertAsOverTcp(sockets -> table("bound", listen(sockets).socket()));
        assertAsOverTcp(sockets -> table("closed", closed(listen(sockets)).socket()));
    }

    @Test
    @Requires(Capability.SOCKET)
    void shouldBeTcpsOnSockets() throws Exception {
        assertAsOverTcp(sockets -> table("fresh", newSocket(sockets)));
        assertAsOverTcp(sockets -> table("connected", connectSockets(sockets).client()));
        assertAsOverTcp(sockets -> table("accepted", connectSockets(sockets).server()));
        assertAsOverTcp(sockets -> table("closed", closed(connectSockets(sockets).client())));
        assertAsOverTcp(sockets -> table("closed", closed(connectSockets(sockets).server())));
    }

    @Test
    @Requires(Capability.SOCKET)
    void shouldBeTcpsOnServerSockets() throws Exception {
        assertAsOverTcp(sockets -> table("fresh", newServerSocket(sockets)));
        assertAsOverTcp(sockets -> table("bound", bound(newServerSocket(sockets))));
        assertAsOverTcp(sockets -> table("closed", closed(bound(newServerSocket(sockets)))));
    }

    @Test
    void shouldBeInheritedFromTheListener() throws Exception {
        assertAsOverTcp(sockets -> {
            ServerSocketChannel server = openServer(sockets);
            server.setOption(StandardSocketOptions.SO_RCVBUF, 20_000);
            server.bind(anyPort());
            Transcript transcript = new Transcript().values("accepted", Options.of(accepted(sockets, server)));
            server.setOption(StandardSocketOptions.SO_RCVBUF, 30_000);
            server.socket().setReuseAddress(false);
            NetworkChannel acceptedLater = accepted(sockets, server);
            server.setOption(StandardSocketOptions.SO_RCVBUF, 40_000);
            server.close();
            return transcript.values("accepted later", Options.of(acceptedLater));
        });
    }

    @Test
    @Requires(Capability.SOCKET)
    void shouldBeInheritedFromTheServerSocket() throws Exception {
        assertAsOverTcp(sockets -> {
            ServerSocket server = newServerSocket(sockets);
            server.setReceiveBufferSize(20_000);
            server.bind(anyPort());
            Socket client = newSocket(sockets);
            client.connect(server.getLocalSocketAddress());
            Socket accepted = closing(server.accept());
            server.setReceiveBufferSize(30_000);
            server.close();
            return new Transcript().values("accepted", Options.of(accepted));
        });
    }

    private NetworkChannel accepted(Sockets sockets, ServerSocketChannel server) throws Exception {
        open(sockets).connect(server.getLocalAddress());
        return closing(server.accept());
    }

    private static <T extends AutoCloseable> T closed(T resource) throws Exception {
        resource.close();
        return resource;
    }

    private static ServerSocket bound(ServerSocket socket) throws Exception {
        socket.bind(anyPort());
        return socket;
    }

    private static Transcript table(String state, NetworkChannel channel) {
        return table(state, Options.of(channel));
    }

    private static Transcript table(String state, Options socket) {
        return new Transcript().note(state, () -> sorted(socket)).values(state, socket).settings(state, socket);
    }

    private static String sorted(Options socket) {
        return socket.supported().stream().map(Object::toString).sorted().toList().toString();
    }

    private static Transcript table(String state, ServerSocket socket) {
        return table(state, Options.of(socket))
                .note("getReuseAddress", socket::getReuseAddress)
                .note("getReceiveBufferSize", socket::getReceiveBufferSize)
                .note("getSoTimeout", socket::getSoTimeout)
                .note("setReuseAddress", () -> set(() -> socket.setReuseAddress(true)))
                .note("setReceiveBufferSize 0", () -> set(() -> socket.setReceiveBufferSize(0)))
                .note("setReceiveBufferSize", () -> set(() -> socket.setReceiveBufferSize(9000)))
                .note("setSoTimeout", () -> set(() -> socket.setSoTimeout(9)))
                .note("setSoTimeout -1", () -> set(() -> socket.setSoTimeout(-1)))
                .note("getReuseAddress", socket::getReuseAddress)
                .note("getReceiveBufferSize", socket::getReceiveBufferSize)
                .note("getSoTimeout", socket::getSoTimeout);
    }

    private static Transcript table(String state, Socket socket) {
        Transcript transcript = getters(table(state, Options.of(socket)), socket);
        for (int value : new int[] {-1, 0, 5, 300, 70_000}) {
            transcript.note("setSoLinger " + value, () -> set(() -> socket.setSoLinger(true, value)))
                    .note("getSoLinger", socket::getSoLinger)
                    .note("setSendBufferSize " + value, () -> set(() -> socket.setSendBufferSize(value)))
                    .note("getSendBufferSize", socket::getSendBufferSize)
                    .note("setReceiveBufferSize " + value, () -> set(() -> socket.setReceiveBufferSize(value)))
                    .note("getReceiveBufferSize", socket::getReceiveBufferSize)
                    .note("setTrafficClass " + value, () -> set(() -> socket.setTrafficClass(value)))
                    .note("getTrafficClass", socket::getTrafficClass)
                    .note("setSoTimeout " + value, () -> set(() -> socket.setSoTimeout(value)))
                    .note("getSoTimeout", socket::getSoTimeout);
        }
        for (boolean on : new boolean[] {true, false}) {
            transcript.note("setTcpNoDelay " + on, () -> set(() -> socket.setTcpNoDelay(on)))
                    .note("setKeepAlive " + on, () -> set(() -> socket.setKeepAlive(on)))
                    .note("setOOBInline " + on, () -> set(() -> socket.setOOBInline(on)))
                    .note("setReuseAddress " + on, () -> set(() -> socket.setReuseAddress(on)));
            getters(transcript, socket);
        }
        return transcript.note("setSoLinger false", () -> set(() -> socket.setSoLinger(false, 3)))
                .note("getSoLinger", socket::getSoLinger);
    }

    private static Transcript getters(Transcript transcript, Socket socket) {
        return transcript.note("getTcpNoDelay", socket::getTcpNoDelay)
                .note("getKeepAlive", socket::getKeepAlive)
                .note("getOOBInline", socket::getOOBInline)
                .note("getReuseAddress", socket::getReuseAddress)
                .note("getSoLinger", socket::getSoLinger)
                .note("getTrafficClass", socket::getTrafficClass)
                .note("getSendBufferSize", socket::getSendBufferSize)
                .note("getReceiveBufferSize", socket::getReceiveBufferSize);
    }

    /** A call without a result. */
    private interface Call {
        void run() throws Exception;
    }

    private static String set(Call call) throws Exception {
        call.run();
        return "set";
    }
}
