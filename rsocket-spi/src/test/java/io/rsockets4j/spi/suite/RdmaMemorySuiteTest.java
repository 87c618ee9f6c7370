/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIf;

/** The suite over RDMA with the settings that users have. */
@EnabledIf(value = "io.rsockets4j.spi.suite.kit.DeviceAddresses#exist", disabledReason = "only loopback addresses")
class RdmaMemorySuiteTest extends RdmaMemorySuite {
    @BeforeAll
    static void openSockets() {
        open();
    }
}
