/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.verbs.memory.MemoryHost;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Does what {@link OnMemoryVerbs} says. The first of a suite's themes that fails is the one that upsets. */
public final class MemoryVerbsExtension implements BeforeAllCallback, AfterAllCallback {
    @Override
    public void beforeAll(ExtensionContext context) {
        if (context.getRequiredTestClass().getEnclosingClass() == null) {
            EngineProperties properties = EngineProperties.of(context);
            properties.set("rsockets4j.rdma.binding", "memory");
            DeviceAddresses.use(properties); // before anybody asks for the machine's
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        assertThat(MemoryHost.shared().network().violations()).isEmpty();
    }
}
