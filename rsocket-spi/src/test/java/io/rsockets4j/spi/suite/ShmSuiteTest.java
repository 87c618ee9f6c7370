/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import io.rsockets4j.spi.suite.kit.EngineSettings;
import io.rsockets4j.spi.suite.kit.Sockets;

/** The suite on shared memory: what fails here and passes on TCP is a defect of ours. */
@EngineSettings("paths=shm")
class ShmSuiteTest extends SocketsSuite {
    private static final Sockets SOCKETS = OurSockets.withFutex();

    @Override
    public Sockets sockets() {
        return SOCKETS;
    }
}
