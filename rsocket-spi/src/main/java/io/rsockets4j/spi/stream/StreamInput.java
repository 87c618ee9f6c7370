/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.stream;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.Reference;
import java.util.Objects;
import java.util.function.IntSupplier;

/** The input stream of a socket whose bytes travel over a link. Takes no lock that a writer takes. Thread-safe. */
public final class StreamInput extends InputStream {
    private final LinkStream stream;
    private final Closeable owner;
    private final IntSupplier timeoutMillis;

    /**
     * Creates a stream.
     *
     * @param stream to read
     * @param owner closed with this; not collected while a read is under way
     * @param timeoutMillis how long a read waits, 0 for ever; asked at each read
     */
    public StreamInput(LinkStream stream, Closeable owner, IntSupplier timeoutMillis) {
        this.stream = stream;
        this.owner = owner;
        this.timeoutMillis = timeoutMillis;
    }

    @Override
    public int read() throws IOException {
        try {
            return stream.read(timeoutMillis.getAsInt());
        } finally {
            Reference.reachabilityFence(owner);
        }
    }

    @Override
    public int read(byte[] dst, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, dst.length);
        if (length == 0) {
            return 0;
        }
        try {
            return stream.read(dst, offset, length, timeoutMillis.getAsInt());
        } finally {
            Reference.reachabilityFence(owner);
        }
    }

    @Override
    public int available() throws IOException {
        return stream.available();
    }

    @Override
    public void close() throws IOException {
        owner.close();
    }
}
