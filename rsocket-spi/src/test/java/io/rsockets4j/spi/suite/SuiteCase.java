/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import io.rsockets4j.spi.suite.kit.Machine;
import io.rsockets4j.spi.suite.kit.OnSockets;
import io.rsockets4j.spi.suite.kit.Pair;
import io.rsockets4j.spi.suite.kit.Resources;
import io.rsockets4j.spi.suite.kit.Sockets;
import io.rsockets4j.spi.suite.kit.SuiteExtension;
import io.rsockets4j.spi.suite.kit.Task;
import io.rsockets4j.spi.suite.kit.Wire;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What every theme's cases share: opening channels that are closed at the end, and starting threads that are joined at
 * the end.
 */
@ExtendWith(SuiteExtension.class)
@Timeout(30)
abstract class SuiteCase implements OnSockets {
    private final Resources resources = new Resources();
    private Sockets sockets; // the suite's; a class on its own overrides sockets()

    @Override
    public Sockets sockets() {
        return sockets;
    }

    @Override
    public void runOn(Sockets suites) {
        sockets = suites;
    }

    @AfterEach
    final void closeAndJoinEverything() {
        resources.close();
    }

    final <T extends AutoCloseable> T closing(T resource) {
        return resources.add(resource);
    }

    /** @return whether {@link #start} makes virtual threads: the same cases, called from those */
    boolean onVirtualThreads() {
        return false;
    }

    final <T> Task<T> start(String name, Callable<T> body) {
        return resources.start(name, onVirtualThreads(), body);
    }

    final <T> Task<T> startPlatform(String name, Callable<T> body) {
        return resources.start(name, false, body);
    }

    final <T> Task<T> startVirtual(String name, Callable<T> body) {
        return resources.start(name, true, body);
    }

    final SocketChannel open() throws IOException {
        return open(sockets());
    }

    final SocketChannel open(Sockets from) throws IOException {
        return closing(from.clientProvider().openSocketChannel());
    }

    final ServerSocketChannel openServer() throws IOException {
        return openServer(sockets());
    }

    final ServerSocketChannel openServer(Sockets from) throws IOException {
        return closing(from.serverProvider().openServerSocketChannel());
    }

    final Selector openSelector() throws IOException {
        return closing(sockets().provider().openSelector());
    }

    /** @return a blocking server on a port of this machine that the system chose */
    final ServerSocketChannel listen() throws IOException {
        return listen(sockets());
    }

    /** For many clients at once: where the backlog of TCP overflows, some of them are reset now and then. */
    final ServerSocketChannel listen(int backlog) throws IOException {
        return openServer(sockets()).bind(new InetSocketAddress(Machine.address(), 0), backlog);
    }

    final ServerSocketChannel listen(Sockets from) throws IOException {
        return openServer(from).bind(new InetSocketAddress(Machine.address(), 0));
    }

    final SocketChannel connectTo(ServerSocketChannel server) throws IOException {
        SocketChannel client = open();
        client.connect(server.getLocalAddress());
        return client;
    }

    final Pair connect() throws IOException {
        return connect(listen());
    }

    final Pair connect(Sockets from) throws IOException {
        ServerSocketChannel server = listen(from);
        SocketChannel client = open(from);
        client.connect(server.getLocalAddress());
        return new Pair(client, closing(server.accept()));
    }

    final Pair connect(ServerSocketChannel server) throws IOException {
        SocketChannel client = connectTo(server);
        return new Pair(client, closing(server.accept()));
    }

    /** @return a task that is blocked in a write of a single byte, of which therefore nothing is written yet */
    final Task<Void> startBlockedWriter(SocketChannel channel) throws IOException {
        Wire.fillUp(channel);
        return startWriterToFull(channel);
    }

    /** The same, of a channel that is full already. */
    final Task<Void> startWriterToFull(SocketChannel channel) {
        Task<Void> writer = start("writer", () -> {
            ByteBuffer one = ByteBuffer.allocate(1);
            while (channel.write(one.clear()) == 1) {
                Thread.onSpinWait();
            }
            throw new AssertionError("a blocking write of one byte did not write it");
        });
        writer.awaitBlockedIn("write");
        return writer;
    }

    /** Makes a channel non-blocking and registers it. */
    static SelectionKey register(Selector selector, SelectableChannel channel, int ops) throws IOException {
        channel.configureBlocking(false);
        return channel.register(selector, ops);
    }
}
