/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.soak;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A conversation by a thread that blocks, over streams or over a channel. */
final class Blocking {
    private interface Read {
        int into(ByteBuffer in) throws IOException;
    }

    private interface Write {
        void from(ByteBuffer out) throws IOException;
    }

    private Blocking() { }

    static void run(Side side, Socket socket, int bufferBytes) throws IOException {
        InputStream in = socket.getInputStream();
        OutputStream out = socket.getOutputStream();
        run(side, ByteBuffer.allocate(bufferBytes), buffer -> {
            int count = in.read(buffer.array(), 0, buffer.capacity());
            buffer.position(Math.max(0, count));
            return count;
        }, buffer -> {
            out.write(buffer.array(), 0, buffer.limit());
            buffer.position(buffer.limit());
        }, socket::shutdownOutput);
    }

    static void run(Side side, SocketChannel channel, int bufferBytes) throws IOException {
        run(side, ByteBuffer.allocateDirect(bufferBytes), channel::read, channel::write, channel::shutdownOutput);
    }

    private static void run(Side side, ByteBuffer buffer, Read read, Write write, Closeable halfClose)
            throws IOException {
        boolean halfClosed = false;
        while (!side.isOver()) {
            buffer.clear();
            if (side.hasToSend()) {
                side.next(buffer);
                buffer.flip();
                while (buffer.hasRemaining()) {
                    write.from(buffer);
                }
            } else if (side.hasSentAll() && !halfClosed) {
                halfClose.close();
                halfClosed = true;
            } else if (read.into(buffer) < 0) {
                side.ended();
            } else {
                side.arrived(buffer.flip());
            }
        }
    }
}
