/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.engine.Engine;
import io.rsockets4j.core.verbs.memory.MemoryHost;
import io.rsockets4j.spi.suite.kit.DeviceAddresses;
import io.rsockets4j.spi.suite.kit.Sockets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIf;

/** The suite over RDMA, where each read into a direct buffer that has to wait is advertised, however small it is. */
@EnabledIf(value = "io.rsockets4j.spi.suite.kit.DeviceAddresses#exist", disabledReason = "only loopback addresses")
class RdmaDirectSuiteTest extends SocketsSuite {
    private static Sockets sockets; // set once, before all cases

    @BeforeAll
    static void openSockets() {
        DeviceAddresses.use(); // before anybody asks for the machine's
        System.setProperty("rsockets4j.direct.min.bytes", "1");
        sockets = OurSockets.rdmaInMemory();
    }

    @Override
    public Sockets sockets() {
        return sockets;
    }

    @AfterAll
    static void assertThatItIsUsedWithoutViolations() {
        assertThat(Engine.instance().metrics())
                .anyMatch(metric -> metric.name().equals("rsockets4j.direct.bytes.received") && metric.value() > 0);
        assertThat(MemoryHost.shared().network().violations()).isEmpty();
    }
}
