/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.net;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** A client's connection over an {@link AsynchronousSocketChannel}, whose futures it waits for. */
final class AsyncLink implements ClientLink {
    private final AsynchronousSocketChannel channel;

    private AsyncLink(AsynchronousSocketChannel channel) {
        this.channel = channel;
    }

    static AsyncLink connect(int port) throws IOException {
        return new AsyncLink(open(port));
    }

    /** Opens a connected channel. */
    static AsynchronousSocketChannel open(int port) throws IOException {
        AsynchronousSocketChannel channel = AsynchronousSocketChannel.open();
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        await(channel.connect(new InetSocketAddress(ServerHost.address(), port)));
        return channel;
    }

    @Override
    public void write(ByteBuffer source) throws IOException {
        while (source.hasRemaining()) {
            await(channel.write(source));
        }
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return await(channel.read(target));
    }

    private static <V> V await(Future<V> future) throws IOException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            throw new InterruptedIOException();
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
