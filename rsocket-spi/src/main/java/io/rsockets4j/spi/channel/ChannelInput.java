/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;

/**
 * Reads a channel, whatever its path will be once it is connected. In the place of the JDK's stream for channels that
 * it does not know, which holds the channel's blocking lock while it waits, so that nobody can write meanwhile.
 */
final class ChannelInput extends InputStream {
    private final RSocketChannel channel;
    private volatile InputStream connected;

    ChannelInput(RSocketChannel channel) {
        this.channel = channel;
    }

    @Override
    public int read() throws IOException {
        return in().read();
    }

    @Override
    public int read(byte[] dst, int offset, int length) throws IOException {
        return in().read(dst, offset, length);
    }

    @Override
    public int available() throws IOException {
        return in().available();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private InputStream in() throws IOException {
        InputStream known = connected;
        return known != null ? known : find();
    }

    private InputStream find() throws IOException {
        LinkStream link = channel.stream();
        if (link != null) {
            connected = new LinkInputStream(channel, link, () -> 0);
            return connected;
        }
        SocketChannel jdk = channel.jdkSide();
        InputStream tcp = new TcpInputStream(channel, jdk, Channels.newInputStream(jdk));
        if (channel.jdkChannel() != null) {
            connected = tcp;
        }
        return tcp; // unconnected, to fail as the JDK's
    }
}
