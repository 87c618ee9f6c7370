/* SPDX-License-Identifier: Apache-2.0 */

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** A socket channel that {@link RoundTrips} measures. */
final class ChannelEnd implements RoundTrips.End {
    private final SocketChannel channel;
    private final boolean blocking;
    private final ByteBuffer message = ByteBuffer.allocateDirect(RoundTrips.BYTES);
    private final Patience patience = new Patience();

    private ChannelEnd(SocketChannel channel, boolean blocking) throws IOException {
        this.channel = channel;
        this.blocking = blocking;
        channel.configureBlocking(blocking);
    }

    static ChannelEnd accept(InetSocketAddress address, RoundTrips.Listening listening, boolean blocking)
            throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(address)) {
            listening.now();
            return new ChannelEnd(listener.accept(), blocking);
        }
    }

    static ChannelEnd connect(InetSocketAddress address, boolean blocking) throws IOException {
        return new ChannelEnd(SocketChannel.open(address), blocking);
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
