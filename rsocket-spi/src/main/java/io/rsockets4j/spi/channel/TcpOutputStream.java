/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.channels.SocketChannel;

/** The JDK's stream of a TCP connection; closing, also by an interrupt, closes our channel. */
final class TcpOutputStream extends OutputStream {
    private final RSocketChannel channel;
    private final SocketChannel jdk;
    private final OutputStream out;

    /** Around a stream of the channel's TCP side. */
    TcpOutputStream(RSocketChannel channel, SocketChannel jdk, OutputStream out) {
        this.channel = channel;
        this.jdk = jdk;
        this.out = out;
    }

    /** Around the stream of the TCP side's adaptor. */
    static TcpOutputStream of(RSocketChannel channel, Socket socket) throws IOException {
        return new TcpOutputStream(channel, socket.getChannel(), socket.getOutputStream());
    }

    @Override
    public void write(int value) throws IOException {
        try {
            out.write(value);
        } catch (IOException e) {
            throw channel.closedWith(jdk, e);
        }
    }

    @Override
    public void write(byte[] src, int offset, int length) throws IOException {
        try {
            out.write(src, offset, length);
        } catch (IOException e) {
            throw channel.closedWith(jdk, e);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
