/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import io.rsockets4j.spi.suite.kit.Sockets;

/** The suite on plain TCP, the oracle: what fails here is a wrong expectation. */
class TcpSuiteTest extends SocketsSuite {
    private static final Sockets TCP = new TcpSockets();

    @Override
    public Sockets sockets() {
        return TCP;
    }
}
