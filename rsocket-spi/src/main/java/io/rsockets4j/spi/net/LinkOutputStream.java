/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.net;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;

/** The output stream of a socket whose bytes travel over a link. */
final class LinkOutputStream extends OutputStream {
    private final LinkSocket socket;
    private final RSocketImpl owner;

    LinkOutputStream(LinkSocket socket, RSocketImpl owner) {
        this.socket = socket;
        this.owner = owner;
    }

    @Override
    public void write(int value) throws IOException {
        socket.write(value);
    }

    @Override
    public void write(byte[] src, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, src.length);
        if (length > 0) {
            socket.write(src, offset, length);
        }
    }

    @Override
    public void close() throws IOException {
        owner.close();
    }
}
