/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;

/** Writes a link for a socket. Needs no lock that a reader takes. */
final class LinkOutputStream extends OutputStream {
    private final RSocketChannel channel;
    private final LinkStream link;

    LinkOutputStream(RSocketChannel channel, LinkStream link) {
        this.channel = channel;
        this.link = link;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] src, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, src.length);
        if (length > 0) {
            link.write(src, offset, length);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
