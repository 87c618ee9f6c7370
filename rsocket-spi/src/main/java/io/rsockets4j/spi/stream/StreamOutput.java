/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.stream;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ref.Reference;
import java.util.Objects;

/** The output stream of a socket whose bytes travel over a link. Takes no lock that a reader takes. Thread-safe. */
public final class StreamOutput extends OutputStream {
    private final LinkStream stream;
    private final Closeable owner;

    /**
     * Creates a stream.
     *
     * @param stream to write
     * @param owner closed with this; not collected while a write is under way
     */
    public StreamOutput(LinkStream stream, Closeable owner) {
        this.stream = stream;
        this.owner = owner;
    }

    @Override
    public void write(int value) throws IOException {
        try {
            stream.write(value);
        } finally {
            Reference.reachabilityFence(owner);
        }
    }

    @Override
    public void write(byte[] src, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, src.length);
        if (length > 0) {
            try {
                stream.write(src, offset, length);
            } finally {
                Reference.reachabilityFence(owner);
            }
        }
    }

    @Override
    public void close() throws IOException {
        owner.close();
    }
}
