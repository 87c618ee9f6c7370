/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIf;

/** The suite over RDMA as iWARP devices do it: each write is followed by a message instead of having immediate data. */
@EnabledIf(value = "io.rsockets4j.spi.suite.kit.DeviceAddresses#exist", disabledReason = "only loopback addresses")
class RdmaMessagesSuiteTest extends RdmaMemorySuite {
    @BeforeAll
    static void openSockets() {
        System.setProperty("rsockets4j.rdma.immediate", "false");
        open();
    }
}
