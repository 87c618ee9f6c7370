/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.engine.EngineHolder;
import org.junit.jupiter.api.Test;

/** That the engine starts with the settings of a class, that they end with it, and that later ones are refused. */
@EngineSettings("paths=tcp")
class EngineSettingsTest {
    private static final String RING = "rsockets4j.ring.bytes";
    private static final String LINKS = "rsockets4j.rdma.links";

    @Test
    void shouldHoldForTheEnginePutTheOldOnesBackAndRefuseLaterOnes() {
        try (EngineProperties outer = new EngineProperties()) {
            outer.set(RING, "8192");
            try (EngineProperties inner = new EngineProperties()) {
                inner.set(RING, "1");
                inner.set(RING, "16384");
                inner.set(LINKS, "1");
                assertThat(EngineHolder.instance().settings().paths()).containsExactly("tcp");
                assertThat(EngineHolder.instance().settings().ringBytes()).isEqualTo(16384);
            }
            assertThat(System.getProperty(RING)).isEqualTo("8192");
            assertThat(System.getProperty(LINKS)).isNull();
        }
        assertThatThrownBy(EngineProperties::new).isInstanceOf(IllegalStateException.class)
                .hasMessage("the engine of this virtual machine has its settings already");
    }
}
