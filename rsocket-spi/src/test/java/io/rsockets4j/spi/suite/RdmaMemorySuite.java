/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.verbs.memory.MemoryHost;
import io.rsockets4j.spi.suite.kit.DeviceAddresses;
import io.rsockets4j.spi.suite.kit.Sockets;
import org.junit.jupiter.api.AfterAll;

/** The suite over RDMA, on verbs in memory, and that nothing it does would upset a device. One class for each JVM. */
abstract class RdmaMemorySuite extends SocketsSuite {
    private static Sockets sockets; // set once, before all cases

    /** Begins, with the settings that are system properties by now. */
    static void open() {
        DeviceAddresses.use(); // before anybody asks for the machine's
        sockets = OurSockets.rdmaInMemory();
    }

    @Override
    public Sockets sockets() {
        return sockets;
    }

    @AfterAll
    static void assertNoViolations() {
        assertThat(MemoryHost.shared().network().violations()).isEmpty();
    }
}
