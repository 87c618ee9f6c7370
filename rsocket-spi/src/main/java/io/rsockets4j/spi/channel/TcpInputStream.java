/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;

/** The JDK's stream of a TCP connection; closing, also by an interrupt, closes our channel. */
final class TcpInputStream extends InputStream {
    private final RSocketChannel channel;
    private final Socket socket;
    private final InputStream in;

    TcpInputStream(RSocketChannel channel, Socket socket) throws IOException {
        this.channel = channel;
        this.socket = socket;
        this.in = socket.getInputStream();
    }

    @Override
    public int read() throws IOException {
        try {
            return in.read();
        } catch (IOException e) {
            throw channel.closedWith(socket.getChannel(), e);
        }
    }

    @Override
    public int read(byte[] dst, int offset, int length) throws IOException {
        try {
            return in.read(dst, offset, length);
        } catch (IOException e) {
            throw channel.closedWith(socket.getChannel(), e);
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
