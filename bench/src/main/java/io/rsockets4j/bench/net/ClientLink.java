/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.net;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** One connection as its owner sees it: calls wait until they can do what they say. One thread at a time. */
public interface ClientLink extends Closeable {
    /**
     * Writes all of a buffer.
     *
     * @param source what to write
     * @throws IOException if the connection broke
     */
    void write(ByteBuffer source) throws IOException;

    /**
     * Waits for bytes and reads what has arrived.
     *
     * @param target where to put it; must have room
     * @return the number of bytes read, at least one, or -1 at the end of the stream
     * @throws IOException if the connection broke
     */
    int read(ByteBuffer target) throws IOException;

    /**
     * Reads until the buffer is full.
     *
     * @param target where to put the bytes
     * @throws IOException if the connection broke or ended early
     */
    default void readFully(ByteBuffer target) throws IOException {
        while (target.hasRemaining()) {
            if (read(target) < 0) {
                throw new EOFException("the peer closed with " + target.remaining() + " bytes still to come");
            }
        }
    }
}
