/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.channels.SocketChannel;

/** The JDK's stream of a TCP connection; closing, also by an interrupt, closes our channel. */
final class TcpInputStream extends InputStream {
    private final RSocketChannel channel;
    private final SocketChannel jdk;
    private final InputStream in;

    /** Around a stream of the channel's TCP side. */
    TcpInputStream(RSocketChannel channel, SocketChannel jdk, InputStream in) {
        this.channel = channel;
        this.jdk = jdk;
        this.in = in;
    }

    /** Around the stream of the TCP side's adaptor. */
    static TcpInputStream of(RSocketChannel channel, Socket socket) throws IOException {
        return new TcpInputStream(channel, socket.getChannel(), socket.getInputStream());
    }

    @Override
    public int read() throws IOException {
        try {
            return in.read();
        } catch (IOException e) {
            throw channel.closedWith(jdk, e);
        }
    }

    @Override
    public int read(byte[] dst, int offset, int length) throws IOException {
        try {
            return in.read(dst, offset, length);
        } catch (IOException e) {
            throw channel.closedWith(jdk, e);
        }
    }

    @Override
    public int available() throws IOException {
        return in.available();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
