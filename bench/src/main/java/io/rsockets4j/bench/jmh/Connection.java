/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.jmh;

import io.rsockets4j.core.engine.ConnectionCounts;
import io.rsockets4j.core.engine.Engine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;

/** Two ends of a connection within this virtual machine: one for the benchmark, one for a thread that answers it. */
final class Connection implements AutoCloseable {
    private final End client;
    private final End server;

    private Connection(End client, End server) {
        this.client = client;
        this.server = server;
    }

    /**
     * Connects.
     *
     * @param echo whether the peer returns each message, or only reads it
     * @throws IllegalStateException if the connection takes another path
     */
    static Connection open(Api api, Path path, int size, boolean echo) throws IOException {
        ConnectionCounts counts = Engine.instance().counts();
        long before = counts.of(path.name);
        Connection connection = api == Api.SOCKET && path == Path.SHM
                ? openSockets(size) : openChannels(api, path, size);
        if (counts.of(path.name) == before) {
            connection.close();
            throw new IllegalStateException("no connection by " + path + ": is the agent installed?");
        }
        Thread peer = new Thread(() -> serve(connection.server, echo), "peer");
        peer.setDaemon(true);
        peer.start();
        return connection;
    }

    private static Connection openSockets(int size) throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort());
            return new Connection(new StreamEnd(client, size), new StreamEnd(listener.accept(), size));
        }
    }

    private static Connection openChannels(Api api, Path path, int size) throws IOException {
        SelectorProvider provider = path == Path.SHM ? SelectorProvider.provider() : jdkProvider();
        try (ServerSocketChannel listener = provider.openServerSocketChannel()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            InetSocketAddress address = (InetSocketAddress) listener.getLocalAddress();
            End client = api == Api.SOCKET
                    ? new StreamEnd(new Socket(address.getAddress(), address.getPort()), size)
                    : end(api, SocketChannel.open(address), size);
            return new Connection(client, end(api, listener.accept(), size));
        }
    }

    private static End end(Api api, SocketChannel channel, int size) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return switch (api) {
            case CHANNEL -> new ChannelEnd(channel, size);
            case SELECTOR -> new SelectorEnd(channel, size);
            case SOCKET, ADAPTOR -> new StreamEnd(channel.socket(), size);
        };
    }

    /** No public API names the JDK's provider where another one is installed; the agent has exported its package. */
    private static SelectorProvider jdkProvider() {
        try {
            return (SelectorProvider) Class.forName("sun.nio.ch.DefaultSelectorProvider").getMethod("get").invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the JDK's selector provider cannot be reached", e);
        }
    }

    private static void serve(End end, boolean echo) {
        try (end) {
            while (true) {
                end.read();
                if (echo) {
                    end.write();
                }
            }
        } catch (IOException e) {
            System.getLogger(Connection.class.getName()).log(System.Logger.Level.DEBUG, "the connection has ended", e);
        }
    }

    /** The benchmark's end. */
    End client() {
        return client;
    }

    /** Closes the benchmark's end; the peer follows. */
    @Override
    public void close() throws IOException {
        client.close();
    }
}
