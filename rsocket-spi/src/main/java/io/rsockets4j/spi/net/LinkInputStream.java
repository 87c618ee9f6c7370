/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.net;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** The input stream of a socket whose bytes travel over a link. */
final class LinkInputStream extends InputStream {
    private final LinkSocket socket;
    private final RSocketImpl owner;

    LinkInputStream(LinkSocket socket, RSocketImpl owner) {
        this.socket = socket;
        this.owner = owner;
    }

    @Override
    public int read() throws IOException {
        return socket.read();
    }

    @Override
    public int read(byte[] dst, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, dst.length);
        return length == 0 ? 0 : socket.read(dst, offset, length);
    }

    @Override
    public int available() throws IOException {
        return socket.available();
    }

    @Override
    public void close() throws IOException {
        owner.close();
    }
}
