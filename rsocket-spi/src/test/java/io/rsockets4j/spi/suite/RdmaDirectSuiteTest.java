/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.engine.Engine;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIf;

/** The suite over RDMA, where each read into a direct buffer that has to wait is advertised, however small it is. */
@EnabledIf(value = "io.rsockets4j.spi.suite.kit.DeviceAddresses#exist", disabledReason = "only loopback addresses")
class RdmaDirectSuiteTest extends RdmaMemorySuite {
    @BeforeAll
    static void openSockets() {
        System.setProperty("rsockets4j.direct.min.bytes", "1");
        open();
    }

    @AfterAll
    static void assertThatBuffersWereUsed() {
        assertThat(Engine.instance().metrics())
                .anyMatch(metric -> metric.name().equals("rsockets4j.direct.bytes.received") && metric.value() > 0);
    }
}
