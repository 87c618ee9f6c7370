/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite.kit;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Does what {@link EngineSettings} say before anything of the class is used, and undoes it after the class. */
public final class EngineSettingsExtension implements BeforeAllCallback {
    private static final String PREFIX = "rsockets4j.";

    @Override
    public void beforeAll(ExtensionContext context) {
        Class<?> type = context.getRequiredTestClass();
        if (type.getEnclosingClass() == null) {
            EngineProperties properties = EngineProperties.of(context);
            properties.set(PREFIX + "shm.dir", new SharedDirectory().toString());
            setAll(properties, type);
        }
    }

    private static void setAll(EngineProperties properties, Class<?> type) {
        if (type.getSuperclass() != null) {
            setAll(properties, type.getSuperclass());
        }
        EngineSettings settings = type.getDeclaredAnnotation(EngineSettings.class);
        for (String setting : settings == null ? new String[0] : settings.value()) {
            int equals = setting.indexOf('=');
            properties.set(PREFIX + setting.substring(0, equals), setting.substring(equals + 1));
        }
    }
}
