/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import io.rsockets4j.spi.stream.LinkStream;
import io.rsockets4j.spi.stream.StreamOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;

/** Writes a channel, whatever its path will be once it is connected; see {@link ChannelInput}. Thread-safe. */
final class ChannelOutput extends OutputStream {
    private final RSocketChannel channel;
    private volatile OutputStream connected; // set once the path is known

    ChannelOutput(RSocketChannel channel) {
        this.channel = channel;
    }

    /** Around the JDK's stream of a connection by TCP. */
    ChannelOutput(RSocketChannel channel, OutputStream tcp) {
        this.channel = channel;
        this.connected = tcp;
    }

    @Override
    public void write(int value) throws IOException {
        try {
            out().write(value);
        } catch (IOException e) {
            throw channel.closedWith(e);
        }
    }

    @Override
    public void write(byte[] src, int offset, int length) throws IOException {
        try {
            out().write(src, offset, length);
        } catch (IOException e) {
            throw channel.closedWith(e);
        }
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
        OutputStream found = link != null ? new StreamOutput(link, channel)
                : Channels.newOutputStream(channel.jdkSide());
        if (link != null || channel.jdkChannel() != null) {
            connected = found;
        }
        return found; // unconnected, to fail as the JDK's
    }
}
