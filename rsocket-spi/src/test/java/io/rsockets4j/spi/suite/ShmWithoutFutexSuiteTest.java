/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import io.rsockets4j.spi.suite.kit.Sockets;

/** The suite on shared memory on a host that forbids futexes: threads park, and the service thread rings them. */
class ShmWithoutFutexSuiteTest extends SocketsSuite {
    private static final Sockets SOCKETS = OurSockets.shmWithoutFutex();

    @Override
    public Sockets sockets() {
        return SOCKETS;
    }
}
