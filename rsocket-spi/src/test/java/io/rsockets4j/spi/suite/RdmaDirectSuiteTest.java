/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.engine.EngineHolder;
import io.rsockets4j.spi.suite.kit.EngineSettings;
import org.junit.jupiter.api.AfterAll;

/** The suite over RDMA, where each read into a direct buffer that has to wait is advertised, however small it is. */
@EngineSettings("direct.min.bytes=1")
class RdmaDirectSuiteTest extends RdmaMemorySuite {
    @AfterAll
    static void assertThatBuffersWereUsed() {
        assertThat(EngineHolder.instance().metrics())
                .anyMatch(metric -> metric.name().equals("rsockets4j.direct.bytes.received") && metric.value() > 0);
    }
}
