/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import io.rsockets4j.spi.suite.kit.EngineSettings;
import io.rsockets4j.spi.suite.kit.Sockets;

/** The suite with our clients and plain servers: nobody is left out. */
@EngineSettings("paths=shm,tcp")
class OurClientSuiteTest extends SocketsSuite {
    private static final Sockets SOCKETS = OurSockets.toPlainServers();

    @Override
    public Sockets sockets() {
        return SOCKETS;
    }
}
