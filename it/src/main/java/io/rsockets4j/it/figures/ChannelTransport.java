/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.figures;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * Socket channels.
 *
 * @param blocking whether reads wait, or ask again and again
 */
record ChannelTransport(boolean blocking) implements Transport {
    @Override
    public Acceptor listen(InetSocketAddress address, int bytes) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open().bind(address);
        return new Acceptor() {
            @Override
            public End accept() throws IOException {
                return new ChannelEnd(listener.accept(), blocking, bytes);
            }

            @Override
            public void close() {
                try {
                    listener.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        };
    }

    @Override
    public End connect(InetSocketAddress address, int bytes) throws IOException {
        return new ChannelEnd(SocketChannel.open(address), blocking, bytes);
    }

    /** One end; blocks for once where it has asked for long. */
    static final class ChannelEnd implements End {
        private final SocketChannel channel;
        private final boolean blocking;
        private final ByteBuffer message;
        private final Patience patience = new Patience();

        ChannelEnd(SocketChannel channel, boolean blocking, int bytes) throws IOException {
            this.channel = channel;
            this.blocking = blocking;
            message = ByteBuffer.allocateDirect(bytes);
            if (!blocking) {
                channel.configureBlocking(false);
            }
        }

        @Override
        public void send() throws IOException {
            message.clear();
            while (message.hasRemaining()) {
                channel.write(message);
            }
        }

        @Override
        public boolean receive() throws IOException {
            message.clear();
            patience.begin();
            while (message.hasRemaining()) {
                int count = channel.read(message);
                if (count < 0) {
                    return false;
                }
                if (count == 0 && patience.isOver()) {
                    channel.configureBlocking(true);
                }
            }
            if (channel.isBlocking() != blocking) {
                channel.configureBlocking(blocking);
            }
            return true;
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
