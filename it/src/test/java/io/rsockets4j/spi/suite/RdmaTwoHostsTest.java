/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import io.rsockets4j.spi.suite.kit.EngineSettings;
import io.rsockets4j.spi.suite.kit.Sockets;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The cases of two processes over RDMA, with the peers on another machine that has a device too. */
@NeedsRdma
@EngineSettings("paths=rdma")
@EnabledIfSystemProperty(named = "suite.peer.host", matches = ".+", disabledReason = "no other machine is named")
class RdmaTwoHostsTest extends TwoProcessesCases {
    private static final Sockets SOCKETS = OurSockets.atBothEnds();

    @Override
    public Sockets sockets() {
        return SOCKETS;
    }
}
