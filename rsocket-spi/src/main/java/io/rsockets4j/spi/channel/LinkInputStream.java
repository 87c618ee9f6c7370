/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.channel;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/** Reads a link for a socket. Needs no lock that a writer takes. */
final class LinkInputStream extends InputStream {
    private final RSocketChannel channel;
    private final LinkStream link;
    private final IntSupplier timeoutMillis;

    LinkInputStream(RSocketChannel channel, LinkStream link, IntSupplier timeoutMillis) {
        this.channel = channel;
        this.link = link;
        this.timeoutMillis = timeoutMillis;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] dst, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, dst.length);
        if (length == 0) {
            return 0;
        }
        int timeout = timeoutMillis.getAsInt();
        long deadline = timeout == 0 ? Long.MAX_VALUE : System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeout);
        int n = link.read(dst, offset, length, deadline);
        if (n == 0) {
            throw new SocketTimeoutException("Read timed out");
        }
        return n;
    }

    @Override
    public int available() throws IOException {
        return link.available();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
