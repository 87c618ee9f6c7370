/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import io.rsockets4j.spi.suite.kit.Capability;
import io.rsockets4j.spi.suite.kit.Machine;
import io.rsockets4j.spi.suite.kit.Pair;
import io.rsockets4j.spi.suite.kit.Requires;
import io.rsockets4j.spi.suite.kit.Transcript;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Every question about a socket's state, and every call that cannot succeed, in every state: the answers, the
 * exceptions and their messages.
 */
abstract class StateTableCases extends OracleCase {
    /** Where nothing can be connected or bound to. */
    private static Map<String, SocketAddress> impossible() {
        Map<String, SocketAddress> addresses = new LinkedHashMap<>();
        addresses.put("null", null);
        addresses.put("an unresolved address", InetSocketAddress.createUnresolved("host.invalid", 80));
        addresses.put("an address of another kind", UnixDomainSocketAddress.of("/nowhere"));
        return addresses;
    }

    @Test
    void shouldBeTcpsOfSocketChannels() throws Exception {
        assertAsOverTcp(sockets -> {
            Transcript transcript = new Transcript();
            SocketChannel channel = open(sockets);
            ask(transcript, "fresh", channel);
            misuse(transcript, "fresh", channel);
            SocketChannel bound = open(sockets).bind(anyPort());
            ask(transcript, "bound", bound);
            transcript.note("bind again", () -> bound.bind(null));
            Pair pair = connect(sockets);
            ask(transcript, "connected", pair.client());
            ask(transcript, "accepted", pair.server());
            misuse(transcript, "connected", pair.client());
            misuse(transcript, "accepted", pair.server());
            transcript.note("connect again", () -> pair.client().connect(anyPort()));
            transcript.note("finish again", () -> pair.client().finishConnect());
            pair.client().shutdownOutput().shutdownInput();
            ask(transcript, "shut", pair.client());
            pair.client().close();
            pair.server().close();
            ask(transcript, "closed", pair.client());
            ask(transcript, "accepted, closed", pair.server());
            misuse(transcript, "closed", pair.client());
            misuse(transcript, "accepted, closed", pair.server());
            return transcript;
        });
    }

    @Test
    void shouldBeTcpsOfServerSocketChannels() throws Exception {
        assertAsOverTcp(sockets -> {
            Transcript transcript = new Transcript();
            ServerSocketChannel server = openServer(sockets);
            ask(transcript, "fresh", server);
            ServerSocketChannel bound = listen(sockets);
            ask(transcript, "bound", bound);
            bound.close();
            ask(transcript, "closed", bound);
            ServerSocketChannel any = openServer(sockets).bind(null);
            ask(transcript, "wildcard", any);
            any.configureBlocking(false);
            ask(transcript, "non-blocking", any);
            ServerSocketChannel v4 = closing(sockets.serverProvider()
                    .openServerSocketChannel(StandardProtocolFamily.INET)).bind(null);
            ask(transcript, "IPv4", v4);
            return transcript;
        });
    }

    @Test
    void shouldBeTcpsOfAFamily() throws Exception {
        assertAsOverTcp(sockets -> {
            InetSocketAddress v6 = new InetSocketAddress("::1", 1);
            SocketChannel channel =
                    closing(sockets.clientProvider().openSocketChannel(StandardProtocolFamily.INET));
            Transcript transcript = new Transcript().note("connect an IPv4 channel to IPv6", () -> channel.connect(v6))
                    .note("bind an IPv4 channel to IPv6", () -> channel.bind(v6))
                    .noteBarPorts("state", channel::toString);
            ServerSocketChannel server =
                    closing(sockets.serverProvider().openServerSocketChannel(StandardProtocolFamily.INET));
            return transcript.note("bind an IPv4 server to IPv6", () -> server.bind(v6))
                    .note("no family", () -> sockets.provider().openSocketChannel(null))
                    .note("no family", () -> sockets.provider().openServerSocketChannel(null));
        });
    }

    @Test
    void shouldBeTcpsOfAsynchronousChannels() throws Exception {
        assertAsOverTcp(sockets -> {
            Transcript transcript = new Transcript();
            AsynchronousSocketChannel channel = openAsync(sockets);
            ask(transcript, "fresh", channel);
            ask(transcript, "bound", openAsync(sockets).bind(anyPort()));
            AsyncPair pair = connectAsync(sockets);
            ask(transcript, "connected", pair.client());
            ask(transcript, "accepted", pair.server());
            pair.client().shutdownOutput().shutdownInput();
            ask(transcript, "shut", pair.client());
            pair.client().close();
            ask(transcript, "closed", pair.client());
            AsynchronousServerSocketChannel server = openAsyncServer(sockets);
            ask(transcript, "fresh server", server);
            server.bind(anyPort());
            ask(transcript, "bound server", server);
            server.close();
            ask(transcript, "closed server", server);
            return transcript;
        });
    }

    @Test
    void shouldBeTcpsOfAdaptors() throws Exception {
        assertAsOverTcp(sockets -> {
            Transcript transcript = new Transcript();
            Socket socket = open(sockets).socket();
            ask(transcript, "fresh", socket);
            misuse(transcript, "fresh", socket);
            ask(transcript, "bound", open(sockets).bind(anyPort()).socket());
            Pair pair = connect(sockets);
            ask(transcript, "connected", pair.client().socket());
            ask(transcript, "accepted", pair.server().socket());
            misuse(transcript, "connected", pair.client().socket());
            pair.client().close();
            pair.server().close();
            ask(transcript, "closed", pair.client().socket());
            ask(transcript, "accepted, closed", pair.server().socket());
            misuse(transcript, "closed", pair.client().socket());
            ask(transcript, "fresh server", openServer(sockets).socket());
            ServerSocketChannel server = listen(sockets);
            ask(transcript, "bound server", server.socket());
            server.close();
            ask(transcript, "closed server", server.socket());
            return transcript;
        });
    }

    @Test
    @Requires(Capability.SOCKET)
    void shouldBeTcpsOfSockets() throws Exception {
        assertAsOverTcp(sockets -> {
            Transcript transcript = new Transcript();
            Socket socket = newSocket(sockets);
            ask(transcript, "fresh", socket);
            misuse(transcript, "fresh", socket);
            Socket bound = newSocket(sockets);
            bound.bind(anyPort());
            ask(transcript, "bound", bound);
            SocketPair pair = connectSockets(sockets);
            ask(transcript, "connected", pair.client());
            ask(transcript, "accepted", pair.server());
            misuse(transcript, "connected", pair.client());
            pair.client().close();
            pair.server().close();
            ask(transcript, "closed", pair.client());
            ask(transcript, "accepted, closed", pair.server());
            misuse(transcript, "closed", pair.client());
            ServerSocket server = newServerSocket(sockets);
            ask(transcript, "fresh server", server);
            server.bind(anyPort(), 3);
            ask(transcript, "bound server", server);
            server.close();
            ask(transcript, "closed server", server);
            return transcript;
        });
    }

    private static void ask(Transcript transcript, String state, SocketChannel channel) {
        transcript.noteBarPorts(state + " toString", channel::toString)
                .noteBarPorts(state + " local", channel::getLocalAddress)
                .noteBarPorts(state + " remote", channel::getRemoteAddress)
                .note(state + " open", channel::isOpen)
                .note(state + " connected", channel::isConnected)
                .note(state + " pending", channel::isConnectionPending)
                .note(state + " blocking", channel::isBlocking)
                .note(state + " registered", channel::isRegistered)
                .note(state + " valid operations", channel::validOps);
    }

    private static void misuse(Transcript transcript, String state, SocketChannel channel) {
        ByteBuffer[] two = {ByteBuffer.allocate(1), ByteBuffer.allocate(1)};
        impossible().forEach((name, address) -> {
            transcript.noteBarPorts(state + " connect to " + name, () -> channel.connect(address));
            if (address != null) {
                transcript.noteBarPorts(state + " bind to " + name, () -> channel.bind(address));
            }
        });
        transcript.note(state + " finish", channel::finishConnect)
                .note(state + " read into null", () -> channel.read((ByteBuffer) null))
                .note(state + " write null", () -> channel.write((ByteBuffer) null))
                .note(state + " read into nulls", () -> channel.read((ByteBuffer[]) null))
                .note(state + " read beyond", () -> channel.read(two, 1, 2))
                .note(state + " write beyond", () -> channel.write(two, -1, 1))
                .note(state + " write none", () -> channel.write(two, 1, 0))
                .note(state + " read none", () -> channel.read(ByteBuffer.allocate(0)));
        if (!channel.isConnected()) {
            transcript.note(state + " read", () -> channel.read(two))
                    .note(state + " write", () -> channel.write(two))
                    .note(state + " shut input", channel::shutdownInput)
                    .note(state + " shut output", channel::shutdownOutput);
        }
    }

    private static void ask(Transcript transcript, String state, ServerSocketChannel channel) {
        transcript.noteBarPorts(state + " toString", channel::toString)
                .noteBarPorts(state + " local", channel::getLocalAddress)
                .note(state + " open", channel::isOpen)
                .note(state + " valid operations", channel::validOps);
        impossible().forEach((name, address) -> {
            if (address != null || !channel.isOpen()) {
                transcript.noteBarPorts(state + " bind to " + name, () -> channel.bind(address));
            }
        });
        if (channel.isOpen() && (!channel.isBlocking() || channel.socket().getLocalPort() < 0)) {
            transcript.note(state + " accept", channel::accept);
        }
        if (channel.socket().isBound()) {
            transcript.noteBarPorts(state + " bind again", () -> channel.bind(anyPort(), -5));
        }
    }

    private static void ask(Transcript transcript, String state, AsynchronousSocketChannel channel) {
        transcript.noteBarPorts(state + " toString", () -> afterName(channel))
                .noteBarPorts(state + " local", channel::getLocalAddress)
                .noteBarPorts(state + " remote", channel::getRemoteAddress)
                .note(state + " open", channel::isOpen)
                .note(state + " read into null", () -> channel.read(null))
                .note(state + " write null", () -> channel.write(null));
        impossible().forEach((name, address) -> {
            transcript.noteBarPorts(state + " connect to " + name, () -> outcomeOf(channel, address));
            if (address != null) {
                transcript.noteBarPorts(state + " bind to " + name, () -> channel.bind(address));
            }
        });
    }

    /** A future's failure is what counts, on a closed channel for example. */
    private static Object outcomeOf(AsynchronousSocketChannel channel, SocketAddress address) throws Exception {
        return channel.connect(address).get();
    }

    private static void ask(Transcript transcript, String state, AsynchronousServerSocketChannel channel) {
        transcript.noteBarPorts(state + " toString", () -> afterName(channel))
                .noteBarPorts(state + " local", channel::getLocalAddress)
                .note(state + " open", channel::isOpen);
        impossible().forEach((name, address) -> {
            if (address != null || !channel.isOpen()) {
                transcript.noteBarPorts(state + " bind to " + name, () -> channel.bind(address));
            }
        });
    }

    /** The JDK's begin with the names of its classes. */
    private static String afterName(Object channel) {
        String text = channel.toString();
        return text.substring(text.indexOf('['));
    }

    private static void ask(Transcript transcript, String state, Socket socket) {
        transcript.noteBarPorts(state + " toString", socket::toString)
                .noteBarPorts(state + " local", socket::getLocalSocketAddress)
                .noteBarPorts(state + " remote", socket::getRemoteSocketAddress)
                .note(state + " local address", socket::getLocalAddress)
                .note(state + " address", socket::getInetAddress)
                .noteBarPorts(state + " local port", socket::getLocalPort)
                .noteBarPorts(state + " port", socket::getPort)
                .note(state + " bound", socket::isBound)
                .note(state + " connected", socket::isConnected)
                .note(state + " closed", socket::isClosed)
                .note(state + " input shut", socket::isInputShutdown)
                .note(state + " output shut", socket::isOutputShutdown);
    }

    private static void misuse(Transcript transcript, String state, Socket socket) {
        InetSocketAddress there = new InetSocketAddress(Machine.address(), 1);
        impossible().forEach((name, address) -> {
            if (address != null) {
                transcript.noteBarPorts(state + " bind to " + name, () -> nothing(() -> socket.bind(address)));
            }
            if (address == null || socket.isConnected() || socket.isClosed()) {
                transcript.noteBarPorts(state + " connect to " + name, () -> nothing(() -> socket.connect(address)))
                        .noteBarPorts(state + " connect in time to " + name,
                                () -> nothing(() -> socket.connect(address, 5)));
            }
        });
        transcript.note(state + " negative timeout", () -> nothing(() -> socket.connect(there, -1)))
                .note(state + " negative SO_TIMEOUT", () -> nothing(() -> socket.setSoTimeout(-1)));
        if (!socket.isConnected() || socket.isClosed()) {
            transcript.note(state + " input", socket::getInputStream)
                    .note(state + " output", socket::getOutputStream)
                    .note(state + " shut input", () -> nothing(socket::shutdownInput))
                    .note(state + " shut output", () -> nothing(socket::shutdownOutput))
                    .note(state + " urgent", () -> nothing(() -> socket.sendUrgentData(1)));
        } else {
            transcript.note(state + " connect again", () -> nothing(() -> socket.connect(there)))
                    .note(state + " bind again", () -> nothing(() -> socket.bind(null)))
                    .note(state + " urgent", () -> nothing(() -> socket.sendUrgentData(1)));
        }
    }

    private static void ask(Transcript transcript, String state, ServerSocket socket) {
        transcript.noteBarPorts(state + " toString", socket::toString)
                .noteBarPorts(state + " local", socket::getLocalSocketAddress)
                .note(state + " address", socket::getInetAddress)
                .noteBarPorts(state + " local port", socket::getLocalPort)
                .note(state + " bound", socket::isBound)
                .note(state + " closed", socket::isClosed);
        if (!socket.isBound()) {
            transcript.note(state + " accept", socket::accept);
        }
        if (socket.isClosed() || socket.isBound()) {
            transcript.note(state + " bind again", () -> nothing(() -> socket.bind(anyPort())));
        }
        impossible().forEach((name, address) -> {
            if (address != null) {
                transcript.noteBarPorts(state + " bind to " + name, () -> nothing(() -> socket.bind(address)));
            }
        });
    }

    /** A call without a result. */
    private interface Call {
        void run() throws Exception;
    }

    private static String nothing(Call call) throws Exception {
        call.run();
        return "done";
    }
}
