/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.jmh;

import java.io.IOException;

/** One end of a connection, with a message's buffers. Reading and writing allocate nothing of their own. */
interface End extends AutoCloseable {
    /** Writes one message. */
    void write() throws IOException;

    /** Reads one message, whole. */
    void read() throws IOException;

    @Override
    void close() throws IOException;
}
