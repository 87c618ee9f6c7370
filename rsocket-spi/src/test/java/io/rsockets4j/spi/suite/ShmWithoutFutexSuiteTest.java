/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import io.rsockets4j.spi.suite.kit.EngineSettings;
import io.rsockets4j.spi.suite.kit.Sockets;

/** The suite on shared memory on a host that forbids futexes: threads park, and the service thread rings them. */
@EngineSettings("paths=shm")
class ShmWithoutFutexSuiteTest extends SocketsSuite {
    private static final Sockets SOCKETS = OurSockets.withoutFutex();

    @Override
    public Sockets sockets() {
        return SOCKETS;
    }
}
