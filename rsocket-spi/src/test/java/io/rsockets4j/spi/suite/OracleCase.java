/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.spi.suite.kit.Machine;
import io.rsockets4j.spi.suite.kit.Sockets;
import io.rsockets4j.spi.suite.kit.Transcript;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import sun.nio.ch.NioSocketImpl;

/** Cases that do the same on plain TCP and on the sockets under test, and compare every answer. */
abstract class OracleCase extends SuiteCase {
    private static final long PATIENCE_SECONDS = 20L * Machine.SLOWNESS;

    private final Sockets tcp = new TcpSockets();

    /** What is done, on either kind of sockets. */
    interface Scene {
        Transcript play(Sockets sockets) throws Exception;
    }

    final void assertAsOverTcp(Scene scene) throws Exception {
        assertThat(scene.play(sockets()).lines()).isEqualTo(scene.play(tcp).lines());
    }

    final AsynchronousSocketChannel openAsync(Sockets from) throws IOException {
        return closing(from.asyncClientProvider().openAsynchronousSocketChannel(null));
    }

    final AsynchronousServerSocketChannel openAsyncServer(Sockets from) throws IOException {
        return closing(from.asyncServerProvider().openAsynchronousServerSocketChannel(null));
    }

    /** The two ends of one connection. */
    record AsyncPair(AsynchronousSocketChannel client, AsynchronousSocketChannel server) {
    }

    final AsyncPair connectAsync(Sockets from) throws Exception {
        AsynchronousServerSocketChannel server = openAsyncServer(from).bind(anyPort());
        AsynchronousSocketChannel client = openAsync(from);
        Future<AsynchronousSocketChannel> accepted = server.accept();
        client.connect(server.getLocalAddress()).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        return new AsyncPair(client, closing(accepted.get(PATIENCE_SECONDS, TimeUnit.SECONDS)));
    }

    /** A socket with the JDK's own implementation, also where an agent gives all others another. */
    final Socket newSocket(Sockets from) throws IOException {
        return closing(from == tcp ? new Socket(new NioSocketImpl(false)) { } : from.newSocket());
    }

    final ServerSocket newServerSocket(Sockets from) throws IOException {
        return closing(from == tcp ? new ServerSocket(new NioSocketImpl(true)) { } : from.newServerSocket());
    }

    /** The two ends of one connection. */
    record SocketPair(Socket client, Socket server) {
    }

    final SocketPair connectSockets(Sockets from) throws IOException {
        ServerSocket server = newServerSocket(from);
        server.bind(anyPort());
        Socket client = newSocket(from);
        client.connect(server.getLocalSocketAddress());
        return new SocketPair(client, closing(server.accept()));
    }

    static InetSocketAddress anyPort() {
        return new InetSocketAddress(Machine.address(), 0);
    }
}
