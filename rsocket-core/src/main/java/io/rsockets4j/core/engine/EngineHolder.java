/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import io.rsockets4j.core.fabric.SpinPolicy;
import io.rsockets4j.core.management.Management;
import io.rsockets4j.core.rules.Rules;
import io.rsockets4j.core.settings.Settings;
import io.rsockets4j.core.stat.ConnectionSnapshot;
import io.rsockets4j.core.stat.StatServer;
import io.rsockets4j.core.thread.OwnThreads;
import java.util.List;
import java.util.function.Supplier;

/** Makes the process' engine from the system properties at first use. */
final class EngineHolder {
    static final Engine INSTANCE = create();

    private EngineHolder() { }

    private static Engine create() {
        Settings settings = Settings.from(System.getProperties());
        SpinPolicy spinPolicy = new SpinPolicy(settings.spinNanos(), Runtime.getRuntime().availableProcessors());
        Engine engine = new Engine(settings, new Rules(settings), Fabrics.open(settings, spinPolicy), spinPolicy);
        Supplier<List<ConnectionSnapshot>> connections =
                () -> engine.connections().live().stream().map(ConnectionInfo::snapshot).toList();
        StatServer.start(settings.shmDirectory(), connections);
        Management.start(connections, engine::metrics);
        if (settings.summary()) {
            OwnThreads.atExit("rsockets4j-summary",
                    () -> System.err.println(engine.counts().summary(settings.paths())));
        }
        return engine;
    }
}
