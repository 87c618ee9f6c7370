/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;

/** A connection over the streams of a {@link Socket}. Buffers must have an accessible array. */
final class SocketLink implements ClientLink {
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    SocketLink(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        in = socket.getInputStream();
        out = socket.getOutputStream();
    }

    static SocketLink connect(int port) throws IOException {
        return new SocketLink(new Socket(ServerHost.address(), port));
    }

    @Override
    public void write(ByteBuffer source) throws IOException {
        out.write(source.array(), source.arrayOffset() + source.position(), source.remaining());
        source.position(source.limit());
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        int count = in.read(target.array(), target.arrayOffset() + target.position(), target.remaining());
        if (count > 0) {
            target.position(target.position() + count);
        }
        return count;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
