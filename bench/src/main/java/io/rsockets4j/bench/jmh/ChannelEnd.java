/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.jmh;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Reads and writes a blocking channel. */
final class ChannelEnd implements End {
    private final SocketChannel channel;
    private final ByteBuffer message;

    ChannelEnd(SocketChannel channel, int size) {
        this.channel = channel;
        message = ByteBuffer.allocateDirect(size);
    }

    @Override
    public void write() throws IOException {
        message.clear();
        while (message.hasRemaining()) {
            channel.write(message);
        }
    }

    @Override
    public void read() throws IOException {
        message.clear();
        while (message.hasRemaining()) {
            if (channel.read(message) < 0) {
                throw new EOFException();
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
