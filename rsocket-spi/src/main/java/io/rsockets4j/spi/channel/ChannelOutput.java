/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;

/** Writes a channel, whatever its path will be once it is connected; see {@link ChannelInput}. */
final class ChannelOutput extends OutputStream {
    private final RSocketChannel channel;
    private volatile OutputStream connected;

    ChannelOutput(RSocketChannel channel) {
        this.channel = channel;
    }

    @Override
    public void write(int value) throws IOException {
        out().write(value);
    }

    @Override
    public void write(byte[] src, int offset, int length) throws IOException {
        out().write(src, offset, length);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private OutputStream out() throws IOException {
        OutputStream known = connected;
        return known != null ? known : find();
    }

    private OutputStream find() throws IOException {
        LinkStream link = channel.stream();
        if (link != null) {
            connected = new LinkOutputStream(channel, link);
            return connected;
        }
        SocketChannel jdk = channel.jdkSide();
        OutputStream tcp = new TcpOutputStream(channel, jdk, Channels.newOutputStream(jdk));
        if (channel.jdkChannel() != null) {
            connected = tcp;
        }
        return tcp; // unconnected, to fail as the JDK's
    }
}
