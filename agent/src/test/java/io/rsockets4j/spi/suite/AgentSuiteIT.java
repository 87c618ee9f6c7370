/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import io.rsockets4j.spi.suite.kit.EngineSettings;
import io.rsockets4j.spi.suite.kit.Sockets;

/** The suite with the agent: sockets and channels as programs make them. */
@EngineSettings // the agent has set the paths
class AgentSuiteIT extends SocketsSuite {
    private static final Sockets AGENT = new AgentSockets();

    @Override
    public Sockets sockets() {
        return AGENT;
    }
}
