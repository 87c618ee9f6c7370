/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;

/** The JDK's stream of a TCP connection; closing, also by an interrupt, closes our channel. */
final class TcpOutputStream extends OutputStream {
    private final RSocketChannel channel;
    private final Socket socket;
    private final OutputStream out;

    TcpOutputStream(RSocketChannel channel, Socket socket) throws IOException {
        this.channel = channel;
        this.socket = socket;
        this.out = socket.getOutputStream();
    }

    @Override
    public void write(int value) throws IOException {
        try {
            out.write(value);
        } catch (IOException e) {
            throw channel.closedWith(socket.getChannel(), e);
        }
    }

    @Override
    public void write(byte[] src, int offset, int length) throws IOException {
        try {
            out.write(src, offset, length);
        } catch (IOException e) {
            throw channel.closedWith(socket.getChannel(), e);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
