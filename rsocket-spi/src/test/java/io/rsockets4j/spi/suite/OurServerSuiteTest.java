/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import io.rsockets4j.spi.suite.kit.EngineSettings;
import io.rsockets4j.spi.suite.kit.Sockets;

/** The suite with plain clients and our servers: nobody is left out. */
@EngineSettings("paths=shm,tcp")
class OurServerSuiteTest extends SocketsSuite {
    private static final Sockets SOCKETS = OurSockets.fromPlainClients();

    @Override
    public Sockets sockets() {
        return SOCKETS;
    }
}
