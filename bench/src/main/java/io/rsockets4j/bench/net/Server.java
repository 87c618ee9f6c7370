/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.net;

import java.io.Closeable;

/** A server that runs until it is closed. */
public interface Server extends Closeable {
    /** Tells the port: the local port on which it listens. */
    int port();
}
