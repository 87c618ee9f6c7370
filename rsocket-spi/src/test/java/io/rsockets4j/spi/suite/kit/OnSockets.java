/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite.kit;

/** A test class that says which sockets it runs on. */
public interface OnSockets {
    /** @return the sockets under test, the same at each call */
    Sockets sockets();
}
