/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import io.rsockets4j.spi.suite.kit.EngineSettings;
import io.rsockets4j.spi.suite.kit.Sockets;

/** The suite as users have it, with TCP to fall back on. */
@EngineSettings("paths=shm,tcp")
class DefaultSuiteTest extends SocketsSuite {
    private static final Sockets SOCKETS = OurSockets.atBothEnds();

    @Override
    public Sockets sockets() {
        return SOCKETS;
    }
}
