/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite.kit;

import io.rsockets4j.core.engine.Engine;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** System properties of a test class that the engine is to start with. Closing puts the old values back. */
final class EngineProperties implements AutoCloseable {
    private static final Namespace NAMESPACE = Namespace.create(EngineProperties.class);

    private final Map<String, String> old = new HashMap<>(); // null where there was none

    /**
     * Begins with none.
     *
     * @throws IllegalStateException if the engine has started, and so reads no properties any more
     */
    EngineProperties() {
        if (Engine.isStarted()) {
            throw new IllegalStateException("the engine of this virtual machine has its settings already");
        }
    }

    /** Those of a test class; JUnit closes them after the class. */
    static EngineProperties of(ExtensionContext context) {
        return context.getStore(NAMESPACE).computeIfAbsent(EngineProperties.class);
    }

    void set(String name, String value) {
        if (!old.containsKey(name)) {
            old.put(name, System.getProperty(name));
        }
        System.setProperty(name, value);
    }

    @Override
    public void close() {
        old.forEach((name, value) -> {
            if (value == null) {
                System.clearProperty(name);
            } else {
                System.setProperty(name, value);
            }
        });
    }
}
