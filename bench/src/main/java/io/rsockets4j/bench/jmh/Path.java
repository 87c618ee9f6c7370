/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.jmh;

/** What carries the bytes. */
public enum Path {
    /** Both ends are ours. */
    SHM("shm"),
    /** The listener is a channel of the JDK's, so that our client falls back to TCP. */
    TCP("tcp");

    /** As the engine calls it. */
    final String name;

    Path(String name) {
        this.name = name;
    }
}
