/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.net;

/** How a server of a blocking API spreads connections over threads. A select loop has one thread in any case. */
public enum Serving {
    /** A thread for each connection. */
    CONCURRENTLY,
    /** A virtual thread for each connection, and one that accepts. */
    ON_VIRTUAL_THREADS,
    /** One connection after the other, on the accepting thread. */
    IN_TURN
}
