/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.samples;

import java.io.Closeable;
import java.io.IOException;

/**
 * A server that accepts connections until it is closed.
 *
 * @param port the port on which it listens
 * @param listener closing it ends the server
 */
public record RunningServer(int port, Closeable listener) implements Closeable {

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
