/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.host.UnixSockets;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Two connected Unix-domain sockets.
 *
 * @param near blocking
 * @param far blocking
 */
record UnixPair(SocketChannel near, SocketChannel far) implements AutoCloseable {
    static UnixPair open(Path directory) throws IOException {
        Path path = directory.resolve("pair");
        try (ServerSocketChannel server = UnixSockets.openServer()) {
            server.bind(UnixDomainSocketAddress.of(path));
            SocketChannel near = SocketChannel.open(UnixDomainSocketAddress.of(path));
            return new UnixPair(near, server.accept());
        } finally {
            Files.deleteIfExists(path);
        }
    }

    @Override
    public void close() throws IOException {
        near.close();
        far.close();
    }
}
