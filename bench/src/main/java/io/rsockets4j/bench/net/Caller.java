/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.net;

import java.io.Closeable;

/** A client's connection of an API that calls back. */
public interface Caller extends Closeable {
    /**
     * Sends the next request of the connection's {@link Call} and returns; whatever follows happens on other threads.
     * For any thread, while no request is out. What goes wrong is told to the call.
     */
    void send();
}
