/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.jdk;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Map;

/**
 * What a connected TCP socket of this host answers for SO_SNDBUF and SO_RCVBUF where its program set none: TCP changes
 * them when it connects, and a link has no connected socket to ask. Found out once, by connecting one. Thread-safe.
 */
public final class ConnectedBuffers {
    private static volatile ConnectedBuffers instance; // of two that are made at once either will do

    private final Map<SocketOption<?>, Integer> client;
    private final Map<SocketOption<?>, Integer> accepted;

    private ConnectedBuffers(NetworkChannel client, NetworkChannel accepted) throws IOException {
        this.client = sizes(client);
        this.accepted = sizes(accepted);
    }

    /**
     * Whether an option is a buffer's size.
     *
     * @param name the option
     * @return true for SO_SNDBUF and SO_RCVBUF
     */
    public static boolean isSize(SocketOption<?> name) {
        return name == StandardSocketOptions.SO_SNDBUF || name == StandardSocketOptions.SO_RCVBUF;
    }

    /**
     * The size of a buffer of a fresh connection over the loopback interface. The first call connects a socket.
     *
     * @param name SO_SNDBUF or SO_RCVBUF
     * @param accepted whether of the end that was accepted
     * @return bytes
     * @throws IOException if no socket can be had
     */
    public static int get(SocketOption<?> name, boolean accepted) throws IOException {
        ConnectedBuffers known = instance;
        if (known == null) {
            known = measure();
            instance = known;
        }
        return (accepted ? known.accepted : known.client).get(name);
    }

    /** In non-blocking mode, so that an interrupt closes nothing: on one host a TCP connect is there at once. */
    private static ConnectedBuffers measure() throws IOException {
        try (ServerSocketChannel server = JdkProvider.get().openServerSocketChannel();
                SocketChannel client = JdkProvider.get().openSocketChannel()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            server.configureBlocking(false);
            client.configureBlocking(false);
            client.connect(server.getLocalAddress());
            try (SocketChannel accepted = server.accept()) {
                return new ConnectedBuffers(client, accepted == null ? client : accepted);
            }
        }
    }

    private static Map<SocketOption<?>, Integer> sizes(NetworkChannel channel) throws IOException {
        return Map.of(StandardSocketOptions.SO_SNDBUF, channel.getOption(StandardSocketOptions.SO_SNDBUF),
                StandardSocketOptions.SO_RCVBUF, channel.getOption(StandardSocketOptions.SO_RCVBUF));
    }
}
