/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import io.rsockets4j.spi.suite.kit.Sockets;

/** The suite as users have it, with TCP to fall back on. */
class DefaultSuiteTest extends SocketsSuite {
    private static final Sockets SOCKETS = OurSockets.byDefault();

    @Override
    public Sockets sockets() {
        return SOCKETS;
    }
}
