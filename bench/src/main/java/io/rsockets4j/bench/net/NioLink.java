/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A connection over a blocking {@link SocketChannel}. */
final class NioLink implements ClientLink {
    private final SocketChannel channel;

    NioLink(SocketChannel channel) throws IOException {
        this.channel = channel;
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    static NioLink connect(int port) throws IOException {
        return new NioLink(SocketChannel.open(new InetSocketAddress(ServerHost.address(), port)));
    }

    @Override
    public void write(ByteBuffer source) throws IOException {
        while (source.hasRemaining()) {
            channel.write(source);
        }
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return channel.read(target);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
