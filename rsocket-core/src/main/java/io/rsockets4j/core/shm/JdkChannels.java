/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;

/** Channels and selectors of the JDK itself, also where the process-wide provider is ours. */
final class JdkChannels {
    private JdkChannels() { }

    static SocketChannel openUnixSocket() throws IOException {
        return SocketChannel.open(StandardProtocolFamily.UNIX); // ours leaves this family to the JDK
    }

    /**
     * Connects to a Unix-domain socket without waiting, as a blocking connect would where nobody accepts.
     *
     * @return connected, non-blocking
     * @throws ConnectException if nobody listens there any more
     * @throws IOException if too many others wait to be accepted
     */
    static SocketChannel connectUnixSocket(Path path) throws IOException {
        SocketChannel channel = openUnixSocket();
        try {
            channel.configureBlocking(false);
            if (!channel.connect(UnixDomainSocketAddress.of(path))) {
                throw new IOException(path + " accepts nobody at the moment");
            }
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    static ServerSocketChannel openUnixServer() throws IOException {
        return ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    }

    static Selector openSelector() throws IOException {
        SelectorProvider jdk;
        try (SocketChannel probe = openUnixSocket()) {
            jdk = probe.provider();
        }
        return jdk.openSelector();
    }
}
