/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite.kit;

/** A test class that says which sockets it runs on. */
public interface OnSockets {
    /** @return the sockets under test, the same at each call */
    Sockets sockets();

    /**
     * Tells a theme of a suite, before each of its cases, what the suite runs on.
     *
     * @param sockets of the enclosing class
     */
    default void runOn(Sockets sockets) { }
}
