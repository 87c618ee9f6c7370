/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import io.rsockets4j.spi.suite.kit.EngineSettings;
import io.rsockets4j.spi.suite.kit.Sockets;

/** The suite over RDMA, within one machine that has a device. */
@NeedsRdma
@EngineSettings("paths=rdma")
class RdmaSuiteTest extends SocketsSuite {
    private static final Sockets SOCKETS = OurSockets.atBothEnds();

    @Override
    public Sockets sockets() {
        return SOCKETS;
    }
}
