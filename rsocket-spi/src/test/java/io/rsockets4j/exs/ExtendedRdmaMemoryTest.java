/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.exs;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.verbs.memory.MemoryHost;
import io.rsockets4j.spi.suite.kit.DeviceAddresses;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIf;

/** Extended sockets over RDMA, on verbs in memory, and that nothing they do would upset a device. */
@EnabledIf(value = "io.rsockets4j.spi.suite.kit.DeviceAddresses#exist", disabledReason = "only loopback addresses")
class ExtendedRdmaMemoryTest extends ExtendedSocketsContract {
    @BeforeAll
    static void choose() {
        DeviceAddresses.use();
        System.setProperty("rsockets4j.rdma.binding", "memory");
        use("rdma");
    }

    @AfterAll
    static void assertNoViolations() {
        assertThat(MemoryHost.shared().network().violations()).isEmpty();
    }
}
