/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.jmh;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/** Reads and writes the streams of a socket. */
final class StreamEnd implements End {
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final byte[] message;

    StreamEnd(Socket socket, int size) throws IOException {
        this.socket = socket;
        in = socket.getInputStream();
        out = socket.getOutputStream();
        message = new byte[size];
    }

    @Override
    public void write() throws IOException {
        out.write(message);
    }

    @Override
    public void read() throws IOException {
        for (int done = 0; done < message.length;) {
            int count = in.read(message, done, message.length - done);
            if (count < 0) {
                throw new EOFException();
            }
            done += count;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
