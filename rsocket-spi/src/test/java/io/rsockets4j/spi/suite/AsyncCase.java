/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import io.rsockets4j.spi.suite.kit.Machine;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What the cases of asynchronous channels share. */
abstract class AsyncCase extends SuiteCase {
    private static final long PATIENCE_SECONDS = 20L * Machine.SLOWNESS;
    private static final int CHUNK = 256 * 1024;

    /** The two ends of one connection. */
    record AsyncPair(AsynchronousSocketChannel client, AsynchronousSocketChannel server) {
    }

    final AsynchronousSocketChannel openAsync() throws IOException {
        return openAsync(null);
    }

    final AsynchronousSocketChannel openAsync(AsynchronousChannelGroup group) throws IOException {
        return closing(sockets().asyncClientProvider().openAsynchronousSocketChannel(group));
    }

    final AsynchronousServerSocketChannel openAsyncServer(AsynchronousChannelGroup group) throws IOException {
        return closing(sockets().asyncServerProvider().openAsynchronousServerSocketChannel(group));
    }

    final AsynchronousServerSocketChannel listenAsync() throws IOException {
        return listenAsync(null);
    }

    final AsynchronousServerSocketChannel listenAsync(AsynchronousChannelGroup group) throws IOException {
        return openAsyncServer(group).bind(new InetSocketAddress(Machine.address(), 0));
    }

    final AsyncPair connectAsync() throws Exception {
        return connectAsync(null);
    }

    /** @param clientGroup of the client; the server's is the default group */
    final AsyncPair connectAsync(AsynchronousChannelGroup clientGroup) throws Exception {
        AsynchronousServerSocketChannel server = listenAsync();
        AsynchronousSocketChannel client = openAsync(clientGroup);
        Future<AsynchronousSocketChannel> accepted = server.accept();
        get(client.connect(server.getLocalAddress()));
        return new AsyncPair(client, closing(get(accepted)));
    }

    /** @return a group for clients, which is shut down at the end */
    final AsynchronousChannelGroup fixedGroup(int threads, ThreadFactory factory) throws IOException {
        AsynchronousChannelGroup group = sockets().asyncClientProvider().openAsynchronousChannelGroup(threads, factory);
        closing(group::shutdownNow);
        return group;
    }

    static <V> V get(Future<V> future) throws Exception {
        return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    static Throwable failureOf(Future<?> future) throws Exception {
        try {
            throw new AssertionError("completed with " + get(future));
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    static void writeFully(AsynchronousSocketChannel channel, ByteBuffer source) throws Exception {
        while (source.hasRemaining()) {
            get(channel.write(source));
        }
    }

    static void readFully(AsynchronousSocketChannel channel, ByteBuffer target) throws Exception {
        while (target.hasRemaining()) {
            if (get(channel.read(target)) < 0) {
                throw new AssertionError("the stream ended with " + target.remaining() + " bytes missing");
            }
        }
    }

    /** @return a write that is pending, because the peer reads nothing */
    static Future<Integer> startPendingWrite(AsynchronousSocketChannel channel) throws Exception {
        while (true) {
            Future<Integer> write = channel.write(ByteBuffer.allocateDirect(CHUNK));
            try {
                write.get(200, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                return write;
            }
        }
    }
}
