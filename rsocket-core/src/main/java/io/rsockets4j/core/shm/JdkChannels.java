/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;

/** Channels and selectors of the JDK itself, also where the process-wide provider is ours. */
final class JdkChannels {
    private JdkChannels() { }

    static SocketChannel openUnixSocket() throws IOException {
        return SocketChannel.open(StandardProtocolFamily.UNIX); // ours leaves this family to the JDK
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
