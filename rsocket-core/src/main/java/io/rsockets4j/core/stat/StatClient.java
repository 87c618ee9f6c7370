/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.stat;

import io.rsockets4j.core.host.StatNames;
import io.rsockets4j.core.host.UnixSockets;
import io.rsockets4j.core.host.UserDirectory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Asks all processes of this user that have rsockets4j for their connections. Processes that end meanwhile are left
 * out, and what those that were killed left behind is removed.
 */
public final class StatClient {
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final int MAX_BYTES = 64 << 20;

    private StatClient() { }

    /**
     * Asks all of them, one after another. Blocks for 2 seconds at most for each that does not answer.
     *
     * @param parent the setting {@code shm.dir}
     * @param trouble is told of processes that do not answer, or not in a way that can be understood
     * @return those that answered, in order of their numbers
     * @throws IOException if there is no such setting's directory, or the user's own in it may be someone else's; where
     *         the latter does not exist there are no processes
     */
    public static List<ProcessSnapshot> processes(String parent, Consumer<String> trouble) throws IOException {
        Path directory = UserDirectory.find(parent);
        if (directory == null) {
            return List.of();
        }
        List<ProcessSnapshot> found = new ArrayList<>();
        try (DirectoryStream<Path> sockets = Files.newDirectoryStream(directory, "*" + StatNames.SUFFIX)) {
            for (Path socket : sockets) {
                ask(socket, found, trouble);
            }
        }
        found.sort(Comparator.comparingLong(ProcessSnapshot::pid));
        return found;
    }

    private static void ask(Path socket, List<ProcessSnapshot> found, Consumer<String> trouble) throws IOException {
        try {
            found.add(ProcessSnapshot.decode(read(socket)));
        } catch (ConnectException e) {
            Files.deleteIfExists(socket); // the file is there, the process is not
        } catch (IOException | IllegalArgumentException e) {
            if (!hasEnded(socket)) {
                trouble.accept(socket.getFileName() + ": " + e.getMessage());
            }
        }
    }

    /** Whether a process has ended; removes its socket where it could not do so itself. */
    static boolean hasEnded(Path socket) throws IOException {
        boolean dead = UnixSockets.isDead(socket);
        if (dead) {
            Files.deleteIfExists(socket);
        }
        return dead;
    }

    private static String read(Path socket) throws IOException {
        long deadline = System.nanoTime() + TIMEOUT_NANOS;
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
                Selector selector = channel.provider().openSelector()) {
            channel.configureBlocking(false);
            if (!channel.connect(UnixDomainSocketAddress.of(socket))) {
                throw new IOException("too many ask at the same time");
            }
            channel.register(selector, SelectionKey.OP_READ);
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
            while (await(selector, deadline) && channel.read(buffer) >= 0) {
                text.write(buffer.array(), 0, buffer.position());
                buffer.clear();
                if (text.size() > MAX_BYTES) {
                    throw new IOException("the answer has more than " + MAX_BYTES + " bytes");
                }
            }
            return text.toString(StandardCharsets.UTF_8);
        }
    }

    /** Waits for more; what has come when the end of the stream is seen is complete. */
    private static boolean await(Selector selector, long deadline) throws IOException {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (left <= 0 || selector.select(left) == 0) {
            throw new SocketTimeoutException("no answer in time; is the process stopped?");
        }
        selector.selectedKeys().clear();
        return true;
    }
}
