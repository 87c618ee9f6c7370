/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import io.rsockets4j.spi.suite.kit.EngineSettings;
import io.rsockets4j.spi.suite.kit.OnMemoryVerbs;
import io.rsockets4j.spi.suite.kit.Sockets;

/** The suite over RDMA, on verbs in memory. */
@OnMemoryVerbs
@EngineSettings("paths=rdma")
abstract class RdmaMemorySuite extends SocketsSuite {
    private static final Sockets SOCKETS = OurSockets.atBothEnds();

    @Override
    public Sockets sockets() {
        return SOCKETS;
    }
}
