/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import io.rsockets4j.spi.stream.LinkStream;
import io.rsockets4j.spi.stream.StreamInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;

/**
 * Reads a channel, whatever its path will be once it is connected. It takes the place of the JDK's stream for channels
 * that the JDK does not know: that one holds the channel's blocking lock while it waits, so that nobody can write
 * meanwhile. Closing it, or an interrupt over TCP, closes our channel. Thread-safe.
 */
final class ChannelInput extends InputStream {
    private final RSocketChannel channel;
    private volatile InputStream connected; // set once the path is known

    ChannelInput(RSocketChannel channel) {
        this.channel = channel;
    }

    /** Around the JDK's stream of a connection by TCP. */
    ChannelInput(RSocketChannel channel, InputStream tcp) {
        this.channel = channel;
        this.connected = tcp;
    }

    @Override
    public int read() throws IOException {
        try {
            return in().read();
        } catch (IOException e) {
            throw channel.closedWith(e);
        }
    }

    @Override
    public int read(byte[] dst, int offset, int length) throws IOException {
        try {
            return in().read(dst, offset, length);
        } catch (IOException e) {
            throw channel.closedWith(e);
        }
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
        InputStream found = link != null ? new StreamInput(link, channel, () -> 0)
                : Channels.newInputStream(channel.jdkSide());
        if (link != null || channel.jdkChannel() != null) {
            connected = found;
        }
        return found; // unconnected, to fail as the JDK's
    }
}
