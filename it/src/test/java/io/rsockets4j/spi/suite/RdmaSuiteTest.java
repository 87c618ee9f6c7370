/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import io.rsockets4j.spi.suite.kit.Sockets;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The suite over RDMA, within one machine that has a device. */
@EnabledIfSystemProperty(named = "suite.rdma", matches = "true", disabledReason = "no RDMA device is declared")
class RdmaSuiteTest extends SocketsSuite {
    private static final Sockets SOCKETS = OurSockets.rdma();

    @Override
    public Sockets sockets() {
        return SOCKETS;
    }
}
