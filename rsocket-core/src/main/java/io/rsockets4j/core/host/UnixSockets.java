/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.host;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Unix-domain sockets, and their selector, of the JDK itself, also where the process-wide provider is ours. Stateless;
 * nothing blocks.
 */
public final class UnixSockets {
    private UnixSockets() { }

    /**
     * Opens a socket.
     *
     * @return the JDK's own
     * @throws IOException if there is no descriptor left
     */
    public static SocketChannel open() throws IOException {
        return SocketChannel.open(StandardProtocolFamily.UNIX); // ours leaves this family to the JDK
    }

    /**
     * Opens a socket that is to listen; see {@link #show}.
     *
     * @return the JDK's own, not bound
     * @throws IOException if there is no descriptor left
     */
    public static ServerSocketChannel openServer() throws IOException {
        return ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    }

    /**
     * Opens a selector for these sockets.
     *
     * @return the JDK's own
     * @throws IOException if there is no descriptor left
     */
    public static Selector openSelector() throws IOException {
        SelectorProvider jdk;
        try (SocketChannel probe = open()) {
            jdk = probe.provider();
        }
        return jdk.openSelector();
    }

    /**
     * Connects without waiting, as a blocking connect would where nobody accepts.
     *
     * @param path of the socket
     * @return connected, non-blocking
     * @throws ConnectException if nobody listens there any more
     * @throws IOException if too many others wait to be accepted
     */
    public static SocketChannel connect(Path path) throws IOException {
        SocketChannel channel = open();
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

    /**
     * Listens, and shows the socket only then: whoever finds one that refuses takes its process for dead.
     *
     * @param server not bound
     * @param path what others look for
     * @param draft a name until then; nothing of it is left
     * @param backlog how many may wait to be accepted, or 0 for the JDK's default
     * @throws IOException if a file cannot be made
     */
    public static void show(ServerSocketChannel server, Path path, Path draft, int backlog) throws IOException {
        try {
            server.bind(UnixDomainSocketAddress.of(draft), backlog);
            Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            MappedFile.unlink(draft);
            throw e;
        }
    }

    /**
     * Whether nobody answers at a socket any more; not whether this process has a descriptor left to ask.
     *
     * @param path of the socket
     * @return true also where there is no such file
     */
    public static boolean isDead(Path path) {
        try (SocketChannel probe = connect(path)) {
            return !probe.isConnected();
        } catch (ConnectException e) {
            return true; // refused: the file is there, the process is not
        } catch (IOException e) {
            return !Files.exists(path, NOFOLLOW_LINKS);
        }
    }
}
