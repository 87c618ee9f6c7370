/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import io.rsockets4j.core.fabric.Fabric;
import io.rsockets4j.core.fabric.SpinPolicy;
import io.rsockets4j.core.settings.Settings;
import io.rsockets4j.core.shm.ShmFabric;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Makes the process' engine from the system properties at first use. */
final class EngineHolder {
    static final Engine INSTANCE = create();

    private EngineHolder() { }

    private static Engine create() {
        Settings settings = Settings.from(System.getProperties());
        SpinPolicy spinPolicy = new SpinPolicy(settings.spinNanos(), Runtime.getRuntime().availableProcessors());
        Engine engine = new Engine(settings, openFabrics(settings, spinPolicy), spinPolicy);
        if (settings.summary()) {
            Runtime.getRuntime().addShutdownHook(new Thread(
                    () -> System.err.println(engine.counts().summary(settings.paths())), "rsockets4j-summary"));
        }
        return engine;
    }

    /** A path that cannot be used here is left out, with the reason; TCP does not need us. */
    private static List<Fabric> openFabrics(Settings settings, SpinPolicy spinPolicy) {
        List<Fabric> fabrics = new ArrayList<>();
        for (String path : settings.paths()) {
            if (path.equals(ShmFabric.NAME)) {
                try {
                    fabrics.add(ShmFabric.open(settings, spinPolicy));
                } catch (IOException e) {
                    System.getLogger(Engine.class.getName()).log(System.Logger.Level.WARNING,
                            "rsockets4j: path shm is not available: " + e.getMessage());
                }
            }
        }
        return List.copyOf(fabrics);
    }
}
